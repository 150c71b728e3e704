package dev.laurel.deploy.e2e;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** A broker with TLS only, and a login by name and password (SASL_SSL, PLAIN). */
final class SecuredKafka implements AutoCloseable {

    static final String PASSWORD = "swim-faster-than-this";

    private static final HeldCertificate AUTHORITY =
            new HeldCertificate.Builder().certificateAuthority(0).build();
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    private final Path dir;
    private final EmbeddedBroker broker;

    private SecuredKafka(Path dir, EmbeddedBroker broker) {
        this.dir = dir;
        this.broker = broker;
    }

    static SecuredKafka start(Path dir) throws IOException {
        return start(dir, Map.of());
    }

    /** Starts a broker on which the login of Laurel has exactly the rights listed in docs/operations/security.md. */
    static SecuredKafka startWithAccessControl(Path dir) throws Exception {
        // Connections to the controller are plain text and anonymous; clients do not use them.
        SecuredKafka kafka = start(
                dir,
                Map.of(
                        "authorizer.class.name",
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                        "super.users",
                        "User:broker;User:ANONYMOUS"));
        try (Admin admin = Admin.create(kafka.client("broker", "b"))) {
            admin.createAcls(rights()).all().get(60, TimeUnit.SECONDS);
            return kafka;
        } catch (Exception e) {
            kafka.close();
            throw e;
        }
    }

    private static List<AclBinding> rights() {
        var rights = new ArrayList<AclBinding>();
        for (String topics : List.of("laurel.", "laurel-")) {
            for (AclOperation operation : List.of(
                    AclOperation.READ,
                    AclOperation.WRITE,
                    AclOperation.CREATE,
                    AclOperation.DESCRIBE,
                    AclOperation.DESCRIBE_CONFIGS)) {
                rights.add(right(ResourceType.TOPIC, topics, PatternType.PREFIXED, operation));
            }
        }
        rights.add(right(ResourceType.TOPIC, "laurel.direct", PatternType.PREFIXED, AclOperation.DELETE));
        rights.add(right(ResourceType.GROUP, "laurel-", PatternType.PREFIXED, AclOperation.READ));
        rights.add(right(ResourceType.TRANSACTIONAL_ID, "laurel", PatternType.PREFIXED, AclOperation.WRITE));
        rights.add(right(ResourceType.TRANSACTIONAL_ID, "laurel", PatternType.PREFIXED, AclOperation.DESCRIBE));
        // Direct producers: of one tenant, and of all.
        rights.add(right("acme", ResourceType.TOPIC, "laurel.direct.acme", PatternType.LITERAL, AclOperation.WRITE));
        rights.add(right("jobs", ResourceType.TOPIC, "laurel.direct", PatternType.LITERAL, AclOperation.WRITE));
        rights.add(right(ResourceType.CLUSTER, "kafka-cluster", PatternType.LITERAL, AclOperation.IDEMPOTENT_WRITE));
        return rights;
    }

    private static AclBinding right(ResourceType type, String name, PatternType pattern, AclOperation operation) {
        return right("laurel", type, name, pattern, operation);
    }

    private static AclBinding right(
            String user, ResourceType type, String name, PatternType pattern, AclOperation operation) {
        return new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW));
    }

    private static SecuredKafka start(Path dir, Map<String, String> more) throws IOException {
        Files.writeString(dir.resolve("ca.crt"), AUTHORITY.certificatePem());
        HeldCertificate own = issue();
        var settings = new HashMap<String, String>();
        settings.put("listener.security.protocol.map", "PLAINTEXT:SASL_SSL,CONTROLLER:PLAINTEXT");
        settings.put("sasl.enabled.mechanisms", "PLAIN");
        settings.put("sasl.mechanism.inter.broker.protocol", "PLAIN");
        settings.put(
                "listener.name.plaintext.plain.sasl.jaas.config",
                LOGIN + "username=\"broker\" password=\"b\" user_broker=\"b\" user_laurel=\"" + PASSWORD
                        + "\" user_acme=\"" + PASSWORD + "\" user_jobs=\"" + PASSWORD + "\";");
        settings.put("ssl.keystore.type", "PEM");
        settings.put("ssl.keystore.certificate.chain", own.certificatePem());
        settings.put("ssl.keystore.key", own.privateKeyPkcs8Pem());
        settings.put("ssl.truststore.type", "PEM");
        settings.put("ssl.truststore.certificates", AUTHORITY.certificatePem());
        settings.putAll(more);
        return new SecuredKafka(
                dir,
                EmbeddedBroker.start(
                        BrokerSettings.alone(dir.resolve("kafka"), 0, 0).with(settings)));
    }

    /** Returns a certificate of the same authority for this machine. */
    static HeldCertificate issue() {
        return new HeldCertificate.Builder()
                .commonName("laurel")
                .addSubjectAlternativeName("localhost")
                .addSubjectAlternativeName("127.0.0.1")
                .signedBy(AUTHORITY)
                .build();
    }

    /** Returns the certificate of the authority. */
    Path authority() {
        return dir.resolve("ca.crt");
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    /** Returns the file for {@code --kafka-config}. */
    Path clientConfig() throws IOException {
        return clientConfig("client.properties", PASSWORD);
    }

    /** Returns the settings of a client with this login: acme, jobs or laurel. */
    Map<String, Object> client(String user) {
        return client(user, PASSWORD);
    }

    private Map<String, Object> client(String user, String password) {
        return Map.of(
                "bootstrap.servers",
                bootstrapServers(),
                "security.protocol",
                "SASL_SSL",
                "sasl.mechanism",
                "PLAIN",
                "sasl.jaas.config",
                LOGIN + "username=\"" + user + "\" password=\"" + password + "\";",
                "ssl.truststore.type",
                "PEM",
                "ssl.truststore.location",
                authority().toString());
    }

    Path clientConfig(String name, String password) throws IOException {
        var settings = new HashMap<>(client("laurel", password));
        settings.remove("bootstrap.servers");
        var text = new StringBuilder();
        settings.forEach(
                (key, value) -> text.append(key).append('=').append(value).append('\n'));
        return secret(name, text.toString());
    }

    /** Writes a file that only its owner can read. */
    Path secret(String name, String text) throws IOException {
        Path file = Files.writeString(dir.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    @Override
    public void close() {
        broker.close();
    }
}
