package dev.laurel.delivery.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.serde.Json;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.Map;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** Keys for tests, made once: of a service account, of a team at Apple, of the stand-ins' TLS. */
final class PushKeys {

    static final KeyPair GOOGLE = pair("RSA", 2048);
    static final KeyPair APPLE = pair("EC", 256);
    static final HeldCertificate TLS =
            new HeldCertificate.Builder().addSubjectAlternativeName("localhost").build();
    static final HandshakeCertificates HANDSHAKE =
            new HandshakeCertificates.Builder().heldCertificate(TLS).build();

    static final HandshakeCertificates TRUST = new HandshakeCertificates.Builder()
            .addTrustedCertificate(TLS.certificate())
            .build();

    private PushKeys() {}

    static KeyPair pair(String algorithm, int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String pem(PrivateKey key) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    static String serviceAccount(PrivateKey key) {
        return new String(
                Json.write(Map.of(
                        "type",
                        "service_account",
                        "project_id",
                        "swim-club",
                        "private_key_id",
                        "key-1",
                        "private_key",
                        pem(key),
                        "client_email",
                        "push@swim-club.example",
                        "token_uri",
                        "http://127.0.0.1:1/not-followed")),
                UTF_8);
    }
}
