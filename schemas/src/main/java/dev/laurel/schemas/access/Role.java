package dev.laurel.schemas.access;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What the holder of an admin key may do. Each role may do what the roles before it may do. */
public enum Role {
    /** Reads. */
    VIEWER,
    /** Acts on single users. */
    SUPPORT,
    /** Changes rules, messages and webhooks. */
    EDITOR,
    /** Does everything. */
    ADMIN;

    private static final List<String> WORDS =
            Arrays.stream(values()).map(Role::word).toList();

    private final String word = name().toLowerCase(Locale.ROOT);

    /** The roles in bodies and messages. */
    public static List<String> words() {
        return WORDS;
    }

    /** @param word one of {@link #words} */
    public static Role of(String word) {
        return values()[WORDS.indexOf(word)];
    }

    public String word() {
        return word;
    }

    /** Whether this role may do what needs at least that role. */
    public boolean permits(Role least) {
        return compareTo(least) >= 0;
    }
}
