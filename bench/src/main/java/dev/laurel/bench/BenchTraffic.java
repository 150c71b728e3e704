package dev.laurel.bench;

import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The events of a benchmark. Each event reports one of the metrics of {@code ruleset.yaml}; every fourth has a channel, every tenth a
 * user profile. Everything is derived from the number of the event and the user.
 */
final class BenchTraffic {

    static final String PLAN = "plan";
    static final String CITY = "city";
    static final String CHANNEL = "channel";
    static final String PRO = "pro";
    static final String TURKU = "Turku";
    static final String APP = "app";

    private static final int METRICS = 10;
    private static final List<String> CITIES = List.of(TURKU, "Oulu", "Lund", "Bergen", "Tartu");
    private static final List<ZoneId> ZONES =
            List.of(ZoneId.of("Europe/Helsinki"), ZoneId.of("Europe/Stockholm"), ZoneId.of("America/New_York"));
    private static final int EVENTS_PER_CHANNEL = 4;
    private static final int EVENTS_PER_PROFILE = 10;
    private static final int USERS_PER_PRO = 4;
    private static final int PROFILES_PER_MOVE = 50;

    /** Each choice that an event makes at random; its ordinal is the salt. */
    private enum Choice {
        METRIC,
        CHANNEL_GIVEN,
        CHANNEL,
        PROFILE_GIVEN,
        PLAN,
        CITY,
        MOVE,
        ZONE
    }

    /** Profile of the user of an event. */
    record Profile(ZoneId tz, Map<String, String> attributes) {}

    private BenchTraffic() {}

    /** Returns the id of a user by number. */
    static String user(long number) {
        return "user-" + number;
    }

    /** Returns the id of the user of an event, one of so many; consecutive events belong to unrelated users. */
    static String userOf(long event, int users) {
        return user(Long.remainderUnsigned(new SplittableRandom(event).nextLong(), users));
    }

    static String metricOf(long event) {
        return "metric-" + chance(METRICS, event, Choice.METRIC);
    }

    /** Returns an empty map for most events. */
    static Map<String, String> attributesOf(long event) {
        if (chance(EVENTS_PER_CHANNEL, event, Choice.CHANNEL_GIVEN) != 0) {
            return Map.of();
        }
        return Map.of(CHANNEL, chance(2, event, Choice.CHANNEL) == 0 ? APP : "web");
    }

    /** Returns null for most events. Other events of a user mostly have the same profile; some users move. */
    static @Nullable Profile profileOf(long event, String user) {
        if (chance(EVENTS_PER_PROFILE, event, Choice.PROFILE_GIVEN) != 0) {
            return null;
        }
        int userNumber = user.hashCode();
        String plan = chance(USERS_PER_PRO, userNumber, Choice.PLAN) == 0 ? PRO : "free";
        long cityNumber = chance(PROFILES_PER_MOVE, event, Choice.MOVE) == 0 ? event : userNumber;
        String city = CITIES.get((int) chance(CITIES.size(), cityNumber, Choice.CITY));
        ZoneId tz = ZONES.get((int) chance(ZONES.size(), userNumber, Choice.ZONE));
        return new Profile(tz, Map.of(PLAN, plan, CITY, city));
    }

    private static long chance(long bound, long number, Choice choice) {
        return below(bound, number, choice.ordinal());
    }

    /**
     * Returns a number from 0 to {@code bound - 1} that is the same in every run.
     *
     * @param salt distinguishes several choices for the same number
     */
    static long below(long bound, long number, long salt) {
        long seed = number ^ new SplittableRandom(salt).nextLong();
        return Long.remainderUnsigned(new SplittableRandom(seed).nextLong(), bound);
    }
}
