package dev.laurel.processors.publish;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.SentMarker;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import dev.laurel.schemas.topic.RulesetHeader;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

/**
 * The versions by which commands of several tenants are judged, in random histories of several partitions (docs/rulesets.md, Versions):
 * gateways whose tables lag, edits whose partitions were determined before a partition got its first user, direct producers, markers that
 * tasks append late, twice or never, restarts and replays. {@code -Dlaurel.rulesets.seeds=…} runs as many seeds,
 * {@code -Dlaurel.rulesets.seed=…} one.
 */
class RulesetOrderSimulationTest {

    private static final int DEFAULT_SEEDS = 1;
    private static final int STEPS = 300;
    private static final int PARTITIONS = 3;
    private static final int USERS = 12;
    private static final int GATEWAYS = 3;
    private static final long NEVER_PUBLISHED = 1_000_000;
    private static final LogLayout LAYOUT = new LogLayout(PARTITIONS);
    private static final List<TenantId> TENANTS =
            List.of(TenantId.NONE, new TenantId("acme"), new TenantId("globex"), new TenantId("initech"));

    @Test
    void shouldJudgeEachCommandByTheNewestVersionNamedBeforeIt() {
        Long given = Long.getLong("laurel.rulesets.seed");
        int seeds = given != null ? 1 : Integer.getInteger("laurel.rulesets.seeds", DEFAULT_SEEDS);
        var total = new Counts();
        for (int i = 0; i < seeds; i++) {
            long seed = given != null ? given : i + 1;
            try (var world = new World(seed, total)) {
                world.live();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("-Dlaurel.rulesets.seed=" + seed + ": " + e.getMessage(), e);
            }
        }
        // A simulation in which nothing of this happens shows nothing.
        assertTrue(
                total.lostRaces > 0 && total.byStamp > 0 && total.byTask > 0 && total.stale > 0 && total.rejected > 0,
                total::toString);
        System.out.printf("%,d histories of %,d steps: %s%n", seeds, STEPS, total);
    }

    /** How often something happened. */
    private static final class Counts {

        private int edits;
        private int markers;
        private int lostRaces;
        private int byStamp;
        private int byTask;
        private int stale;
        private int rejected;

        @Override
        public String toString() {
            return edits + " edits with " + markers + " markers, " + lostRaces + " lost races, versions in force by "
                    + byStamp + " stamps and " + byTask + " markers of tasks, " + stale + " stale stamps, " + rejected
                    + " rejections";
        }
    }

    /** A version between the choice of its partitions and its transaction. */
    private record Pending(Ruleset newest, BitSet marked) {}

    /** A marker of a task that is not in the log yet. */
    private record InFlight(int partition, SentMarker marker) {}

    private static final class World implements AutoCloseable {

        private final Random dice;
        private final Counts counts;
        private final Published published = new Published();
        private final List<LedgerDriver> ledgers = new ArrayList<>();

        /** The version that must be in force, by partition. */
        private final List<Map<TenantId, Long>> expected = new ArrayList<>();

        /** The newest versions that each gateway knows. */
        private final List<Map<TenantId, Long>> tables = new ArrayList<>();

        /** The partitions with users, as the counters of the writer's node say. */
        private final Map<TenantId, BitSet> counted = new HashMap<>();

        private final Map<TenantId, Pending> pending = new HashMap<>();
        private final Map<TenantId, Pending> newest = new HashMap<>();
        private final List<InFlight> inFlight = new ArrayList<>();
        private Instant now = Instant.parse("2026-03-04T10:00:00Z");
        private int events;

        World(long seed, Counts counts) {
            this.dice = new Random(seed);
            this.counts = counts;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                ledgers.add(new LedgerDriver(published));
                expected.add(new HashMap<>());
            }
            for (int gateway = 0; gateway < GATEWAYS; gateway++) {
                tables.add(new HashMap<>());
            }
        }

