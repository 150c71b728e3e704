package dev.laurel.schemas.access;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A sign-in at a provider that has begun, as a cookie of the browser holds it, so that any process can complete it. What the provider
 * must send back, and what it must not know, are derived from a random seed and from the key. Immutable.
 */
public final class SignInState {

    /** The number of random bytes. */
    public static final int SEED_BYTES = 32;

    private static final int MAX_LENGTH = 4_000;
    private static final String PURPOSE = "sign-in";

    private final byte[] seed;
    private final Instant expires;
    private final String returnTo;
    private final SessionKey key;

    /** @param returnTo path to show after the sign-in */
    public SignInState(byte[] seed, Instant expires, String returnTo, SessionKey key) {
        this.seed = Arrays.copyOf(seed, SEED_BYTES);
        this.expires = expires;
        this.returnTo = returnTo;
        this.key = key;
    }

    /** Null if the cookie is not authentic or has expired. */
    public static @Nullable SignInState read(String cookie, SessionKey key, Instant now) {
        SignedToken signed = SignedToken.parse(cookie, MAX_LENGTH);
        if (signed == null || !signed.isAuthentic(key.of(PURPOSE))) {
            return null;
        }
        try {
            ByteBuffer text = ByteBuffer.wrap(signed.text());
            Instant expires = Instant.ofEpochMilli(text.getLong());
            var seed = new byte[SEED_BYTES];
            text.get(seed);
            var path = new byte[text.remaining()];
            text.get(path);
            return now.isBefore(expires) ? new SignInState(seed, expires, new String(path, UTF_8), key) : null;
        } catch (BufferUnderflowException _) {
            return null;
        }
    }

    /** The value of the cookie. */
    public String encoded() {
        byte[] path = returnTo.getBytes(UTF_8);
        return SignedToken.of(key.of(PURPOSE), ByteBuffer.allocate(Long.BYTES + SEED_BYTES + path.length)
                .putLong(expires.toEpochMilli()).put(seed).put(path).array()).encoded();
    }

    public String returnTo() {
        return returnTo;
    }

    /** The parameter {@code state}, with which the provider sends the browser back. */
    public String state() {
        return derived("state");
    }

    /** Compares in constant time. @param given the parameter of a request; null: none */
    public boolean isState(@Nullable String given) {
        return given != null && MessageDigest.isEqual(state().getBytes(US_ASCII), given.getBytes(UTF_8));
    }

    /** The claim {@code nonce} that the ID token must have. */
    public String nonce() {
        return derived("nonce");
    }

    /** The code verifier of PKCE (RFC 7636), which only the exchange of the code contains. */
    public String verifier() {
        return derived("verifier");
    }

    /** The code challenge of PKCE, with the method S256. */
    public String challenge() {
        return encoded(ApiKey.sha256(verifier()));
    }

    private String derived(String label) {
        return encoded(Hmac.sha256(key.of(PURPOSE + " " + label), seed));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
