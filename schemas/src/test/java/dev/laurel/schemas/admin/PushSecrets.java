package dev.laurel.schemas.admin;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.util.Base64;

/** Credentials of push services, as JSON with single quotes. */
final class PushSecrets {

    private PushSecrets() {}

    /** Returns a new private key as PEM, escaped for a JSON string. */
    static String pem(String algorithm, int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(algorithm);
            generator.initialize(bits);
            return "-----BEGIN PRIVATE KEY-----\\n"
                    + Base64.getEncoder()
                            .encodeToString(
                                    generator.generateKeyPair().getPrivate().getEncoded())
                    + "\\n-----END PRIVATE KEY-----\\n";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static String serviceAccount(int bits) {
        return "{'project_id':'pool','client_email':'push@pool.example','private_key_id':'1','private_key':'"
                + pem("RSA", bits) + "'}";
    }
}
