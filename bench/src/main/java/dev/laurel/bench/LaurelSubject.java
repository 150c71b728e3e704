package dev.laurel.bench;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.standalone.Standalone;
import dev.laurel.deploy.standalone.StandaloneSettings;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Outcome;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Topics;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Metric;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** Laurel with all roles, and the rules of {@link BenchRuleset}. */
final class LaurelSubject implements Subject.Ranking {

    private static final String THREAD_METRICS = "stream-thread-metrics";
    private static final String PROCESSED = "process-total";

    private final Subject.Environment environment;
    private final Standalone standalone;
    private final InetSocketAddress address;
    private final LaurelRequests requests;
    /**
     * Counters of the stream threads. Looked up once, because there are thousands of metrics and the count is read
     * often.
     */
    private final List<? extends Metric> processed;

    private LaurelSubject(Subject.Environment environment, Standalone standalone) {
        this.environment = environment;
        this.standalone = standalone;
        this.requests = new LaurelRequests(standalone.adminKey());
        URI url = URI.create(standalone.url());
        this.address = new InetSocketAddress(url.getHost(), url.getPort());
        this.processed = standalone.ledger().streams().metrics().values().stream()
                .filter(metric -> metric.metricName().group().equals(THREAD_METRICS)
                        && metric.metricName().name().equals(PROCESSED))
                .toList();
    }

    public static LaurelSubject start(Subject.Environment environment) {
        StandaloneSettings settings = StandaloneSettings.onFreePorts(
                new DataDir(environment.directory().resolve("laurel")), KafkaAccess.at(environment.bootstrapServers()),
                environment.partitions(), false);
        try {
            var subject = new LaurelSubject(environment, Standalone.start(settings));
            subject.apply(BenchRuleset.source());
            return subject;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while starting", e);
        }
    }

    @Override
    public void rank(int leaderboards) {
        apply(BenchRuleset.withLeaderboards(leaderboards));
    }

    private void apply(RulesetSource rules) {
        applyTo(URI.create(standalone.url()), standalone.adminKey(), rules);
    }

    /** Applies rules to a server. */
    static void applyTo(URI server, String adminKey, RulesetSource rules) {
        try (var client = new RulesetClient(new ServerCalls(server, adminKey, null))) {
            switch (client.apply(rules)) {
                case Outcome.Done<?> _ -> {
                    // The rules are in force for the next event.
                }
                case Outcome.Refused<?>(var issues) ->
                    throw new IllegalStateException("The server refused the ruleset: " + issues);
            }
        }
    }

    @Override
    public String name() {
        return "laurel";
    }

    @Override
    public String applicationId() {
        return LedgerConfig.APPLICATION_ID;
    }

    @Override
    public String effectsTopic() {
        return Topics.EFFECTS.name();
    }

    @Override
    public ProducerRecord<byte[], byte[]> event(long event, String user, long atMs) {
        return command(event, user, atMs);
    }

    static ProducerRecord<byte[], byte[]> command(long event, String user, long atMs) {
        UserKey key = UserKey.of(user);
        return record(key, atMs, new RecordEvent(change(key.user(), BenchTraffic.profileOf(event, user)),
                BenchTraffic.metricOf(event), BigDecimal.ONE, BenchTraffic.attributesOf(event), null, null));
    }

    private static ProducerRecord<byte[], byte[]> record(UserKey key, long atMs, RecordEvent command) {
        return new ProducerRecord<>(Topics.COMMANDS.name(), null, atMs, key.bytes(), CommandJson.write(command));
    }

    static UserChange change(UserId user, BenchTraffic.@Nullable Profile profile) {
        if (profile == null) {
            return UserChange.mention(user);
        }
        var attributes = new HashMap<String, Change<String>>();
        profile.attributes().forEach((key, value) -> attributes.put(key, Change.set(value)));
        return new UserChange(user, Change.keep(), Change.keep(), Change.set(profile.tz()), Change.keep(),
                Change.keep(), Change.keep(), attributes);
    }

    @Override
    public String userOf(long event) {
        return environment.users().nameOf(event);
    }

    @Override
    public long processed() {
        if (standalone.fault().isDone()) {
            throw new IllegalStateException("Laurel has failed", standalone.fault().join());
        }
        return (long) processed.stream().mapToDouble(metric -> (double) metric.metricValue()).sum();
    }

    @Override
    public KafkaStreams streams() {
        return standalone.ledger().streams();
    }

    @Override
    public InetSocketAddress httpAddress() {
        return address;
    }

    @Override
    public byte[] eventRequest(long event) {
        return requests.event(event, userOf(event));
    }

    @Override
    public byte[] readRequest(long user) {
        return requests.read(UniformUsers.name(user));
    }

    @Override
    public ProducerRecord<byte[], byte[]> plainEvent(String user, boolean ranked) {
        UserKey key = UserKey.of(user);
        return record(key, System.currentTimeMillis(), new RecordEvent(UserChange.mention(key.user()),
                ranked ? BenchRuleset.RANKED : BenchRuleset.UNRANKED, BigDecimal.ONE, Map.of(), null, null));
    }

    @Override
    public byte[] plainEventRequest(String user, boolean ranked) {
        return requests.plainEvent(user, ranked);
    }

    @Override
    public byte[] rankRequest(String user) {
        return requests.rank(user);
    }

    @Override
    public List<Path> directories() {
        return List.of(environment.directory().resolve("laurel"));
    }

    @Override
    public void close() {
        standalone.close();
    }
}
