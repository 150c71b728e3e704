package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;

/** Reads private keys in the form that Apple and Google issue: PKCS #8 in PEM. */
final class PrivateKeys {

    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

    private PrivateKeys() {}

    /**
     * @param algorithm RSA or EC
     * @param field name of the key in the refusal, which does not contain any of it
     */
    static PrivateKey read(String pem, String algorithm, String field) throws BadInputException {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw BadInputException.invalid(field, "must be a private key that begins with " + BEGIN);
        }
        try {
            byte[] key = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
        } catch (IllegalArgumentException | InvalidKeySpecException _) {
            throw BadInputException.invalid(field, "must be a private " + algorithm + " key");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }
}
