package dev.laurel.deploy.e2e;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The ruleset of most stories. */
final class SwimClub {

    static final String RULESET = """
        {"metrics": {"laps-swum": {"name": "Laps swum", "units": "laps"}, "dives": {}},
         "attributes": {"user": {"plan": {}, "city": {}}, "event": {"pool": {}, "stroke": {}}},
         "achievements": {
           "forty-laps": {"name": "Forty laps", "trigger": "metric", "metric": "laps-swum", "value": 40},
           "first-dive": {"trigger": "metric", "metric": "dives", "value": 1}},
         "points": {
           "gems": {"name": "Gems", "maxPoints": 500, "triggers": {
             "per-ten-laps": {"type": "metric", "metric": "laps-swum", "threshold": 10, "points": 20}}},
           "shells": {"triggers": {
             "per-dive": {"type": "metric", "metric": "dives", "threshold": 1, "points": 3}}}},
         "streak": {"metrics": {"laps-swum": 1}}}
        """;

    private SwimClub() {}

    /** Returns a zone in which it is around noon, so that no test runs across midnight. */
    static ZoneId zoneWhereItIsNoon() {
        int offsetHours = 12 - Instant.now().atZone(ZoneOffset.UTC).getHour();
        // The names of these zones have the opposite sign.
        return ZoneId.of(
                offsetHours == 0 ? "Etc/GMT" : "Etc/GMT" + (offsetHours > 0 ? "-" : "+") + Math.abs(offsetHours));
    }
}
