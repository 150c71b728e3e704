package dev.laurel.bench;

import java.util.Map;
import java.util.StringJoiner;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Whole HTTP/1.1 requests to Laurel. They are assembled without a library, because the load generator shares the processors with the
 * server; keys and values need no escapes. Thread-safe.
 */
record LaurelRequests(String adminKey) {

    /** Reports an event of {@link BenchTraffic}. */
    byte[] event(long event, String user) {
        BenchTraffic.Profile profile = BenchTraffic.profileOf(event, user);
        var body = new StringBuilder("{\"user\":{\"id\":\"").append(user).append('"');
        if (profile != null) {
            body.append(",\"tz\":\"").append(profile.tz()).append('"');
            append(body, profile.attributes());
        }
        body.append("},\"value\":1");
        append(body, BenchTraffic.attributesOf(event));
        body.append('}');
        return post(BenchTraffic.metricOf(event), body);
    }

    /** Reports an event without attributes of a metric with or without leaderboards. */
    byte[] plainEvent(String user, boolean isRanked) {
        return post(isRanked ? BenchRuleset.RANKED : BenchRuleset.UNRANKED,
                new StringBuilder("{\"user\":{\"id\":\"").append(user).append("\"},\"value\":1}"));
    }

    byte[] read(String user) {
        return get("/v1/users/" + user);
    }

    byte[] rank(String user) {
        return get("/v1/users/" + user + "/leaderboards/" + BenchRuleset.FOR_ALL);
    }

    /** Follows the effects; the answer has no end. */
    byte[] liveFeed() {
        return get("/admin/v1/analytics/live");
    }

    /** @param nameAndQuery of the report */
    byte[] report(String nameAndQuery) {
        return get("/admin/v1/analytics/" + nameAndQuery);
    }

    private byte[] post(String metric, CharSequence body) {
        return ("POST /v1/metrics/" + metric + "/event HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: " + adminKey
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                .getBytes(US_ASCII);
    }

    private byte[] get(String path) {
        return ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-API-KEY: " + adminKey + "\r\n\r\n")
                .getBytes(US_ASCII);
    }

    private static void append(StringBuilder body, Map<String, String> attributes) {
        if (attributes.isEmpty()) {
            return;
        }
        var fields = new StringJoiner(",", ",\"attributes\":{", "}");
        attributes.forEach((key, value) -> fields.add('"' + key + "\":\"" + value + '"'));
        body.append(fields);
    }
}
