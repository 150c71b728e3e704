package dev.laurel.processors.runtime;

import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.Line;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.schemas.topic.Generation;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.streams.KafkaStreams;

/**
 * Meters of the work of a Streams application: whether it runs, and how far it is behind. They are the few of Kafka's thousands of
 * metrics that operators need. Read on the thread that scrapes.
 */
public final class StreamsMeters {

    private static final MeterName RUNNING = MeterName.of(
            "laurel.streams.running",
            "1 while the application processes records; 0 while it starts, restores or rebalances, and after it has"
                    + " stopped.");
    private static final MeterName THREADS =
            MeterName.of("laurel.streams.threads", "Threads of the application that are alive.");
    private static final MeterName LAG = MeterName.of(
            "laurel.streams.lag",
            "Records of a partition that the application can read but has not read yet; records behind an open"
                    + " transaction are not included if the application reads only committed records.");
    private static final MeterName PROCESSED =
            MeterName.of("laurel.streams.processed", "Records that the application has processed since its start.");
    private static final String RESTORE_CONSUMER = "-restore-consumer";

    /** Begins the names of all topics here. Kafka has each lag twice, the second time with underscores for dots in the topic's name. */
    private static final String TOPIC_PREFIX = "laurel.";

    private final KafkaStreams streams;
    private final Tags tags;

    /** Updated with the lags, since one pass over Kafka's metrics is enough. */
    private volatile long processed;

    private StreamsMeters(KafkaStreams streams, Tags tags) {
        this.streams = streams;
        this.tags = tags;
    }

    /** The tags of an application of a generation, of which a process may run several at a time. */
    public static Tags tags(String application, Generation generation) {
        return tags(application, Integer.toString(generation.number()));
    }

    /** The tags of an application that all generations share. */
    public static Tags tags(String application) {
        return tags(application, "");
    }

    private static Tags tags(String application, String generation) {
        return Tags.of("application", application, "generation", generation);
    }

    public static void register(MeterScope meters, Tags tags, KafkaStreams streams) {
        var applicationMeters = new StreamsMeters(streams, tags);
        meters.gauge(RUNNING, tags, () -> streams.state() == KafkaStreams.State.RUNNING ? 1 : 0);
        meters.gauge(THREADS, tags, () -> streams.metadataForLocalThreads().size());
        meters.gauges(LAG, applicationMeters::lags);
        meters.counter(PROCESSED, tags, () -> applicationMeters.processed);
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
                                tags.and(
                                        "topic",
                                        name.tags().getOrDefault("topic", ""),
                                        "partition",
                                        name.tags().getOrDefault("partition", "")),
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
                    // Ignored.
                }
            }
        }
        processed = (long) total;
        return lags;
    }

    /** Whether a lag is that of a task, rather than of a consumer that restores stores. */
    private static boolean isOfTask(MetricName name) {
        return name.tags().getOrDefault("topic", "").startsWith(TOPIC_PREFIX)
                && !name.tags().getOrDefault("client-id", "").endsWith(RESTORE_CONSUMER);
    }
}
