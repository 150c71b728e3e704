package dev.laurel.deploy.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.Segment;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.tools.replay.ComparisonRounds.Round;
import dev.laurel.deploy.tools.replay.CounterComparisonPass.Source;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.processors.generation.GenerationProgress.GroupProgress.RecordKeys;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.analytics.ReportComparison.Series;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CounterComparisonPassTest {

    private static final Instant AT = Instant.parse("2026-11-22T10:15:00Z");
    private static final int DAY = Math.toIntExact(LocalDate.of(2026, 11, 20).toEpochDay());
    private static final RecordKeys NOTHING = new RecordKeys(Set.of(), false, false);
    private static final RecordKeys SOMETHING = new RecordKeys(Set.of(), true, false);

    @TempDir
    private Path dir;

    private final Counted live = new Counted(2);
    private final Counted replayed = new Counted(3);
    private final Collection<TenantId> tenants = new ArrayList<>(List.of(TenantId.NONE));

    /** A state with counters only, in stores of partitions. */
    private static final class Counted implements ComparedState, Rulesets {

        private final List<KeyValueStore<Bytes, byte[]>> stores;
        private final RulesetVersions rulesets = new RulesetVersions(this, Duration.ZERO);

        Counted(int partitions) {
            this.stores = IntStream.range(0, partitions)
                    .mapToObj(_ -> Stores.inMemoryKeyValueStore("counters").get())
                    .toList();
        }

        void count(int partition, TenantId tenant, int newUsers) {
            var counters = new CounterStore(stores.get(partition));
            counters.ofKept(tenant, List.of(Segment.OUTSIDE)).add(Counter.NEW_USERS, 0, DAY, newUsers);
            counters.write();
        }

        Source source() {
            return new Source(this, stores.size());
        }

        @Override
        public ReadOnlyKeyValueStore<Bytes, byte[]> store(String name, int partition) {
            return stores.get(partition);
        }

        @Override
        public Ranking ranking(LeaderboardRules rules, LeaderboardGroup group) {
            throw new UnsupportedOperationException();
        }

        @Override
        public RulesetVersions rulesets() {
            return rulesets;
        }

        @Override
        public Ruleset newest(TenantId tenant) {
            try {
                var source = Json.readForeign("{\"metrics\":{\"laps\":{}}}".getBytes(UTF_8), RulesetSource.class);
                return assertInstanceOf(
                                RulesetEditor.Result.Changed.class,
                                RulesetEditor.apply(Ruleset.empty(tenant), source, AT))
                        .ruleset();
            } catch (BadInputException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return newest(tenant);
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return newest(tenant);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    }

    private CounterComparisonPass pass() {
        return new CounterComparisonPass(
                live.source(),
                replayed.source(),
                () -> tenants,
                AT,
                dir.resolve("counters"),
                Map.of(),
                new ProgressReporter(new PrintWriter(Writer.nullWriter())),
                () -> false);
    }

    private static Round round(int number, RecordKeys between) {
        return new Round(number, false, List.of(NOTHING, between), List.of(), true, true);
    }

    private static String newUsers(Counts counts) {
        Series series = counts.tenants().getFirst().series().stream()
                .filter(one -> one.column().equals("newUsers"))
                .findFirst()
                .orElseThrow();
        return series.before().total() + " -> " + series.after().total();
    }

    @Test
    void shouldAddUpThePartitionsOfEachState() {
        live.count(0, TenantId.NONE, 12);
        live.count(1, TenantId.NONE, 3);
        replayed.count(0, TenantId.NONE, 5);
        replayed.count(1, TenantId.NONE, 5);
        replayed.count(2, TenantId.NONE, 6);

        Counts counts = pass().compare(round(1, NOTHING));

        assertEquals("15 -> 16", newUsers(counts));
        assertEquals(1, counts.different());
        assertTrue(counts.isExact());
    }

    @Test
    void shouldCompareAgainUntilBothStatesAreAtTheSamePlace() {
        live.count(0, TenantId.NONE, 1);
        replayed.count(0, TenantId.NONE, 2);
        var pass = pass();

        assertFalse(pass.compare(round(1, SOMETHING)).isExact());
        live.count(1, TenantId.NONE, 1);
        Counts counts = pass.compare(round(2, NOTHING));

        assertTrue(counts.isExact());
        assertEquals(0, counts.different());
        assertEquals("2 -> 2", newUsers(counts));
    }

    @Test
    void shouldKeepABoundedNumberOfSeries() {
        tenants.clear();
        for (int i = 0; i < 2_000; i++) {
            var tenant = new TenantId("tenant-" + i);
            tenants.add(tenant);
            live.count(0, tenant, 1);
        }

        Counts counts = pass().compare(round(1, NOTHING));

        int ofOne = counts.tenants().getFirst().series().size();
        assertEquals(2_000L * ofOne, counts.series());
        assertEquals(2_000, counts.different());
        assertEquals(10_000, counts.series() - counts.leftOut());
        assertEquals(Math.ceilDiv(10_000, ofOne), counts.tenants().size());
    }

    @Test
    void shouldHaveNothingToSayAboutATenantWithoutCounts() {
        assertEquals(Counts.NONE, pass().compare(round(1, NOTHING)));
    }
}
