package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.access.Signed;
import dev.laurel.schemas.input.UnicodeText;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sign-in at a provider that has begun, as a cookie of the browser holds it, so that any process can complete it. What the provider
 * must send back, and what it must not know, are derived from it and from the key. Immutable.
 */
record SignInState(Signed<List<String>> signed, SessionKey key) {

    /** A random text and the path to show after the sign-in. */
    private static final Signed.Purpose<List<String>> PURPOSE =
            new Signed.Purpose<>("sign-in", 4_000, Function.identity(), Function.identity());

    /** @param returnTo path to show after the sign-in */
    static SignInState begin(SecureRandom random, Instant expires, String returnTo, SessionKey key) {
        return new SignInState(
                Signed.of(PURPOSE, key.of("sign-in"), List.of(Signed.randomText(random), returnTo), expires), key);
    }

    /** Null if the cookie is not authentic or has expired. */
    static @Nullable SignInState read(String cookie, SessionKey key, Instant now) {
        Signed<List<String>> signed = Signed.read(PURPOSE, cookie, _ -> key.of("sign-in"), now);
        return signed == null ? null : new SignInState(signed, key);
    }

    /** The value of the cookie. */
    String encoded() {
        return signed.text();
    }

    String returnTo() {
        return signed.value().getLast();
    }

    /** The parameter {@code state}, with which the provider sends the browser back. */
    String state() {
        return derived("state");
    }

    /** Compares in constant time. @param given the parameter of a request; null: none */
    boolean isState(@Nullable String given) {
        return given != null && MessageDigest.isEqual(state().getBytes(US_ASCII), given.getBytes(UTF_8));
    }

    /** The claim {@code nonce} that the ID token must have. */
    String nonce() {
        return derived("nonce");
    }

    /** The code verifier of PKCE (RFC 7636), which only the exchange of the code contains. */
    String verifier() {
        return derived("verifier");
    }

    /** The code challenge of PKCE, with the method S256. */
    String challenge() {
        return Signed.encoded(UnicodeText.sha256(verifier()));
    }

    private String derived(String label) {
        return signed.derived(key.of("sign-in " + label));
    }
}
