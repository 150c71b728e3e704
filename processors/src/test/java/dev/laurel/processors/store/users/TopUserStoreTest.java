package dev.laurel.processors.store.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.Outcome.CountedEvent;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.UserValue;
import dev.laurel.core.statistics.UserValue.RankedUser;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.users.TopUserStore.Listed;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the lists of the top users of a partition with a sort of all users by all of their events, in random histories: negative
 * values, late events, erasures, users who travel, commits and restarts.
 */
class TopUserStoreTest {

    private static final int USERS = 60;
    private static final int STEPS = Boolean.getBoolean("laurel.full") ? 3_000 : 1_500;
    private static final int MAX = 24;
    private static final int KEPT = 12;
    private static final int LISTED = 4;
    private static final List<String> ZONES = List.of("UTC", "Pacific/Honolulu", "Pacific/Kiritimati", "Asia/Tokyo");

    private final CompiledRuleset rules = new CompiledRuleset(TestRulesets.first("""
        metrics: {laps: {}, dives: {}}
        points: {gems: {triggers: {lap: {type: metric, metric: laps, threshold: 1, points: 1},
                                   fine: {type: metric, metric: dives, threshold: 1, points: -2}}}}
        """));
    private final int laps = rules.referencedMetric("laps").number();
    private final int dives = rules.referencedMetric("dives").number();
    private final int gems = rules.referencedSystem("gems").number();

    private final TreeMap<String, User> users = new TreeMap<>();
    private final Random random = new Random(1);
    private Instant now = Instant.parse("2026-03-01T00:00:00Z");
    private long offset;
    private final KeyValueStore<Bytes, byte[]> stored = store();
    private TopUserStore lists = opened();

    private static KeyValueStore<Bytes, byte[]> store() {
        var store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore("state"), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(new MockProcessorContext<Object, Object>().getStateStoreContext(), store);
        return store;
    }

    private TopUserStore opened() {
        return new TopUserStore(
                stored,
                (_, id) -> users.containsKey(id.value()) ? users.get(id.value()).state : null,
                () -> now.toEpochMilli(),
                new TopList.Size(MAX, KEPT));
    }

    /** @param events in the order of arrival */
    private record User(UserState state, DayHistory history, List<CountedEvent> events) {}

    private static int dayOf(Instant at) {
        return LocalDays.dayOf(at.toEpochMilli(), ZoneOffset.UTC);
    }

    private void event(String id, String metric, String value, String zone, Instant at) {
        User before = users.get(id);
        DayHistory history = before == null ? new DayHistory() : before.history;
        String command = "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + value + ",\"user\":{\"id\":\""
                + id + "\",\"tz\":\"" + zone + "\"}}";
        var outcome = UserEngine.apply(
                before == null ? null : before.state,
                rules,
                command(command),
                new CommandContext(UserKey.of(id), at.toEpochMilli(), 0, offset++, Long.MIN_VALUE),
                history);
        var applied = (Outcome.Applied) outcome;
        for (HistoryWrite write : applied.writes()) {
            if (write instanceof HistoryWrite.PutDay(int number, int day, var bucket)) {
                history.put(number, day, bucket);
            }
        }
        List<CountedEvent> events = before == null ? new ArrayList<>() : before.events;
        events.add(applied.event());
        users.put(id, new User(applied.state(), history, events));
        lists.follow(TenantId.NONE, before == null ? null : before.state, applied.state());
    }

