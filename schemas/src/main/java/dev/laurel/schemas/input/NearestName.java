package dev.laurel.schemas.input;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** Finds the name that was probably meant by an unknown one, for messages. */
public final class NearestName {

    private static final int MAX_EDITS = 2;

    /** A shorter beginning is that of many names. */
    private static final int MIN_PREFIX = 3;

    private NearestName() {}

    /** The known name within two edits and half of its length; else one that begins with the given name, or with which that begins. */
    public static @Nullable String of(String given, Collection<String> known) {
        return known.stream()
                .filter(name -> Math.abs(name.length() - given.length()) <= MAX_EDITS)
                .filter(name -> edits(given, name) <= Math.min(MAX_EDITS, name.length() / 2))
                .min(Comparator.comparingInt(name -> edits(given, name)))
                .or(() -> known.stream()
                        .filter(name -> Math.min(name.length(), given.length()) >= MIN_PREFIX
                                && (name.startsWith(given) || given.startsWith(name)))
                        .min(Comparator.comparingInt(name -> Math.abs(name.length() - given.length()))))
                .orElse(null);
    }

    /** The Levenshtein distance of names in any case. */
    public static int edits(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                boolean same = Character.toLowerCase(from.charAt(i - 1)) == Character.toLowerCase(to.charAt(j - 1));
                int replaced = diagonal + (same ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