        void live() {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                // From now on, tenants' commands without a stamp need a version in force.
                send(partition, UserKey.of("first-" + partition), 0, true);
            }
            for (int step = 0; step < STEPS; step++) {
                now = now.plusMillis(1 + dice.nextInt(dice.nextInt(20) == 0 ? 40_000_000 : 2_000));
                step(dice.nextInt(100));
            }
            settle();
            replay();
        }

        private void step(int roll) {
            TenantId tenant = TENANTS.get(dice.nextInt(TENANTS.size()));
            if (roll < 50) {
                throughGateway(tenant, dice.nextInt(GATEWAYS));
            } else if (roll < 58) {
                directly(tenant);
            } else if (roll < 60) {
                forged(tenant);
            } else if (roll < 70) {
                choosePartitions(tenant);
            } else if (roll < 80) {
                commit(tenant);
            } else if (roll < 85) {
                int gateway = dice.nextInt(GATEWAYS);
                TENANTS.forEach(known -> tables.get(gateway).put(known, newestVersion(known)));
            } else if (roll < 87) {
                counted.put(tenant, withUsers(tenant));
            } else if (roll < 91) {
                passTime(dice.nextInt(PARTITIONS), Duration.ofSeconds(1 + dice.nextInt(3)));
            } else if (roll < 95) {
                deliver();
            } else if (roll < 96) {
                restart(dice.nextInt(PARTITIONS));
            } else {
                tick(ledgers.get(dice.nextInt(PARTITIONS)));
            }
        }

        private void tick(LedgerDriver ledger) {
            ledger.replies();
            ledger.tick(now.toString());
        }

        private long newestVersion(TenantId tenant) {
            return newest.containsKey(tenant) ? newest.get(tenant).newest().version() : 0;
        }

        private BitSet withUsers(TenantId tenant) {
            var found = new BitSet();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                found.set(partition, ledgers.get(partition).userCount(tenant) > 0);
            }
            return found;
        }

        private UserKey user(TenantId tenant) {
            return new UserKey(tenant, new UserId("user-" + Math.min(dice.nextInt(USERS), dice.nextInt(USERS))));
        }

        private void throughGateway(TenantId tenant, int gateway) {
            UserKey user = user(tenant);
            int partition = LAYOUT.partitionOf(user.bytes());
            long stamp = tables.get(gateway).getOrDefault(tenant, 0L);
            long before = expected(partition, tenant);
            counts.stale += stamp < before ? 1 : 0;
            counts.byStamp += stamp > before ? 1 : 0;
            expected.get(partition).merge(tenant, stamp, Math::max);
            send(partition, user, stamp, true);
            long judged = expected(partition, tenant);
            check(partition, user, judged);
            assertTrue(
                    stamp < newestVersion(tenant) || judged == newestVersion(tenant),
                    "an event through a gateway that knows the newest version is judged by it");
            Pending last = newest.get(tenant);
            assertTrue(
                    last == null
                            || !last.marked().get(partition)
                            || judged == last.newest().version(),
                    "an edit is in force for every gateway in partitions with known users");
        }

        private void directly(TenantId tenant) {
            UserKey user = user(tenant);
            int partition = LAYOUT.partitionOf(user.bytes());
            long judged = expected(partition, tenant);
            UserState before = state(partition, user);
            send(partition, user, RulesetHeader.NONE, false);
            if (judged > 0 || tenant.equals(TenantId.NONE)) {
                check(partition, user, judged);
            } else {
                assertEquals(1, ledgers.get(partition).rejections().size(), "it is not judged without rules");
                assertEquals(before, state(partition, user));
                counts.rejected++;
            }
        }

        private void forged(TenantId tenant) {
            UserKey user = user(tenant);
            int partition = LAYOUT.partitionOf(user.bytes());
            UserState before = state(partition, user);
            ledgers.get(partition).rejections();
            send(partition, user, NEVER_PUBLISHED, true);
            assertEquals(1, ledgers.get(partition).rejections().size());
            assertEquals(before, state(partition, user), "nothing of it is applied");
            assertEquals(expected(partition, tenant), ledgers.get(partition).rulesetVersion(tenant));
            // It is a stamp all the same.
            expected.get(partition).putIfAbsent(tenant, 0L);
        }

        /** Sends an event, or without rules, which know no metric, an identification. */
        private void send(int partition, UserKey user, long stamp, boolean asks) {
            var mention = UserChange.mention(user.user());
            var id = UUID.nameUUIDFromBytes(("event " + events++).getBytes(UTF_8));
            UserCommand command = expected(partition, user.tenant()) == 0
                    ? new IdentifyUser(mention, false)
                    : new RecordEvent(mention, "laps", BigDecimal.ONE, Map.of(), null, id);
            var headers = new RecordHeaders();
            if (stamp != RulesetHeader.NONE) {
                RulesetHeader.write(headers, stamp);
            }
            if (asks) {
                ReplyHeaders.write(headers, new ReplyTo(5, id));
            }
            ledgers.get(partition).rejections();
            ledgers.get(partition).pipe(new Logged(user.bytes(), CommandJson.write(command), headers, now));
        }

        private void check(int partition, UserKey user, long judged) {
            assertEquals(judged, ledgers.get(partition).rulesetVersion(user.tenant()), "the version in force");
            assertEquals(
                    judged,
                    Objects.requireNonNull(state(partition, user)).rulesVersion(),
                    "the version that has judged " + user);
        }

        private UserState state(int partition, UserKey user) {
            return ledgers.get(partition).reader().user(user.bytes());
        }

        private long expected(int partition, TenantId tenant) {
            return expected.get(partition).getOrDefault(tenant, 0L);
        }

        private void choosePartitions(TenantId tenant) {
            if (pending.containsKey(tenant)) {
                return;
            }
            Ruleset former = newest.containsKey(tenant) ? newest.get(tenant).newest() : Ruleset.empty(tenant);
            // The streak goes on and off, so that users who do nothing are concerned, too.
            Ruleset next = TestRulesets.next(
                    former,
                    "metrics: {laps: {}, m" + former.version() + ": {}}\nstreak: {enabled: "
                            + (former.version() % 2 == 0) + "}",
                    now);
            BitSet known = dice.nextInt(10) == 0 ? null : counted.getOrDefault(tenant, new BitSet());
            pending.put(tenant, new Pending(next, EditBatch.marked(former, next, known, PARTITIONS)));
        }

        private void commit(TenantId tenant) {
            Pending committed = pending.remove(tenant);
            if (committed == null) {
                return;
            }
            BitSet lost = withUsers(tenant);
            lost.andNot(committed.marked());
            counts.lostRaces += lost.cardinality();
            counts.edits++;
            counts.markers += committed.marked().cardinality();
            published.add(committed.newest());
            newest.put(tenant, committed);
            committed.marked().stream()
                    .forEach(partition -> mark(
                            partition,
                            tenant,
                            committed.newest().version(),
                            committed.newest().published()));
        }

        private void mark(int partition, TenantId tenant, long version, Instant at) {
            ledgers.get(partition).mark(new RulesetPublished(tenant, version), at.toString());
            expected.get(partition).merge(tenant, version, Math::max);
            assertEquals(
                    expected(partition, tenant), ledgers.get(partition).rulesetVersion(tenant), "versions only grow");
        }

        private void passTime(int partition, Duration time) {
            ledgers.get(partition).passTime(time);
            ledgers.get(partition).markersSent().forEach(sent -> inFlight.add(new InFlight(partition, sent)));
        }

        /** Puts a marker of a task into the log, or twice, or loses it. */
        private void deliver() {
            if (!inFlight.isEmpty()) {
                InFlight next = inFlight.remove(dice.nextInt(inFlight.size()));
                for (int times = dice.nextInt(3); times > 0; times--) {
                    append(next);
                }
            }
        }

        private void append(InFlight sent) {
            SentMarker marker = sent.marker();
            counts.byTask += marker.version() > expected(sent.partition(), marker.tenant()) ? 1 : 0;
            mark(sent.partition(), marker.tenant(), marker.version(), Instant.ofEpochMilli(marker.atMs()));
        }

        private void restart(int partition) {
            ledgers.set(partition, ledgers.get(partition).restarted());
        }

        /** After a while without commands, all partitions with users use the newest version. */
        private void settle() {
            TENANTS.forEach(this::commit);
            for (int round = 0; round < 20; round++) {
                for (int partition = 0; partition < PARTITIONS; partition++) {
                    passTime(partition, Duration.ofSeconds(5));
                }
                inFlight.forEach(this::append);
                inFlight.clear();
            }
            for (TenantId tenant : TENANTS) {
                withUsers(tenant).stream()
                        .forEach(partition -> assertEquals(
                                newestVersion(tenant),
                                ledgers.get(partition).rulesetVersion(tenant),
                                () -> "partition " + partition + " of " + tenant));
            }
        }

        private void replay() {
            for (LedgerDriver ledger : ledgers) {
                try (var again = new LedgerDriver(published)) {
                    ledger.log().forEach(again::pipe);
                    again.passTime(Duration.ofSeconds(1));
                    var stores = again.contents();
                    ledger.contents()
                            .forEach((store, entries) -> assertTrue(
                                    entries.equals(stores.get(store)), () -> "a replay leads to another " + store));
                }
            }
        }

        @Override
        public void close() {
            ledgers.forEach(LedgerDriver::close);
        }
    }

    @Test
    void shouldMarkAllPartitionsOnlyWhereThatIsNeeded() {
        var acme = new TenantId("acme");
        Ruleset first = TestRulesets.next(Ruleset.empty(acme), "metrics: {laps: {}}", Instant.EPOCH);
        Ruleset second = TestRulesets.next(first, "metrics: {laps: {}, dives: {}}", Instant.EPOCH);
        var home = new LogLayout(64).partitionOf(acme.bytes());
        var users = BitSet.valueOf(new long[] {0b1010});

        BitSet needed = EditBatch.marked(first, second, users, 64);

        users.set(home);
        assertEquals(users, needed);
        assertEquals(64, EditBatch.marked(first, second, null, 64).cardinality());
        // Direct producers may create a user of an instance without tenants anywhere.
        assertEquals(
                64,
                EditBatch.marked(
                                TestRulesets.first("metrics: {}"), TestRulesets.first("metrics: {laps: {}}"), users, 64)
                        .cardinality());
        // A leaderboard that is finished by hand waits for all partitions.
        assertEquals(
                64,
                EditBatch.marked(
                                first,
                                TestLeaderboard.on(
                                        second,
                                        3,
                                        Instant.EPOCH,
                                        TestLeaderboard.ofMetric(9, "laps").being(LeaderboardStatus.FINISHED)),
                                users,
                                64)
                        .cardinality());
    }

    /** Markers and messages to leaderboards, for a tenant with users in a few of many partitions. */
    @Test
    void shouldNotWriteMoreThanTwoRecordsForEachPartitionWithUsers() {
        // A driver is the partition 0 of its log. This tenant's own partition is 0 of one, and 1 of two.
        var tenant = IntStream.range(0, 100)
                .mapToObj(i -> new TenantId("tenant-" + i))
                .filter(t -> new LogLayout(2).partitionOf(t.bytes()) == 1)
                .findFirst()
                .orElseThrow();
        var published = new Published();
        int withUsers = 3;
        var ledgers = new ArrayList<LedgerDriver>();
        ledgers.add(new LedgerDriver(published));
        while (ledgers.size() < withUsers) {
            ledgers.add(new LedgerDriver(published, 2));
        }
        Ruleset rules = TestRulesets.next(Ruleset.empty(tenant), "metrics: {laps: {}}", Instant.EPOCH);
        rules = TestLeaderboard.on(
                rules, 1, Instant.EPOCH, TestLeaderboard.ofMetric(10, "laps"), TestLeaderboard.ofMetric(11, "laps"));
        edit(published, ledgers, published.add(rules));

        Ruleset metric = TestLeaderboard.next(
                rules,
                "metrics: {laps: {}, dives: {}}",
                Instant.EPOCH,
                TestLeaderboard.ofMetric(10, "laps"),
                TestLeaderboard.ofMetric(11, "laps"));
        assertEquals(withUsers, edit(published, ledgers, metric));

        Ruleset board = TestLeaderboard.on(
                metric,
                3,
                Instant.EPOCH,
                TestLeaderboard.ofMetric(10, "laps"),
                TestLeaderboard.ofMetric(11, "laps").to("2027-01-01"));
        assertEquals(2 * withUsers, edit(published, ledgers, board));
        ledgers.forEach(LedgerDriver::close);
    }

    /** @return the records of the edit, without the document */
    private static int edit(Published published, List<LedgerDriver> ledgers, Ruleset rules) {
        published.add(rules);
        int records = 0;
        for (LedgerDriver ledger : ledgers) {
            ledger.publish(rules, rules.published().plusMillis(1).toString());
            records += 1 + ledger.told().size();
        }
        return records;
    }
}
