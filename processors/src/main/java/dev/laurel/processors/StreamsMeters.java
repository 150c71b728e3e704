package dev.laurel.processors;

import dev.laurel.processors.store.StateSizes;
import dev.laurel.processors.store.StoreOfPartition;
import dev.laurel.processors.stream.Restores;
import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import dev.laurel.schemas.metrics.MeterScope.Line;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What a Streams application tells of itself: how far it is behind, what it restores, how large its stores are. Of the thousands
 * of meters that Kafka has, those that an operator acts upon. Read on the thread that scrapes.
 */
final class StreamsMeters {

    private static final MeterName RUNNING = MeterName.of("laurel.streams.running",
            "1 while the application processes; 0 while it starts, restores, is given other partitions, or has stopped.");
    private static final MeterName THREADS = MeterName.of("laurel.streams.threads",
            "Threads of the application that are alive.");
    private static final MeterName LAG = MeterName.of("laurel.streams.lag",
            "Records that a partition of what the application reads holds and that it has not read yet.");
    private static final MeterName PROCESSED = MeterName.of("laurel.streams.processed",
            "Records that the application has processed since it was started.");
    private static final MeterName RESTORE_REMAINING = MeterName.of("laurel.streams.restore.remaining",
            "Records that a store of a partition still lacks; 0 unless it is being restored.");
    private static final MeterName RESTORE_AGE = MeterName.ofSeconds("laurel.streams.restore.age",
            "Since the oldest restoration that is under way began; 0 if none is.");
    private static final MeterName RESTORED = MeterName.of("laurel.streams.restored",
            "Records that stores were restored from since the start of the process.");
    private static final MeterName STATE_SIZE = MeterName.ofBytes("laurel.state.size",
            "What a store takes on disk, all partitions together.");
    private static final MeterName DISK_FREE = MeterName.ofBytes("laurel.state.disk.free",
            "What is free of the file system that the stores are on.");
    private static final MeterName DISK_SIZE = MeterName.ofBytes("laurel.state.disk.size",
            "The size of the file system that the stores are on.");

    private static final String RESTORE_CONSUMER = "-restore-consumer";

    /** Of all topics of ours. Kafka has each lag twice, the second time with underscores for dots in the topic's name. */
    private static final String OURS = "laurel.";

    private final KafkaStreams streams;
    private final Tags tags;
    private final Restores restores;
    private final StateSizes sizes;

    /** Read with the lags: one walk through Kafka's meters is enough. */
    private volatile long processed;

    /** The stores that are here, as last seen. */
    private volatile Map<StoreOfPartition, Long> bytes = Map.of();

    private StreamsMeters(KafkaStreams streams, Tags tags, Restores restores, StateSizes sizes) {
        this.streams = streams;
        this.tags = tags;
        this.restores = restores;
        this.sizes = sizes;
    }

    /** Of an application of a generation: a process may run several of them beside each other. */
    static Tags tags(String application, Generation generation) {
        return tags(application, Integer.toString(generation.number()));
    }

    /** Of an application that all generations have in common. */
    static Tags tags(String application) {
        return tags(application, "");
    }

    private static Tags tags(String application, String generation) {
        return Tags.of("application", application, "generation", generation);
    }

    static void register(MeterScope meters, Tags tags, KafkaStreams streams, Restores restores, StateSizes sizes) {
        var of = new StreamsMeters(streams, tags, restores, sizes);
        meters.gauge(RUNNING, tags, () -> streams.state() == KafkaStreams.State.RUNNING ? 1 : 0);
        meters.gauge(THREADS, tags, () -> streams.metadataForLocalThreads().size());
        meters.gauges(LAG, of::lags);
        meters.counter(PROCESSED, tags, () -> of.processed);
        meters.gauge(RESTORE_AGE, tags, restores::oldestS);
        meters.counter(RESTORED, tags, restores::restored);
        meters.gauges(STATE_SIZE, of::sizes);
        meters.gauges(RESTORE_REMAINING, of::remaining);
        meters.gauge(DISK_FREE, tags, sizes::freeBytes);
        meters.gauge(DISK_SIZE, tags, sizes::diskBytes);
    }

    private List<Line> sizes() {
        bytes = sizes.look();
        var byStore = new TreeMap<String, Long>();
        bytes.forEach((place, size) -> byStore.merge(place.store(), size, Long::sum));
        return byStore.entrySet().stream().map(store -> new Line(tags.and("store", store.getKey()), store.getValue()))
                .toList();
    }

    /** A line for each store that is here, so that one that is restored is seen to come down to 0. */
    private List<Line> remaining() {
        Map<StoreOfPartition, Long> underWay = restores.remaining();
        var all = new HashSet<>(bytes.keySet());
        all.addAll(underWay.keySet());
        return all.stream().map(
                at -> new Line(tags.and("store", at.store(), "partition", Integer.toString(at.partition())),
                        underWay.getOrDefault(at, 0L)))
                .toList();
    }

    private List<Line> lags() {
        var lags = new ArrayList<Line>();
        double total = 0;
        for (Map.Entry<MetricName, ? extends Metric> metric : streams.metrics().entrySet()) {
            MetricName name = metric.getKey();
            switch (name.name()) {
                case "records-lag" -> {
                    if (isOfTask(name) && metric.getValue().metricValue() instanceof Double lag && !lag.isNaN()) {
                        lags.add(new Line(
                                tags.and("topic", name.tags().get("topic"), "partition", name.tags().get("partition")),
                                lag));
                    }
                }
                case "process-total" -> {
                    if (name.group().equals("stream-thread-metrics")
                            && metric.getValue().metricValue() instanceof Double count) {
                        total += count;
                    }
                }
                default -> {
                    // Not of interest.
                }
            }
        }
        processed = (long) total;
        return lags;
    }

    /** Not of the consumers that restore stores. */
    private static boolean isOfTask(MetricName name) {
        return name.tags().getOrDefault("topic", "").startsWith(OURS)
                && !name.tags().getOrDefault("client-id", "").endsWith(RESTORE_CONSUMER);
    }
}
