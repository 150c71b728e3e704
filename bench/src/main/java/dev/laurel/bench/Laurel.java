package dev.laurel.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetClient.Outcome;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * What an instance of Laurel is given by a benchmark: rules, events of {@link BenchTraffic} as records of the log, and whole HTTP/1.1
 * requests. Requests are assembled without a library, because the load generator shares the processors with the server; keys and values
 * need no escapes. Thread-safe.
 */
record Laurel(String adminKey) {
    private static final String RULES = "ruleset.yaml";
    private static final String RANKED = "ranked";
    private static final String FOR_ALL = "for-all";

    /** Returns rules of the size of those of a real product. */
    static RulesetSource rules() {
        try (InputStream in = Laurel.class.getResourceAsStream(RULES)) {
            return RulesetFile.parse(RULES, new String(requireNonNull(in, RULES).readAllBytes(), UTF_8))
                    .source();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static RulesetSource rulesWithoutLeaderboards() {
        return new RulesetSource(rules().content().with("leaderboards", null));
    }

    /** Applies rules, which are in force for the next event. */
    static void apply(URI server, String adminKey, RulesetSource rules) {
        try (var client = new RulesetClient(new AdminApiClient(server, adminKey, null))) {
            if (client.apply(rules) instanceof Outcome.Refused<?>(var issues)) {
                throw new IllegalStateException("The server refused the ruleset: " + issues);
            }
        }
    }

    /** Returns an event at the present time, for which nobody waits. */
    static ProducerRecord<byte[], byte[]> event(long event, String user) {
        UserKey key = UserKey.of(user);
        UserChange change = UserChange.mention(key.user());
        BenchTraffic.Profile profile = BenchTraffic.profileOf(event, user);
        if (profile != null) {
            var attributes = new HashMap<String, Change<String>>();
            profile.attributes().forEach((name, value) -> attributes.put(name, Change.set(value)));
            change = new UserChange(
                    key.user(),
                    Change.keep(),
                    Change.keep(),
                    Change.set(profile.tz()),
                    Change.keep(),
                    Change.keep(),
                    Change.keep(),
                    attributes);
        }
        return record(
                key,
                new RecordEvent(
                        change,
                        BenchTraffic.metricOf(event),
                        BigDecimal.ONE,
                        BenchTraffic.attributesOf(event),
                        null,
                        null));
    }

    /** Returns an event of the metric by which leaderboards rank. */
    static ProducerRecord<byte[], byte[]> rankedEvent(String user) {
        UserKey key = UserKey.of(user);
        return record(
                key, new RecordEvent(UserChange.mention(key.user()), RANKED, BigDecimal.ONE, Map.of(), null, null));
    }

    private static ProducerRecord<byte[], byte[]> record(UserKey key, RecordEvent command) {
        return new ProducerRecord<>(
                Topics.COMMANDS.name(), null, System.currentTimeMillis(), key.bytes(), CommandJson.write(command));
    }

    /** Reports an event. */
    byte[] eventRequest(long event, String user) {
        BenchTraffic.Profile profile = BenchTraffic.profileOf(event, user);
        return post(
                BenchTraffic.metricOf(event),
                "{\"user\":{\"id\":\"" + user + '"'
                        + (profile == null ? "" : ",\"tz\":\"" + profile.tz() + '"' + attributes(profile.attributes()))
                        + "},\"value\":1" + attributes(BenchTraffic.attributesOf(event)) + '}');
    }

    /** Reports an event of the metric by which leaderboards rank. */
    byte[] rankedEventRequest(String user) {
        return post(RANKED, "{\"user\":{\"id\":\"" + user + "\"},\"value\":1}");
    }

    byte[] readRequest(String user) {
        return get("/v1/users/" + user);
    }

    byte[] rankRequest(String user) {
        return get("/v1/users/" + user + "/leaderboards/" + FOR_ALL);
    }

    private byte[] post(String metric, String body) {
        return ("POST /v1/metrics/" + metric + "/event HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: " + adminKey
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(US_ASCII);
    }

    private byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: " + adminKey + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private static String attributes(Map<String, String> attributes) {
        var fields = new StringJoiner(",", ",\"attributes\":{", "}").setEmptyValue("");
        attributes.forEach((key, value) -> fields.add('"' + key + "\":\"" + value + '"'));
        return fields.toString();
    }
}
