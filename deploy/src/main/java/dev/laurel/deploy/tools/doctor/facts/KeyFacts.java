package dev.laurel.deploy.tools.doctor.facts;

import java.util.List;
import java.util.Locale;

/**
 * The admin key that is used for the asking.
 *
 * @param isGuessable it looks like one that somebody thought of, or copied from an example
 */
public record KeyFacts(String prefix, boolean isGuessable) {

    private static final List<String> WORDS = List.of("changeme", "change-me", "example", "secret", "password",
            "default",
            "laurel", "0123456789");

    /** Of letters and digits by chance, any 32 have more different ones. */
    private static final int DISTINCT_LEAST = 10;

    /** @param key as it is given to servers; stays out of this */
    public static KeyFacts of(String key) {
        int dot = key.indexOf('.');
        String secret = key.substring(dot + 1).toLowerCase(Locale.ROOT);
        boolean isGuessable = secret.chars().distinct().count() < DISTINCT_LEAST
                || WORDS.stream().anyMatch(secret::contains);
        return new KeyFacts(dot < 0 ? "" : key.substring(0, dot), isGuessable);
    }
}
