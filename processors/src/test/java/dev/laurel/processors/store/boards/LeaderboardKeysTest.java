package dev.laurel.processors.store.boards;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class LeaderboardKeysTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final UserId ANN = new UserId("ann");

    private static LeaderboardGroup group(int run, String... values) {
        return new LeaderboardGroup(ACME, 7, run, List.of(values));
    }

    private static boolean startsWith(Bytes key, byte[] prefix) {
        byte[] bytes = key.get();
        return bytes.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(bytes, prefix.length));
    }

    @Test
    void shouldWriteTheDocumentedLayout() {
        assertEquals(
                "65" + "0004" + "61636d65" + "80000007" + "80004e20" + "0001" + "00000002" + "4672" + "616e6e",
                HexFormat.of()
                        .formatHex(LeaderboardKeys.participant(group(20_000, "Fr"), ANN)
                                .get()));
        assertEquals(
                "75" + "0004" + "61636d65" + "0003" + "616e6e" + "80000007" + "80000000" + "0000",
                HexFormat.of().formatHex(LeaderboardKeys.place(group(0), ANN).get()));
        assertEquals(
                "64" + "0004" + "61636d65" + "80000007" + "80000000" + "0000" + "0003" + "616e6e" + "7fffffff",
                HexFormat.of().formatHex(LeaderboardKeys.day(group(0), ANN, -1).get()));
        assertEquals(
                "63" + "0004" + "61636d65" + "80000007" + "80004e20" + "80000271",
                HexFormat.of()
                        .formatHex(LeaderboardKeys.rankChanges(ACME, 7, 20_000, 625)
                                .get()));
        assertEquals(
                "6800000003",
                HexFormat.of().formatHex(LeaderboardKeys.logPosition(3).get()));
        assertEquals(
                "76000461636d65",
                HexFormat.of().formatHex(LeaderboardKeys.rules(ACME).get()));
        assertEquals(
                "62000461636d6580000007",
                HexFormat.of().formatHex(LeaderboardKeys.announcedRun(ACME, 7).get()));
    }

    @Test
    void shouldReadGroupsBackFromKeys() {
        for (LeaderboardGroup group : List.of(group(-5), group(20_000, "Turku", "ä/%"), group(1, ""))) {
            assertEquals(
                    group, LeaderboardKeys.groupOf(Bytes.wrap(LeaderboardKeys.ofGroup(LeaderboardKeys.OPEN, group))));
            assertEquals(group, LeaderboardKeys.groupOfPlace(LeaderboardKeys.place(group, ANN)));
        }
        assertEquals(ACME, new KeyReader(LeaderboardKeys.rules(ACME), 1).tenant());
    }

    @Test
    void shouldNotMakeAGroupThePrefixOfAnother() {
        var ab = LeaderboardKeys.participant(group(1, "ab", "c"), ANN);
        assertFalse(startsWith(ab, LeaderboardKeys.ofGroup(LeaderboardKeys.PARTICIPANT, group(1, "a", "bc"))));
        assertFalse(startsWith(ab, LeaderboardKeys.ofGroup(LeaderboardKeys.PARTICIPANT, group(1, "ab"))));
        assertTrue(startsWith(ab, LeaderboardKeys.ofGroup(LeaderboardKeys.PARTICIPANT, group(1, "ab", "c"))));
        assertFalse(
                startsWith(LeaderboardKeys.place(group(1), new UserId("anna")), LeaderboardKeys.placesOf(ACME, ANN)));
        assertTrue(startsWith(LeaderboardKeys.place(group(1), ANN), LeaderboardKeys.placesOf(ACME, ANN)));
    }

    @Test
    void shouldOrderDaysAsNumbers() {
        assertTrue(LeaderboardKeys.day(group(1), ANN, -1).compareTo(LeaderboardKeys.day(group(1), ANN, 0)) < 0);
        assertTrue(LeaderboardKeys.day(group(1), ANN, 9).compareTo(LeaderboardKeys.day(group(1), ANN, 10)) < 0);
        assertEquals(-1, StoreKeys.dayOf(LeaderboardKeys.day(group(1), ANN, -1)));
    }

    @Test
    void shouldCompareTheGroupsOfKeysOfTwoKinds() {
        Bytes open = Bytes.wrap(LeaderboardKeys.ofGroup(LeaderboardKeys.OPEN, group(1, "b")));
        assertEquals(
                0,
                LeaderboardKeys.compareGroups(
                        open, Bytes.wrap(LeaderboardKeys.ofGroup(LeaderboardKeys.FINAL, group(1, "b")))));
        assertTrue(LeaderboardKeys.compareGroups(
                        open, Bytes.wrap(LeaderboardKeys.ofGroup(LeaderboardKeys.FINAL, group(1, "c"))))
                < 0);
        assertTrue(LeaderboardKeys.compareGroups(
                        open, Bytes.wrap(LeaderboardKeys.ofGroup(LeaderboardKeys.FINAL, group(0, "c"))))
                > 0);
    }

    @Test
    void shouldRefuseAValueOfAnotherVersion() {
        byte[] bytes = LeaderboardCodecs.VERSIONS.encode(new long[] {1, 0, 7});
        assertArrayEquals(new long[] {1, 0, 7}, LeaderboardCodecs.VERSIONS.decode(bytes));
        bytes[0]++;
        assertThrows(StoredFormatException.class, () -> LeaderboardCodecs.VERSIONS.decode(bytes));
    }
}
