package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class GenerationTest {

    @Test
    void shouldRecognizeItsOwnChangelogs() {
        assertTrue(Generation.FIRST.hasChangelog("laurel-ledger-users-changelog"));
        assertTrue(Generation.FIRST.hasChangelog("laurel-boards-leaderboard-entries-changelog"));
        assertFalse(Generation.FIRST.hasChangelog("laurel-ledger-g2-users-changelog"));
        assertFalse(Generation.FIRST.hasChangelog("laurel-delivery-outgoing-changelog"));
        assertTrue(Generation.of(2).hasChangelog("laurel-ledger-g2-users-changelog"));
        assertFalse(Generation.of(2).hasChangelog("laurel-ledger-g21-users-changelog"));
        assertFalse(Generation.of(2).hasChangelog("laurel-ledger-users-changelog"));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "GenerationTest.shouldFindTheGenerationNumberInAName.csv")
    void shouldFindTheGenerationNumberInAName(String name, int number) {
        assertEquals(number, Generation.numberIn(name));
    }
}
