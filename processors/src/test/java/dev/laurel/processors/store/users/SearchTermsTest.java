package dev.laurel.processors.store.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.user.Profile;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The terms by which users are found (docs/admin-api.md B7). */
class SearchTermsTest {

    private static final int SEEDS = 20_000;
    private static final String ALPHABET =
            "aAbBzZ09 \t-'.@_äÄéßẞſİıΣσςŁøǅﬁ½한글हिन्दीйЙ\u0301\u0308\u200d\u00ad\u00a0\ud83e\udd8a\u0000";

    private static Profile profile(String name, String email) {
        return new Profile(email, name, null, List.of(), null, null, new TreeMap<>());
    }

    private static String joined(String name, String email) {
        return String.join("|", SearchTerms.of(profile(name, email)));
    }

    @ParameterizedTest
    @CsvSource({
        "Ida Laine,ida laine",
        "HÄKKINEN,hakkinen",
        "Straße,strasse",
        "STRAẞE,strasse",
        "İstanbul,istanbul",
        "ΟΔΟΣ,οδοσ",
        "Ｉｄａ,ida",
        "ﬁn,fin",
        "Łukasz,łukasz",
        "'  a \t b  ',a b",
        "한,\u1112\u1161\u11ab",
        "soft\u00adhyphen,softhyphen",
        "🦊,🦊",
        "e\u0301é,ee"
    })
    void shouldFold(String text, String folded) {
        assertEquals(folded, SearchTerms.fold(text));
    }

    @Test
    void shouldFoldEveryCharacterToOneThatFoldsToItself() {
        for (int point = 0; point <= Character.MAX_CODE_POINT; point++) {
            if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
                String folded = SearchTerms.fold(Character.toString(point));
                assertEquals(
                        folded,
                        SearchTerms.fold(folded),
                        () -> "of " + folded.codePoints().boxed().toList());
                assertFalse(folded.indexOf('\0') >= 0);
            }
        }
    }

    @Test
    void shouldFindTheBeginningsOfTheNameAtEachWordAndOfTheAddress() {
        assertEquals(
                "anna-liisa o'neill|ida@example.net|liisa o'neill|neill|o'neill",
                joined("Anna-Liisa O'Neill", "Ida@Example.net"));
        assertEquals("", joined(null, null));
        assertEquals("", joined(" \u0301 ", null));
        assertEquals("🦊", joined("🦊", null));
        assertEquals("(ida)|ida)", joined("(Ida)", null));
        assertEquals("हनद", joined("हिन्दी", null).replaceAll("\\p{M}", ""));
    }

    @Test
    void shouldKeepTheFirstEightWordsAndSixtyFourCharacters() {
        var terms = SearchTerms.of(profile("b1 b2 b3 b4 b5 b6 b7 b8 b9 " + "🦊".repeat(100), null));

        assertEquals(8, terms.size());
        assertEquals("b1 b2 b3 b4 b5 b6 b7 b8 b9 " + "🦊".repeat(37), terms.first());
        assertTrue(terms.last().startsWith("b8 b9 "), terms.last());
        assertTrue(terms.stream().allMatch(term -> term.codePointCount(0, term.length()) <= 64));
        assertEquals("x".repeat(64), SearchTerms.ofSearch("X".repeat(65)));
    }

    /** Of random names, each beginning of each word finds the user by a term of the user, and by the lowest one. */
    @Test
    void shouldFindUsersByEveryBeginning() {
        var random = new Random(20261127);
        for (int seed = 0; seed < SEEDS; seed++) {
            String name = text(random);
            Profile profile = profile(name, null);
            int length = name.codePointCount(0, Math.min(name.length(), 40));
            String search =
                    SearchTerms.ofSearch(name.substring(0, name.offsetByCodePoints(0, random.nextInt(length + 1))));
            String first = SearchTerms.first(profile, search);

            if (!SearchTerms.of(profile).isEmpty()) {
                assertEquals(
                        SearchTerms.of(profile).stream()
                                .filter(term -> term.startsWith(search))
                                .findFirst()
                                .orElseThrow(() -> new AssertionError(search + " does not find " + name)),
                        first);
            }
            String other = text(random);
            assertEquals(SearchTerms.areSame(profile, profile(other, null)), name.equals(other));
        }
        assertNull(SearchTerms.first(profile("Ida Laine", null), "la ine"));
    }

    private static String text(Random random) {
        int[] points = ALPHABET.codePoints().toArray();
        var text = new StringBuilder();
        for (int i = random.nextInt(60); i > 0; i--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }
}
