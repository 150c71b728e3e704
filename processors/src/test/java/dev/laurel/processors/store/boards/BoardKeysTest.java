package dev.laurel.processors.store.boards;

import dev.laurel.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BoardKeysTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final UserId ANN = new UserId("ann");

    private static BoardGroup group(int run, String... values) {
        return new BoardGroup(ACME, 7, run, List.of(values));
    }

    private static boolean startsWith(Bytes key, byte[] prefix) {
        byte[] bytes = key.get();
        return bytes.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(bytes, prefix.length));
    }

    @Test
    void shouldWriteTheDocumentedLayout() {
        assertEquals("65" + "0004" + "61636d65" + "80000007" + "80004e20" + "0001" + "00000002" + "4672" + "616e6e",
                HexFormat.of().formatHex(BoardKeys.participant(group(20_000, "Fr"), ANN).get()));
        assertEquals("75" + "0004" + "61636d65" + "0003" + "616e6e" + "80000007" + "80000000" + "0000",
                HexFormat.of().formatHex(BoardKeys.place(group(0), ANN).get()));
        assertEquals("64" + "0004" + "61636d65" + "80000007" + "80000000" + "0000" + "0003" + "616e6e" + "7fffffff",
                HexFormat.of().formatHex(BoardKeys.day(group(0), ANN, -1).get()));
        assertEquals("63" + "0004" + "61636d65" + "80000007" + "80004e20" + "80000271",
                HexFormat.of().formatHex(BoardKeys.rankChanges(ACME, 7, 20_000, 625).get()));
        assertEquals("6800000003", HexFormat.of().formatHex(BoardKeys.logPosition(3).get()));
        assertEquals("76000461636d65", HexFormat.of().formatHex(BoardKeys.rules(ACME).get()));
        assertEquals("62000461636d6580000007", HexFormat.of().formatHex(BoardKeys.announcedRun(ACME, 7).get()));
    }

    @Test
    void shouldReadGroupsBackFromKeys() {
        for (BoardGroup group : List.of(group(-5), group(20_000, "Turku", "ä/%"), group(1, ""))) {
            assertEquals(group, BoardKeys.groupOf(Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, group))));
            assertEquals(group, BoardKeys.groupOfPlace(BoardKeys.place(group, ANN)));
        }
        assertEquals(ACME, BoardKeys.tenantOf(BoardKeys.rules(ACME)));
    }

    @Test
    void shouldNotMakeAGroupThePrefixOfAnother() {
        var ab = BoardKeys.participant(group(1, "ab", "c"), ANN);
        assertFalse(startsWith(ab, BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group(1, "a", "bc"))));
        assertFalse(startsWith(ab, BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group(1, "ab"))));
        assertTrue(startsWith(ab, BoardKeys.ofGroup(BoardKeys.PARTICIPANT, group(1, "ab", "c"))));
        assertFalse(startsWith(BoardKeys.place(group(1), new UserId("anna")), BoardKeys.placesOf(ACME, ANN)));
        assertTrue(startsWith(BoardKeys.place(group(1), ANN), BoardKeys.placesOf(ACME, ANN)));
    }

    @Test
    void shouldOrderDaysAsNumbers() {
        assertTrue(BoardKeys.day(group(1), ANN, -1).compareTo(BoardKeys.day(group(1), ANN, 0)) < 0);
        assertTrue(BoardKeys.day(group(1), ANN, 9).compareTo(BoardKeys.day(group(1), ANN, 10)) < 0);
        assertEquals(-1, StoreKeys.dayOf(BoardKeys.day(group(1), ANN, -1)));
    }

    @Test
    void shouldCompareTheGroupsOfKeysOfTwoKinds() {
        Bytes open = Bytes.wrap(BoardKeys.ofGroup(BoardKeys.OPEN, group(1, "b")));
        assertEquals(0, BoardKeys.compareGroups(open, Bytes.wrap(BoardKeys.ofGroup(BoardKeys.FINAL, group(1, "b")))));
        assertTrue(BoardKeys.compareGroups(open,
                Bytes.wrap(BoardKeys.ofGroup(BoardKeys.FINAL, group(1, "c")))) < 0);
        assertTrue(BoardKeys.compareGroups(open,
                Bytes.wrap(BoardKeys.ofGroup(BoardKeys.FINAL, group(0, "c")))) > 0);
    }

    @Test
    void shouldRefuseAValueOfAnotherVersion() {
        byte[] bytes = BoardCodecs.VERSIONS.encode(new long[]{1, 0, 7});
        assertArrayEquals(new long[]{1, 0, 7}, BoardCodecs.VERSIONS.decode(bytes));
        bytes[0]++;
        assertThrows(StoredFormatException.class,
                () -> BoardCodecs.VERSIONS.decode(bytes));
    }
}
