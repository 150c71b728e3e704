package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import dev.laurel.query.locate.Refused;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.LocalNode;
import dev.laurel.query.partition.UserQuery.MeasureStreaks;
import dev.laurel.query.partition.UserQuery.ShowUser;
import dev.laurel.query.partition.UserQuery.SumYears;
import dev.laurel.query.partition.UserResourceQuery.FindPauses;
import dev.laurel.query.partition.UserResourceQuery.ShowOwned;
import dev.laurel.query.read.UserReads.SummaryRange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads of users from copies, which may lack users that exist (docs/reads.md). */
class CopyReadsTest {

    private static final UserKey KNOWN = UserKey.of("ann");
    private static final UserKey MISSING = UserKey.of("bo");
    private static final String RULES = """
        {"metrics":{"laps":{}},"streak":{"frequency":"daily"},
         "points":{"gems":{"triggers":{"lap":{"type":"metric","metric":"laps","threshold":1,"points":1}}}},
         "notifications":{"channels":{"email":{"from":"team@pool.example","fromName":"Pool"}},"templates":{
           "mail":{"type":"streak_reminder","channel":"email","subject":"Swim!","body":"Now."}}}}\
        """;

    private final InMemoryUsers users = new InMemoryUsers();
    private final LogLayout layout = users.layout();
    private final UserPartitions copies = new UserPartitions(new UserPartitions.Source(
            () -> layout,
            _ -> false,
            (_, _) -> {
                throw new InvalidStateStoreException("only a copy is here");
            },
            users::store,
            _ -> 3L));
    private final LocalNode node =
            new LocalNode(new CurrentUsers(copies, users.rulesets(), users.clock()), null, () -> null, () -> null);

    /** A read of one user, named for the report. */
    record Read(String name, Function<CopyReadsTest, Function<UserKey, ?>> of) {

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Read> reads() {
        var range =
                new SummaryRange(StreakFrequency.DAILY, LocalDate.parse("2026-03-01"), LocalDate.parse("2026-03-02"));
        return Stream.of(
                new Read("user", test -> test.userReads()::user),
                new Read("today", test -> test.userReads()::today),
                new Read("preferences", test -> test.userReads()::preferences),
                new Read("metrics", test -> test.userReads()::metrics),
                new Read("metric", test -> user -> test.userReads().metric(user, "laps")),
                new Read("points", test -> user -> test.userReads().points(user, "gems", 10)),
                new Read("boosts", test -> user -> test.userReads().boosts(user, "gems")),
                new Read("events of a metric", test -> user -> test.userReads().metricSummary(user, "laps", range)),
                new Read("events of points", test -> user -> test.userReads().pointsSummary(user, "gems", range)),
                new Read("streak", test -> user -> test.userReads().streak(user, 7)),
                new Read("achievements", test -> user -> test.userReads().achievements(user, true)),
                new Read("current year", test -> test.userReads()::currentYear),
                new Read("wrapped", test -> user -> test.userReads().wrapped(user, 2026)),
                new Read("preview", test -> user -> test.previews().forUser(user, test.template(), 0)),
                new Read("ShowUser", test -> user -> test.node.ask(new ShowUser(user))),
                new Read(
                        "SumYears",
                        test -> user -> test.node.ask(
                                new SumYears(user.tenant(), 2026, DayOfWeek.MONDAY, List.of(user.user())))),
                new Read("MeasureStreaks", test -> user -> test.node.ask(new MeasureStreaks(List.of(user)))),
                new Read("FindPauses", test -> user -> test.node.ask(new FindPauses(List.of(user)))),
                new Read(
                        "ShowOwned",
                        test -> user -> test.node.ask(
                                new ShowOwned(Kind.PAUSE, List.of(new Entry(0, 0, new UUID(0, 1), user.bytes()))))));
    }

    @BeforeEach
    void start() throws Exception {
        users.rules("2026-01-01T00:00:00Z", RULES)
                .identify("ann", ",\"email\":\"ann@example.net\"", "2026-03-01T08:00:00Z")
                .event("ann", "laps", 2, "2026-03-01T09:00:00Z")
                .now("2026-03-01T12:00:00Z");
    }

    private UserReads userReads() {
        return new UserReads(node.users(), node, users.counts());
    }

    private MessagePreviews previews() {
        return new MessagePreviews(copies, users.rulesets(), users.clock());
    }

    private UUID template() {
        return users.newest(TenantId.NONE)
                .notifications()
                .templates()
                .getFirst()
                .id();
    }

    private <T> T stale(Staleness staleness, Function<UserKey, T> read, UserKey user) {
        return ScopedValue.where(Staleness.CURRENT, staleness).call(() -> read.apply(user));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void shouldNotDenyAUserThatTheCopyLacks(Read read) {
        var staleness = new Staleness(100);

        var refusal = assertThrows(
                NotReadyException.class, () -> stale(staleness, read.of().apply(this), MISSING));

        // Another node may have the user.
        assertEquals(new StorePartition(Stores.USERS, layout.partitionOf(MISSING.bytes())), refusal.partition());
    }

    @ParameterizedTest
    @MethodSource("reads")
    void shouldAnswerForAUserOfTheCopy(Read read) {
        var staleness = new Staleness(100);

        stale(staleness, read.of().apply(this), KNOWN);

        assertTrue(staleness.isStale());
        assertEquals(3, staleness.lag());
    }

    @Test
    void shouldRefuseAnUnknownMetricOfAUserOfTheCopy() {
        assertThrows(
                Refused.class,
                () -> stale(new Staleness(100), user -> userReads().metric(user, "none"), KNOWN));
        assertEquals(
                "laps",
                stale(new Staleness(100), user -> userReads().metric(user, "laps"), KNOWN)
                        .key());
    }
}
