package dev.laurel.deploy.tools.replay;

import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.platform.command.Progress;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.counters.CounterSums;
import dev.laurel.query.analytics.ReportComparison;
import dev.laurel.query.analytics.ReportComparison.Side;
import dev.laurel.schemas.key.TenantId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;

/**
 * Compares the counts of analytics of the two states. The counters of all partitions are added up on disk, so memory
 * depends neither on their number nor on that of tenants. If there are records between the two states, the counts are
 * compared again in the next round. Used by one thread.
 *
 * @param tenants tenants to compare, by the time of the comparison
 * @param at moment at which both states are shown
 * @param folder folder for the sums; must not exist
 * @param rocksDb settings for the memory that all stores share
 */
record CounterComparisonPass(
        Source live,
        Source replayed,
        Supplier<Collection<TenantId>> tenants,
        Instant at,
        Path folder,
        Map<String, Object> rocksDb,
        Progress progress,
        BooleanSupplier isStopped) {

    /** Number of entries that are added together. */
    private static final int BATCH = 1_000;

    /**
     * A state whose counters are compared.
     *
     * @param partitions number of partitions of its own log
     */
    record Source(ComparedState state, int partitions) {}

    /** Returns the counts, which must be compared again if they are not exact. */
    Counts compare(ComparisonRounds.Round round) {
        Path ofRound = folder.resolve("round-" + round.number());
        boolean isExact = IntStream.range(0, live.partitions).allMatch(round::isAtRest);
        // Both states have about as many.
        progress.begin(
                "compare counts",
                "entries",
                2
                        * IntStream.range(0, replayed.partitions)
                                .mapToLong(partition -> replayed.state.count(StoreNames.COUNTERS, partition))
                                .sum());
        try (var before = new CounterSums(ofRound.resolve("live"), rocksDb);
                var after = new CounterSums(ofRound.resolve("replayed"), rocksDb)) {
            long seen = add(live, before, 0);
            add(replayed, after, seen);
            return compare(before, after, isExact);
        } finally {
            progress.end();
        }
    }

    /** Returns the number of entries that were seen. @param seenBefore of these, those before this state */
    private long add(Source source, CounterSums sums, long seenBefore) {
        long added = 0;
        for (int partition = 0; partition < source.partitions && !isStopped.getAsBoolean(); partition++) {
            try (KeyValueIterator<Bytes, byte[]> entries =
                    source.state.store(StoreNames.COUNTERS, partition).all()) {
                while (entries.hasNext()) {
                    KeyValue<Bytes, byte[]> entry = entries.next();
                    sums.add(partition, entry.key.get(), entry.value);
                    progress.stepTo(seenBefore + ++added);
                    if (added % BATCH == 0) {
                        sums.write(null);
                    }
                }
            }
        }
        sums.write(null);
        return seenBefore + added;
    }

    private Counts compare(CounterSums before, CounterSums after, boolean isExact) {
        var kept = new ArrayList<ReportComparison>();
        long series = 0;
        long different = 0;
        try (AccountCounters was = requireNonNull(before.read(), "open");
                AccountCounters is = requireNonNull(after.read(), "open")) {
            for (TenantId tenant : tenants.get()) {
                if (isStopped.getAsBoolean()) {
                    break;
                }
                ReportComparison found = ReportComparison.of(
                        tenant,
                        new Side(live.state.rulesets().newest(tenant), was),
                        new Side(replayed.state.rulesets().newest(tenant), is),
                        at);
                if (found == null) {
                    continue;
                }
                if (series < ReplayReport.MAX_SERIES) {
                    kept.add(found.first((int) (ReplayReport.MAX_SERIES - series)));
                }
                series += found.series().size();
                different +=
                        found.series().stream().filter(one -> !one.isEqual()).count();
            }
        }
        return new Counts(kept, series, different, isExact);
    }
}
