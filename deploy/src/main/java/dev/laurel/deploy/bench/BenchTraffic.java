package dev.laurel.deploy.bench;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;

/**
 * What users do in a benchmark: each event reports one of the metrics of {@link BenchRuleset}; every fourth says by which
 * channel it came, every tenth who the user is. All of it follows from the event's number and the user.
 */
final class BenchTraffic {

    static final String PLAN = "plan";
    static final String CITY = "city";
    static final String CHANNEL = "channel";
    static final String PRO = "pro";
    static final String TURKU = "Turku";
    static final String APP = "app";

    private static final List<String> CITIES = List.of(TURKU, "Oulu", "Lund", "Bergen", "Tartu");
    private static final List<ZoneId> ZONES = List.of(ZoneId.of("Europe/Helsinki"), ZoneId.of("Europe/Stockholm"),
            ZoneId.of("America/New_York"));
    private static final int EVENTS_PER_CHANNEL = 4;
    private static final int EVENTS_PER_PROFILE = 10;
    private static final int USERS_PER_PRO = 4;
    private static final int PROFILES_PER_MOVE = 50;

    /** Salts of {@link Mix}: one for each thing that is decided by chance. */
    private enum Question {
        METRIC, CHANNEL_GIVEN, CHANNEL, PROFILE_GIVEN, PLAN, CITY, MOVE, ZONE
    }

    /** What an event says about its user. */
    record Profile(ZoneId tz, Map<String, String> attributes) {}

    private BenchTraffic() {}

    static String metricOf(long event) {
        return BenchRuleset.metric((int) chance(BenchRuleset.METRICS, event, Question.METRIC));
    }

    /** Empty most of the time. */
    static Map<String, String> attributesOf(long event) {
        if (chance(EVENTS_PER_CHANNEL, event, Question.CHANNEL_GIVEN) != 0) {
            return Map.of();
        }
        return Map.of(CHANNEL, chance(2, event, Question.CHANNEL) == 0 ? APP : "web");
    }

    /** Null most of the time. Otherwise nearly always the same for the same user: some have moved. */
    static Profile profileOf(long event, String user) {
        if (chance(EVENTS_PER_PROFILE, event, Question.PROFILE_GIVEN) != 0) {
            return null;
        }
        int who = user.hashCode();
        String plan = chance(USERS_PER_PRO, who, Question.PLAN) == 0 ? PRO : "free";
        long here = chance(PROFILES_PER_MOVE, event, Question.MOVE) == 0 ? event : who;
        String city = CITIES.get((int) chance(CITIES.size(), here, Question.CITY));
        return new Profile(ZONES.get((int) chance(ZONES.size(), who, Question.ZONE)), Map.of(PLAN, plan, CITY, city));
    }

    private static long chance(long bound, long number, Question question) {
        return Mix.below(bound, number, question.ordinal());
    }
}
