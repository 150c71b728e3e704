package dev.laurel.schemas.http;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The admin key that is given at start-up, never over HTTP. Only its hash is kept in memory.
 */
public final class BootstrapKey implements ApiKeys {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9]{8}\\.[A-Za-z0-9_-]{16,200}");
    private static final String ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final int PREFIX_LENGTH = 8;
    private static final int SECRET_LENGTH = 44; // 62^44 > 2^256

    private final byte[] hash;

    /** @throws IllegalArgumentException if {@code key} has not the form of a key */
    public BootstrapKey(String key) {
        if (!FORM.matcher(key).matches()) {
            throw new IllegalArgumentException(
                    "an admin key is 8 letters or digits, a dot, and a secret of at least 16 letters, digits, '-' or '_'");
        }
        this.hash = sha256(key);
    }

    /** A new random key. */
    public static String generate() {
        var random = new SecureRandom();
        var key = new StringBuilder();
        for (int i = 0; i < PREFIX_LENGTH + SECRET_LENGTH; i++) {
            key.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return key.insert(PREFIX_LENGTH, '.').toString();
    }

    @Override
    public Principal principalOf(String key) {
        return MessageDigest.isEqual(hash, sha256(key)) ? new Principal.Admin() : null;
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
