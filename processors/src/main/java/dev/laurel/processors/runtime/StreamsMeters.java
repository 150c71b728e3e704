package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * What a Streams application tells of its work: whether it runs, how far it is behind. Of the thousands of meters that Kafka
 * has, those that an operator acts upon. Read on the thread that scrapes.
 */
public final class StreamsMeters {

    private static final MeterName RUNNING = MeterName.of("laurel.streams.running",
            "1 while the application processes records; 0 while it starts, restores, rebalances, or has stopped.");
    private static final MeterName THREADS = MeterName.of("laurel.streams.threads",
            "Threads of the application that are alive.");
    private static final MeterName LAG = MeterName.of("laurel.streams.lag",
            "Records of a partition that the application may read and has not read yet; an application that reads "
                    + "committed records only does not count those behind an open transaction.");
    private static final MeterName PROCESSED = MeterName.of("laurel.streams.processed",
            "Records that the application has processed since its start.");
    private static final String RESTORE_CONSUMER = "-restore-consumer";

    /** Of all topics of ours. Kafka has each lag twice, the second time with underscores for dots in the topic's name. */
    private static final String OURS = "laurel.";

    private final KafkaStreams streams;
    private final Tags tags;

    /** Read with the lags: one walk through Kafka's meters is enough. */
    private volatile long processed;

    private StreamsMeters(KafkaStreams streams, Tags tags) {
        this.streams = streams;
        this.tags = tags;
    }

    /** Of an application of a generation: a process may run several of them beside each other. */
    public static Tags tags(String application, Generation generation) {
        return tags(application, Integer.toString(generation.number()));
    }

    /** Of an application that all generations have in common. */
    public static Tags tags(String application) {
        return tags(application, "");
    }

    private static Tags tags(String application, String generation) {
        return Tags.of("application", application, "generation", generation);
    }

    public static void register(MeterScope meters, Tags tags, KafkaStreams streams) {
        var of = new StreamsMeters(streams, tags);
        meters.gauge(RUNNING, tags, () -> streams.state() == KafkaStreams.State.RUNNING ? 1 : 0);
        meters.gauge(THREADS, tags, () -> streams.metadataForLocalThreads().size());
        meters.gauges(LAG, of::lags);
        meters.counter(PROCESSED, tags, () -> of.processed);
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
