package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    @CsvSource({"laurel.scores-g2, 2", "laurel.board-floors-g31, 31", "laurel-ledger-g2, 2",
            "laurel-boards-g7-leaderboard-entries-changelog, 7", "laurel-replay-g1000000017, 1000000017",
            "laurel.replay-run-g1000000017, 1000000017",
            "laurel-ledger-g1000000017, 1000000017", "laurel-ledger-g2147483646, 2147483646",
            "laurel-ledger-g2147483648, 0",
            "laurel.scores, 0", "laurel-ledger, 0", "laurel-ledger-users-changelog, 0", "laurel.commands-g2, 0",
            "other.scores-g2, 0", "laurel.scores-g0, 0", "laurel-ledger-g99999999999, 0"})
    void shouldFindTheGenerationNumberInAName(String name, int number) {
        assertEquals(number, Generation.numberIn(name));
    }
}
