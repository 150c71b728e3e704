package dev.laurel.processors.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class StoreKeysTest {

    private static final byte[] ANN = "ann".getBytes(UTF_8);
    private static final int[] NUMBERS = {
        Integer.MIN_VALUE, -20_000, -256, -1, 0, 1, 127, 128, 255, 256, 20_000, Integer.MAX_VALUE
    };

    @Test
    void shouldOrderDaysAndNumbersAsNumbers() {
        assertAscending(day -> StoreKeys.streakBlock(ANN, StreakFrequency.DAILY, day));
        assertAscending(day -> StoreKeys.day(ANN, 3, day));
        assertAscending(metric -> StoreKeys.day(ANN, metric, 3));
        assertAscending(page -> StoreKeys.ledgerPage(ANN, 3, page));
    }

    private static void assertAscending(IntFunction<Bytes> keyOf) {
        for (int i = 1; i < NUMBERS.length; i++) {
            assertTrue(
                    keyOf.apply(NUMBERS[i - 1]).compareTo(keyOf.apply(NUMBERS[i])) < 0,
                    NUMBERS[i - 1] + " before " + NUMBERS[i]);
        }
    }

    @Test
    void shouldReadBackTheNumberAtTheEnd() {
        for (int number : NUMBERS) {
            assertEquals(number, StoreKeys.dayOf(StoreKeys.streakBlock(ANN, StreakFrequency.DAILY, number)));
        }
    }

    @Test
    void shouldKeepTheEntriesOfOneUserTogether() {
        var users = List.of("a", "an", "ann", "anna", "ann\u0000", "ann\u0080", "b");
        var keys = new ArrayList<Bytes>();
        for (String user : users) {
            for (int day : NUMBERS) {
                keys.add(StoreKeys.streakBlock(user.getBytes(UTF_8), StreakFrequency.DAILY, day));
            }
        }
        keys.sort(null);
        var found = new ArrayList<String>();
        for (Bytes key : keys) {
            int length = key.get()[1];
            String user = new String(key.get(), 2, length, UTF_8);
            if (found.isEmpty() || !found.getLast().equals(user)) {
                found.add(user);
            }
        }

        assertEquals(users.size(), found.size(), "each user appears once: " + found);
    }

    @Test
    void shouldNotMakeAUsersKeyThePrefixOfAnother() {
        var users = List.of("a", "aa", "a\u0000", "\u0000", "\u0000\u0001", "ann", "x".repeat(300));
        for (String one : users) {
            for (String other : users) {
                byte[] prefix = prefixOf(one);
                byte[] key = StoreKeys.day(other.getBytes(UTF_8), 0, 0).get();
                boolean isPrefix =
                        key.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(key, prefix.length));
                assertEquals(one.equals(other), isPrefix, one + " and " + other);
            }
        }
    }

    @Test
    void shouldKeepAllEntriesOfAUserBetweenFirstAndAfterAll() {
        for (String user : List.of("a", "ann", "\u00ff", "\u0000", "x".repeat(255), "x".repeat(256))) {
            byte[] name = user.getBytes(UTF_8);
            for (int number : NUMBERS) {
                Bytes key = StoreKeys.day(name, number, number);
                assertTrue(StoreKeys.firstOf(name).compareTo(key) < 0, user);
                assertTrue(StoreKeys.afterAllOf(name).compareTo(key) > 0, user);
            }
        }
    }

    private static byte[] prefixOf(String user) {
        return StoreKeys.firstOf(user.getBytes(UTF_8)).get();
    }

    @Test
    void shouldOrderTimersByDueTimeBeforeUsers() {
        long[] dues = {Long.MIN_VALUE + 1, -1, 1, 255, 256, 1_700_000_000_000L};
        for (int i = 1; i < dues.length; i++) {
            assertTrue(StoreKeys.timer(dues[i - 1], "zzz".getBytes(UTF_8))
                            .compareTo(StoreKeys.timer(dues[i], "a".getBytes(UTF_8)))
                    < 0);
        }
    }

    @Test
    void shouldEndAScanAfterTheLastDueTimer() {
        Bytes timer = StoreKeys.timer(1000, ANN);

        assertTrue(timer.compareTo(StoreKeys.timersAfter(1000)) < 0);
        assertTrue(timer.compareTo(StoreKeys.timersAfter(999)) > 0);
        assertEquals(1000, StoreKeys.dueMsOf(timer));
        assertArrayEquals(ANN, StoreKeys.userOf(timer));
    }

    @Test
    void shouldDistinguishIdempotencyKeys() {
        assertNotEquals(StoreKeys.idempotencyKey(ANN, 1, "k"), StoreKeys.idempotencyKey(ANN, 2, "k"));
        assertNotEquals(StoreKeys.idempotencyKey(ANN, 1, "k"), StoreKeys.idempotencyKey(ANN, 1, "K"));
        assertNotEquals(StoreKeys.idempotencyKey("an".getBytes(UTF_8), 1, "k"), StoreKeys.idempotencyKey(ANN, 1, "k"));
    }

    @Test
    void shouldKeepRulesetVersionsApartFromEverythingElseOfThePartition() {
        var others = List.of(
                StoreKeys.boardClock(),
                StoreKeys.boostAnnouncement(new TenantId("r"), Integer.MAX_VALUE),
                StoreKeys.hold("r"),
                StoreKeys.unsentScores(Integer.MAX_VALUE));
        for (Bytes other : others) {
            assertFalse(other.compareTo(StoreKeys.rulesetVersion(TenantId.NONE)) >= 0
                    && other.compareTo(afterAllWith(StoreKeys.rulesetVersion(TenantId.NONE))) <= 0);
        }
        for (TenantId tenant : List.of(TenantId.NONE, new TenantId("acme"), new TenantId("\uffff"))) {
            Bytes key = StoreKeys.rulesetVersion(tenant);
            assertTrue(key.compareTo(StoreKeys.rulesetVersion(TenantId.NONE)) >= 0
                    && key.compareTo(afterAllWith(StoreKeys.rulesetVersion(TenantId.NONE))) < 0);
            assertEquals(tenant, StoreKeys.tenantOf(key));
        }
    }

    @Test
    void shouldKeepHoldsApartFromEverythingElseOfThePartition() {
        var others = List.of(
                StoreKeys.rulesetVersion(TenantId.NONE),
                StoreKeys.boostAnnouncement(new TenantId("hold"), Integer.MAX_VALUE),
                StoreKeys.unsentScores(Integer.MAX_VALUE));
        for (Bytes other : others) {
            assertFalse(
                    other.compareTo(StoreKeys.hold("")) >= 0 && other.compareTo(afterAllWith(StoreKeys.hold(""))) <= 0);
        }
        Bytes hold = StoreKeys.hold("\uffff");
        assertTrue(hold.compareTo(StoreKeys.hold("")) >= 0 && hold.compareTo(afterAllWith(StoreKeys.hold(""))) < 0);
    }

    @Test
    void shouldKeepShortAndLongSweepsApart() {
        for (TenantId tenant : List.of(TenantId.NONE, new TenantId("acme"), new TenantId("\uffff"))) {
            for (boolean isLong : List.of(false, true)) {
                Bytes key = StoreKeys.sweepOf(tenant, isLong);
                assertTrue(key.compareTo(StoreKeys.sweepOf(TenantId.NONE, isLong)) >= 0
                        && key.compareTo(afterAllWith(StoreKeys.sweepOf(TenantId.NONE, isLong))) < 0);
                assertFalse(key.compareTo(StoreKeys.sweepOf(TenantId.NONE, !isLong)) >= 0
                        && key.compareTo(afterAllWith(StoreKeys.sweepOf(TenantId.NONE, !isLong))) <= 0);
                assertEquals(tenant, StoreKeys.tenantOf(key));
            }
        }
    }

    @Test
    void shouldOrderTenantsByTime() {
        long[] times = {Long.MIN_VALUE + 1, -1, 0, 255, 256, 1_700_000_000_000L, Long.MAX_VALUE};
        Bytes last = Bytes.wrap(StoreKeys.timesOf(1));
        for (long time : times) {
            assertTrue(StoreKeys.beforeTime(1, time).compareTo(last) > 0);
            for (TenantId tenant : List.of(TenantId.NONE, new TenantId("acme"), new TenantId("\uffff"))) {
                Bytes key = StoreKeys.atTime(1, time, tenant);
                assertTrue(key.compareTo(last) > 0 && key.compareTo(StoreKeys.beforeTime(1, time)) > 0);
                assertEquals(time, StoreKeys.timeIn(key));
                assertEquals(tenant, StoreKeys.tenantAtTime(key));
                last = key;
            }
        }
        assertTrue(afterAllWith(Bytes.wrap(StoreKeys.timesOf(1))).compareTo(last) > 0);
        assertTrue(Bytes.wrap(StoreKeys.timesOf(2)).compareTo(afterAllWith(Bytes.wrap(StoreKeys.timesOf(1)))) >= 0);
    }

    private static Bytes afterAllWith(Bytes prefix) {
        return StoreKeys.afterAllWith(prefix.get().clone());
    }
}
