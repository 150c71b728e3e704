package dev.laurel.deploy.e2e;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random commands of every kind about users, the same for the same seed. Tests compare the results of two folds of
 * them.
 */
final class RandomCommands {

    static final String RULESET = """
        {"metrics": {"laps": {}, "litres": {}},
         "attributes": {"user": {"plan": {}}, "event": {"pool": {}}},
         "achievements": {
           "forty": {"trigger": "metric", "metric": "laps", "value": 40},
           "long": {"trigger": "metric", "metric": "laps", "value": 20, "eventAttributes": {"pool": "long"}},
           "week": {"trigger": "streak", "streakLength": 5},
           "hello": {"trigger": "api"},
           "all": {"trigger": "achievement", "achievements": ["forty", "hello"]}},
         "points": {"gems": {"maxPoints": 2000,
           "levels": {"bronze": {"points": 50}, "silver": {"points": 300}},
           "boosts": {"pro": {"start": "2020-01-01", "multiplier": 1.5, "userAttributes": {"plan": "pro"}}},
           "triggers": {
             "per-ten": {"type": "metric", "metric": "laps", "threshold": 10, "points": 3},
             "cost": {"type": "metric", "metric": "litres", "threshold": 5, "points": -2, "blockIfOutOfPoints": true},
             "forty": {"type": "achievement", "achievement": "forty", "points": 20},
             "streak": {"type": "streak", "streakLength": 3, "points": 9},
             "welcome": {"type": "user_creation", "points": 5},
             "daily": {"type": "time", "timeUnit": "days", "timeInterval": 1, "points": 1}}}},
         "leaderboards": {
           "laps": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01"},
           "plans": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2020-01-01",
             "breakdownAttributes": ["plan"]},
           "daily": {"status": "active", "rankBy": "metric", "metric": "litres", "start": "2020-01-01",
             "runUnit": "day", "runInterval": 1, "endTime": "18:00"},
           "months": {"status": "active", "rankBy": "points", "pointsSystem": "gems", "start": "2020-01-31",
             "runUnit": "month", "runInterval": 1},
           "streaks": {"status": "active", "rankBy": "streak", "start": "2020-01-01"}},
         "streak": {"freezesEnabled": true, "initialFreezes": 1, "maxFreezes": 3, "freezeAutoEarnInterval": 7,
           "freezeAutoEarnAmount": 1}}
        """;

    /** A ruleset with an achievement that many users qualify for, another frequency and another default zone. */
    static final String NEXT_RULESET = RULESET.replace("\"value\": 40", "\"value\": 15")
            .replace("\"freezesEnabled\"", "\"frequency\": \"weekly\", \"freezesEnabled\"")
            .replaceFirst("\\{", "{\"settings\": {\"defaultTimeZone\": \"Asia/Tokyo\"},");

    private static final List<String> ZONES =
            List.of("UTC", "Europe/Helsinki", "Pacific/Honolulu", "Pacific/Auckland", "Asia/Kolkata");

    record Sent(String user, Instant at, String json) {}

    private final SplittableRandom random;
    private final int users;
    private final Instant start;
    private final Duration step;

    RandomCommands(long seed, int users, Instant start, Duration step) {
        this.random = new SplittableRandom(seed);
        this.users = users;
        this.start = start;
        this.step = step;
    }

    Sent next(int number) {
        String user = "user-" + random.nextInt(users);
        Duration late = random.nextInt(5) == 0 ? Duration.ofHours(random.nextInt(100)) : Duration.ZERO;
        Instant at = start.plus(step.multipliedBy(number)).minus(late);
        return new Sent(user, at, json(user, at));
    }

    private String json(String user, Instant at) {
        String known = "\"user\":{\"id\":\"" + user + "\"}}";
        return switch (random.nextInt(40)) {
            case 0 -> "{\"type\":\"complete\",\"achievement\":\"hello\"," + known;
            case 1 -> "{\"type\":\"grant-freeze\"," + known;
            case 2 ->
                "{\"type\":\"plan-pause\",\"pauseId\":\"" + id() + "\",\"start\":\"" + day(at, 1) + "\",\"end\":\""
                        + day(at, 4) + "\"," + known;
            case 3 -> "{\"type\":\"restore-streak\"," + known;
            case 4 ->
                "{\"type\":\"grant-boost\",\"boostId\":\"" + id() + "\",\"system\":\"gems\",\"name\":\"b\","
                        + "\"start\":\"" + day(at, 0) + "\",\"end\":\"" + day(at, 3) + "\",\"multiplier\":2.5," + known;
            case 5 ->
                "{\"type\":\"preferences\",\"notifications\":{\"recap\":[\"email\"]},\"streak\":{\"enabled\":"
                        + random.nextBoolean() + "}," + known;
            case 6 -> random.nextInt(6) == 0 ? "{\"type\":\"erase-user\"," + known : event("litres", user);
            case 7, 8, 9, 10 -> event("litres", user);
            default -> event("laps", user);
        };
    }

    private String event(String metric, String user) {
        String tz = random.nextInt(10) == 0 ? ",\"tz\":\"" + ZONES.get(random.nextInt(ZONES.size())) + "\"" : "";
        String plan = random.nextInt(10) == 0
                ? ",\"attributes\":{\"plan\":\"" + (random.nextBoolean() ? "pro" : "free") + "\"}"
                : "";
        String pool = random.nextInt(3) == 0 ? ",\"attributes\":{\"pool\":\"long\"}" : "";
        String key = random.nextInt(5) == 0 ? ",\"idempotencyKey\":\"k" + random.nextInt(50) + "\"" : "";
        return "{\"type\":\"event\",\"metric\":\"" + metric + "\",\"value\":" + (random.nextInt(9) - 1) + pool + key
                + ",\"user\":{\"id\":\"" + user + "\"" + tz + plan + "}}";
    }

    private String id() {
        return "%08x-0000-4000-8000-000000000000".formatted(random.nextInt());
    }

    private static String day(Instant at, int plus) {
        return at.plus(Duration.ofDays(plus)).toString().substring(0, 10);
    }
}