    private static UserCommand command(String json) {
        try {
            return (UserCommand) CommandJson.read(json.getBytes(UTF_8));
        } catch (Exception e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    private void erase(String id) {
        User user = users.remove(id);
        if (user != null) {
            lists.follow(TenantId.NONE, user.state, null);
        }
    }

    private Listed listed(Ranking ranking, int object) {
        lists.write();
        return TopUserStore.read(stored, TenantId.NONE, ranking, object, dayOf(now));
    }

    /** The best of the listed users; null: others may be among them. */
    private List<RankedUser> top(Ranking ranking, int object, int limit) {
        Listed listed = listed(ranking, object);
        List<RankedUser> best = best(
                ranking,
                object,
                users.values().stream().filter(user -> listed.users().contains(user.state.id())),
                limit);
        return listed.contains(best.size() < limit ? null : best.getLast()) ? best : null;
    }

    private int todayOf(User user) {
        return LocalDays.dayOf(now.toEpochMilli(), user.state.profile().tz());
    }

    private List<RankedUser> expected(Ranking ranking, int object, int limit) {
        return users.entrySet().stream()
                .flatMap(entry -> {
                    int today = todayOf(entry.getValue());
                    List<CountedEvent> counted = entry.getValue().events.stream()
                            .filter(event -> object == 0 || event.metric() == object)
                            .filter(event -> !ranking.isRecent() || event.day() <= today && event.day() > today - 30)
                            .toList();
                    boolean areEvents = ranking == Ranking.EVENTS || ranking == Ranking.RECENT_EVENTS;
                    BigDecimal sum = areEvents
                            ? BigDecimal.valueOf(counted.size())
                            : counted.stream().map(CountedEvent::value).reduce(BigDecimal.ZERO, BigDecimal::add);
                    return counted.isEmpty()
                            ? Stream.empty()
                            : Stream.of(new RankedUser(new UserId(entry.getKey()), sum.stripTrailingZeros()));
                })
                .sorted()
                .limit(limit)
                .toList();
    }

    private static List<String> text(List<RankedUser> users) {
        return users.stream()
                .map(user ->
                        user.user() + " " + user.value().stripTrailingZeros().toPlainString())
                .toList();
    }

    static Stream<Integer> seeds() {
        return IntStream.range(0, 12).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldEqualASortOfAllUsers(int seed) {
        random.setSeed(seed);
        int unknown = 0;
        int compared = 0;
        for (int step = 0; step < STEPS; step++) {
            now = now.plus(Duration.ofMinutes(random.nextInt(120)));
            if (random.nextInt(60) == 0) {
                erase("user-" + random.nextInt(USERS));
            } else {
                // The later users are the more active; half of the histories have as many negative values as others.
                int user = (int) (USERS * Math.sqrt(random.nextDouble()));
                Instant at = random.nextInt(8) == 0 ? now.minus(Duration.ofHours(random.nextInt(60 * 24))) : now;
                event(
                        "user-" + user,
                        random.nextBoolean() ? "laps" : "dives",
                        BigDecimal.valueOf(random.nextInt(seed % 2 == 0 ? -50 : -400, 400), 1)
                                .toPlainString(),
                        random.nextInt(20) == 0 ? ZONES.get(random.nextInt(4)) : ZONES.get(user % 4),
                        at);
            }
            if (random.nextInt(40) == 0) {
                lists.write();
                lists = opened();
            }
            if (step % 5 == 0) {
                for (Ranking ranking : List.of(Ranking.EVENTS, Ranking.RECENT_EVENTS)) {
                    unknown += isKnown(ranking, 0, seed + " " + step) ? 0 : 1;
                }
                for (Ranking ranking : List.of(Ranking.VALUE, Ranking.RECENT_VALUE)) {
                    unknown += isKnown(ranking, laps, seed + " " + step) ? 0 : 1;
                    unknown += isKnown(ranking, dives, seed + " " + step) ? 0 : 1;
                }
                expectMostPoints(seed + " " + step);
                compared += 6;
            }
        }
        int times = unknown;
        assertTrue(unknown < compared / 2, () -> times + " times unknown");
    }

    /** The lists follow from the log, not from when they are written, or from what is in memory. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldBeTheSameWhenWrittenAtOtherTimes(int seed) {
        var others = new TopUserStoreTest();
        for (var test : List.of(this, others)) {
            test.random.setSeed(seed);
            for (int step = 0; step < STEPS; step++) {
                test.now = test.now.plus(Duration.ofMinutes(test.random.nextInt(240)));
                String user = "user-" + test.random.nextInt(USERS);
                if (test.random.nextInt(60) == 0) {
                    test.erase(user);
                } else {
                    test.event(
                            user,
                            "laps",
                            Integer.toString(test.random.nextInt(-2, 9)),
                            "UTC",
                            test.now.minus(Duration.ofHours(test.random.nextInt(60 * 24))));
                }
                if (test == this || step % 100 == 99) {
                    test.lists.write();
                    test.lists = test == this && step % 7 == 0 ? test.opened() : test.lists;
                }
            }
            test.lists.write();
        }
        assertEquals(contents(stored), contents(others.stored));
    }

    private static Map<String, String> contents(KeyValueStore<Bytes, byte[]> store) {
        var contents = new TreeMap<String, String>();
        try (var all = store.all()) {
            all.forEachRemaining(entry -> contents.put(
                    HexFormat.of().formatHex(entry.key.get()), HexFormat.of().formatHex(entry.value)));
        }
        return contents;
    }

    private boolean isKnown(Ranking ranking, int object, String about) {
        assertEquals(
                text(expected(ranking, object, LISTED)),
                text(best(ranking, object, users.values().stream(), LISTED)),
                about);
        List<RankedUser> told = top(ranking, object, LISTED);
        if (told == null) {
            return false;
        }
        assertEquals(text(expected(ranking, object, LISTED)), text(told), () -> about + " " + ranking + " " + object);
        return true;
    }

    /** The best of some users, each counted on its own. */
    private List<RankedUser> best(Ranking ranking, int object, Stream<User> some, int limit) {
        return some.flatMap(user -> {
                    BigDecimal value = UserValue.of(ranking, object, user.state, user.history, todayOf(user));
                    BigDecimal most = UserValue.atMost(ranking, object, user.state, todayOf(user));
                    assertTrue(
                            value == null || most == null || most.compareTo(value) >= 0,
                            "the most is less than the value");
                    return value == null ? Stream.empty() : Stream.of(new RankedUser(user.state.id(), value));
                })
                .sorted()
                .limit(limit)
                .toList();
    }

    private void expectMostPoints(String about) {
        List<RankedUser> told = top(Ranking.POINTS, gems, 1);
        if (told != null && !told.isEmpty()) {
            long most = users.values().stream()
                    .map(User::state)
                    .filter(state -> state.points().contains(gems))
                    .mapToLong(state -> state.points().get(gems).total())
                    .max()
                    .orElseThrow();
            assertEquals(most, told.getFirst().value().longValueExact(), about);
        }
    }

    @Test
    void shouldListUsersWithEqualValuesByTheirIds() {
        for (int i = 20; i > 0; i--) {
            event("user-" + (i + 10), "laps", "5", "UTC", now);
        }

        assertEquals(List.of("user-11 5", "user-12 5", "user-13 5"), text(top(Ranking.VALUE, laps, 3)));
        assertEquals(List.of("user-11 1", "user-12 1", "user-13 1"), text(top(Ranking.RECENT_EVENTS, 0, 3)));
    }

    @Test
    void shouldCountTodayAndThe29DaysBeforeInTheZoneOfTheUser() {
        now = Instant.parse("2026-03-31T11:00:00Z");
        // In Kiritimati it is 1 April already, in Honolulu still 31 March.
        event("ann", "laps", "1", "Pacific/Kiritimati", Instant.parse("2026-03-02T11:00:00Z"));
        event("bob", "laps", "2", "Pacific/Kiritimati", Instant.parse("2026-03-02T09:00:00Z"));
        event("cyd", "laps", "3", "Pacific/Honolulu", Instant.parse("2026-03-02T10:00:00Z"));
        event("dan", "laps", "4", "Pacific/Honolulu", Instant.parse("2026-03-02T09:00:00Z"));

        assertEquals(List.of("cyd 3", "ann 1"), text(top(Ranking.RECENT_VALUE, laps, 10)));
    }

    @Test
    void shouldShowThatAUserRisesWithoutAnEventWhenALossIsOver() {
        event("ann", "laps", "-9", "UTC", Instant.parse("2026-03-01T10:00:00Z"));
        event("ann", "laps", "5", "UTC", Instant.parse("2026-03-20T10:00:00Z"));
        now = Instant.parse("2026-03-30T10:00:00Z");

        assertEquals(List.of("ann -4"), text(top(Ranking.RECENT_VALUE, laps, 10)));
        now = Instant.parse("2026-03-31T10:00:00Z");
        assertEquals(List.of("ann 5"), text(top(Ranking.RECENT_VALUE, laps, 10)));
    }

    @Test
    void shouldFollowEventsThatAreDatedDaysAhead() {
        for (int i = 0; i < 50; i++) {
            event("user-" + i, "laps", "10", "UTC", now);
        }
        event("ann", "laps", "20", "UTC", now);
        event("ann", "laps", "1", "UTC", now.plus(Duration.ofDays(40)));

        assertEquals("ann 20", text(top(Ranking.RECENT_VALUE, laps, 4)).getFirst());
        event("bob", "laps", "1", "UTC", now.plus(Duration.ofDays(40)));
        event("bob", "laps", "30", "UTC", now);
        assertEquals("bob 30", text(top(Ranking.RECENT_VALUE, laps, 4)).getFirst());
    }

    @Test
    void shouldWriteNothingForEventsOfUsersWhoStayOnTheirSideOfTheFloor() {
        for (int i = 0; i < 100; i++) {
            for (int times = 0; times <= 10 * i; times++) {
                event("user-" + i, "laps", "1", "UTC", now);
            }
        }
        lists.write();
        Map<String, String> before = contents(stored);
        for (int i = 0; i < 100; i++) {
            if (i != 83) { // The floor of all lists, which this user would pass.
                event("user-" + i, "laps", "1", "UTC", now);
            }
        }
        lists.write();

        assertEquals(before, contents(stored));
        assertEquals(
                0, users.values().stream().mapToInt(user -> user.history.reads).sum());
        assertEquals("user-99 992", text(top(Ranking.RECENT_EVENTS, 0, 4)).getFirst());
    }
}
