package dev.laurel.deploy.e2e;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import okhttp3.tls.HeldCertificate;

/** A broker that speaks TLS only, and asks who comes for name and password (SASL_SSL, PLAIN). */
final class SecuredKafka implements AutoCloseable {

    static final String PASSWORD = "swim-faster-than-this";

    private static final HeldCertificate AUTHORITY = new HeldCertificate.Builder().certificateAuthority(0).build();
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    private final Path dir;
    private final EmbeddedBroker broker;

    private SecuredKafka(Path dir, EmbeddedBroker broker) {
        this.dir = dir;
        this.broker = broker;
    }

    static SecuredKafka start(Path dir) throws IOException {
        Files.writeString(dir.resolve("ca.crt"), AUTHORITY.certificatePem());
        HeldCertificate own = issue();
        var settings = new HashMap<String, String>();
        settings.put("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT");
        settings.put("sasl.enabled.mechanisms", "PLAIN");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put("listener.name.plaintext.plain.sasl.jaas.config",
                LOGIN + "username=\"broker\" password=\"b\" user_broker=\"b\" user_laurel=\"" + PASSWORD + "\";");
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.certificate.chain", own.certificatePem());
        settings.put("ssl.keystore.key", own.privateKeyPkcs8Pem());
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", AUTHORITY.certificatePem());
        return new SecuredKafka(dir,
                EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0).with(settings)));
    }

    /** A certificate of the same authority for this machine. */
    static HeldCertificate issue() {
        return new HeldCertificate.Builder().commonName("laurel").addSubjectAlternativeName("localhost")
                .addSubjectAlternativeName("127.0.0.1").signedBy(AUTHORITY).build();
    }

    /** The certificate of the authority. */
    Path authority() {
        return dir.resolve("ca.crt");
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** For {@code --kafka-config}. */
    Path clientConfig() throws IOException {
        return clientConfig("client.properties", PASSWORD);
    }

    Path clientConfig(String name, String password) throws IOException {
        Map<String, String> settings = Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN",
                "sasl.jaas.config", LOGIN + "username=\"laurel\" password=\"" + password + "\";",
                "ssl.truststore.type", "PEM", "ssl.truststore.location", authority().toString());
        var text = new StringBuilder();
        settings.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        return secret(name, text.toString());
    }

    /** A file for its owner's eyes only. */
    Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(dir.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Override
    public void close() {
        broker.close();
    }
}
