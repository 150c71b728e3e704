package dev.laurel.schemas.wire;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What runs where, as one process sees it (docs/admin-api.md B11).
 *
 * @param processes the process that answers, then the members of the groups of the applications and of the gateways
 * @param counters how far this process is behind with counters, for reports; empty unless it is a node
 */
public record SystemBody(
        Instant at,
        GenerationBody generation,
        List<ProcessBody> processes,
        List<ApplicationBody> applications,
        List<CounterLagBody> counters) {

    /** @param number of the generation in force @param log the topic that has its commands @param unfinished other generations */
    public record GenerationBody(int number, String log, List<Integer> unfinished) {}

    /**
     * A process. What is null is not known to the one that answers.
     *
     * @param id kept in the data directory; of a gateway without one, random at each start
     * @param host as the brokers see it
     * @param address host:port where it listens
     * @param since when it was started
     * @param rulesetVersion newest version without a tenant that it has read
     */
    public record ProcessBody(
            @Nullable String id,
            List<String> roles,
            @Nullable String host,
            @Nullable String address,
            @Nullable String version,
            @Nullable Instant since,
            @Nullable Boolean ready,
            @Nullable Long rulesetVersion,
            boolean isAnswering) {}

    /**
     * A Streams application, or the intake of direct producers.
     *
     * @param state of its group, as Kafka names it
     * @param topic that its partitions belong to
     * @param lag sum of the lags
     */
    public record ApplicationBody(
            String name, String group, String state, String topic, long lag, List<PartitionBody> partitions) {}

    /**
     * @param owner id of the process that runs it; null: none
     * @param copies addresses of processes that have copies of its stores; null: not known to a process without the application
     * @param committed offset that is processed; null: none yet
     */
    public record PartitionBody(
            int partition,
            @Nullable String owner,
            @Nullable String ownerHost,
            @Nullable List<String> copies,
            @Nullable Long committed,
            long end,
            long lag) {}

    /** @param application whose counters they are */
    public record CounterLagBody(String application, long lag) {}

    /**
     * What {@code laurel doctor} finds.
     *
     * @param status the worst of the findings: {@code ok}, {@code warn} or {@code fail}
     */
    public record HealthBody(Instant at, String status, List<FindingBody> findings) {}

    /** @param check its name in kebab case @param subject may be empty @param fix command or setting that solves it; null if it is ok */
    public record FindingBody(
            String check,
            String status,
            String subject,
            String message,
            @Nullable String fix) {}

    /**
     * What a request for support needs, without keys, secrets and users.
     *
     * @param health null if it could not be examined in time
     * @param system null if Kafka could not be asked
     * @param metrics in the text format of Prometheus
     */
    public record DiagnosticsBody(
            Instant at,
            Map<String, String> versions,
            Map<String, String> settings,
            @Nullable HealthBody health,
            @Nullable SystemBody system,
            String metrics) {}
}
