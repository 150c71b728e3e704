package dev.laurel.deploy.e2e;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Records when requests about the users of each partition have succeeded, and computes how long none did.
 * Thread-safe.
 */
final class Gaps {

    /** Time between two requests, which is no gap. */
    private static final long NOTHING_NS = 1_000_000_000;

    private final List<List<Success>> successes = new ArrayList<>();

    private record Success(long sentNs, long answeredNs) {}

    /** @param ns time without a successful request */
    record Gap(int partition, long fromNs, long ns) {

        double seconds() {
            return ns / 1e9;
        }
    }

    Gaps(int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            successes.add(new ArrayList<>());
        }
    }

    void succeeded(int partition, long sentNs, long answeredNs) {
        List<Success> those = successes.get(partition);
        synchronized (those) {
            those.add(new Success(sentNs, answeredNs));
        }
    }

    int count() {
        return successes.stream()
                .mapToInt(those -> {
                    synchronized (those) {
                        return those.size();
                    }
                })
                .sum();
    }

    /** Returns the longest time within this period in which no request of some partition succeeded. */
    Gap longest(long fromNs, long toNs) {
        return longestOfEach(fromNs, toNs).stream()
                .max(Comparator.comparingLong(Gap::ns))
                .orElseThrow();
    }

    /** Returns the longest time that one request took, of those under way within this period, with all its attempts. */
    Duration longestWait(long fromNs, long toNs) {
        return Duration.ofNanos(IntStream.range(0, successes.size())
                .boxed()
                .flatMap(each -> of(each).stream())
                .filter(success -> success.answeredNs() > fromNs && success.sentNs() < toNs)
                .mapToLong(success -> success.answeredNs() - success.sentNs())
                .max()
                .orElse(0));
    }

    private List<Gap> longestOfEach(long fromNs, long toNs) {
        var gaps = new ArrayList<Gap>();
        for (int partition = 0; partition < successes.size(); partition++) {
            List<Long> ends = of(partition).stream()
                    .map(Success::answeredNs)
                    .filter(ns -> ns > fromNs && ns < toNs)
                    .sorted()
                    .toList();
            long last = fromNs;
            var widest = new Gap(partition, fromNs, 0);
            for (int i = 0; i <= ends.size(); i++) {
                long next = i < ends.size() ? ends.get(i) : toNs;
                if (next - last > widest.ns()) {
                    widest = new Gap(partition, last, next - last);
                }
                last = next;
            }
            gaps.add(widest);
        }
        return gaps;
    }

    private List<Success> of(int partition) {
        synchronized (successes.get(partition)) {
            return List.copyOf(successes.get(partition));
        }
    }

    /** Returns the latency in milliseconds of requests outside of the longest gap of their partition. */
    double p99Ms(long fromNs, long toNs) {
        var tookNs = new ArrayList<Long>();
        for (Gap gap : longestOfEach(fromNs, toNs)) {
            long gapToNs = gap.ns() < NOTHING_NS ? gap.fromNs() : gap.fromNs() + gap.ns();
            of(gap.partition()).stream()
                    .filter(success -> success.sentNs() > fromNs && success.answeredNs() < toNs)
                    .filter(success -> success.answeredNs() <= gap.fromNs() || success.sentNs() > gapToNs)
                    .forEach(success -> tookNs.add(success.answeredNs() - success.sentNs()));
        }
        tookNs.sort(null);
        return tookNs.isEmpty() ? Double.NaN : tookNs.get((int) (tookNs.size() * 0.99)) / 1e6;
    }

    /** Formats the gap for people. */
    String describe(long fromNs, long toNs) {
        Gap gap = longest(fromNs, toNs);
        return String.format(
                Locale.ROOT,
                "gap %.1f s (partition %d, %.1f s after), longest wait %.1f s, p99 elsewhere %.0f ms, %d in all",
                gap.seconds(),
                gap.partition(),
                (gap.fromNs() - fromNs) / 1e9,
                longestWait(fromNs, toNs).toMillis() / 1e3,
                p99Ms(fromNs, toNs),
                count());
    }
}
