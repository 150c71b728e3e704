package dev.laurel.processors.store.users;

import dev.laurel.core.user.Profile;
import dev.laurel.schemas.input.UnicodeText;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The texts by whose beginnings operators find a user (docs/admin-api.md B7): the email address, and the name from the beginning of
 * each of its words. All are {@link #fold folded}, as is what is searched for.
 *
 * <p>The folded form is part of stored keys. It depends on the Unicode data of the JDK only for characters that Unicode adds later,
 * since it never changes the decomposition of a character.
 */
public final class SearchTerms {

    /** The code points of a term; what follows them is not compared. */
    static final int MAX_LENGTH = 64;

    /** The words of a name with which terms begin: the first ones. */
    static final int MAX_WORDS = 8;

    private SearchTerms() {}

    /** The terms of a user, in the order of the index. */
    public static SortedSet<String> of(Profile profile) {
        var terms = new TreeSet<>(UnicodeText.ORDER);
        if (profile.email() != null) {
            add(terms, fold(profile.email()));
        }
        if (profile.name() != null) {
            String name = fold(profile.name());
            add(terms, name);
            int words = 0;
            boolean isInWord = false;
            for (int i = 0; i < name.length() && words < MAX_WORDS; i += Character.charCount(name.codePointAt(i))) {
                boolean wasInWord = isInWord;
                isInWord = isOfWord(name.codePointAt(i));
                if (isInWord && !wasInWord) {
                    add(terms, name.substring(i));
                    words++;
                }
            }
        }
        return terms;
    }

    private static void add(SortedSet<String> terms, String folded) {
        if (!folded.isEmpty()) {
            terms.add(cut(folded));
        }
    }

    /** Whether both profiles have the same terms, without finding them. */
    public static boolean areSame(Profile one, Profile other) {
        return one == other || Objects.equals(one.email(), other.email()) && Objects.equals(one.name(), other.name());
    }

    /** The first term of a user that begins with a search; null if none does. @param search see {@link #ofSearch} */
    public static @Nullable String first(Profile profile, String search) {
        for (String term : of(profile)) {
            if (term.startsWith(search)) {
                return term;
            }
        }
        return null;
    }

    /** The beginning of the terms that a text finds; empty if it finds none. */
    public static String ofSearch(String text) {
        return cut(fold(text));
    }

    private static String cut(String folded) {
        return folded.codePointCount(0, folded.length()) <= MAX_LENGTH
                ? folded
                : folded.substring(0, folded.offsetByCodePoints(0, MAX_LENGTH)).stripTrailing();
    }

    /**
     * Folds a text, character by character, so that what begins another text also does so when both are folded: decomposed
     * (NFKD), without marks and invisible characters, without case. Runs of white space become one space; there is none at the
     * ends.
     */
    public static String fold(String text) {
        var folded = new StringBuilder(text.length());
        int point;
        for (int i = 0; i < text.length(); i += Character.charCount(point)) {
            point = text.codePointAt(i);
            if (point < 0x80) {
                append(Character.toLowerCase(point), folded);
            } else {
                String bare = Normalizer.normalize(Character.toString(point), Normalizer.Form.NFKD);
                // Upper case has full mappings: ß becomes SS. Its own upper case does not, so lower case comes first.
                lowerCase(lowerCase(bare).toUpperCase(Locale.ROOT)).codePoints().forEach(one -> append(one, folded));
            }
        }
        int length = folded.length();
        return length > 0 && folded.charAt(length - 1) == ' ' ? folded.substring(0, length - 1) : folded.toString();
    }

    /** Lower case without regard to neighbours, on which that of a sigma depends in Java. */
    private static String lowerCase(String text) {
        return text.codePoints()
                .map(Character::toLowerCase)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static void append(int point, StringBuilder folded) {
        switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> {
                // left out
            }
            case Character.CONTROL,
                    Character.SPACE_SEPARATOR,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> {
                if (!folded.isEmpty() && folded.charAt(folded.length() - 1) != ' ') {
                    folded.append(' ');
                }
            }
            default -> folded.appendCodePoint(point);
        }
    }

    private static boolean isOfWord(int point) {
        return Character.isLetterOrDigit(point) || Character.getType(point) == Character.COMBINING_SPACING_MARK;
    }
}
