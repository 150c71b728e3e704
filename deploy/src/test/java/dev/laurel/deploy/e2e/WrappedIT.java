package dev.laurel.deploy.e2e;

import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests the year in review through the whole service. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class WrappedIT {

    private static final String ZONE = SwimClub.zoneWhereItIsNoon().getId();
    private static final String[] PERIOD = {"metrics map", "points map", "achievements list", "leaderboards map"};

    private static LaurelClient laurel;

    @BeforeAll
    static void connect(LaurelInstance instance) {
        laurel = instance.client();
    }

    private static void swim(String user, int laps) {
        laurel.post("/v1/metrics/laps-swum/event", """
                {"user": {"id": "%s", "tz": "%s"}, "value": %d, "attributes": {"pool": "south"}}"""
                .formatted(user, ZONE, laps)).expect(201);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1", "/api"})
    void shouldShowTheYearOfAUser(String mount) {
        String user = "wrapped-" + mount.substring(1);
        LocalDate today = LocalDate.now(SwimClub.zoneWhereItIsNoon());
        swim(user, 30);
        swim(user, 10);

        JsonNode wrapped = laurel.get(mount + "/users/" + user + "/wrapped").expect(200).json();

        JsonShape.assertObject(wrapped, "user map", "activity map");
        assertEquals(laurel.get("/v1/users/" + user).json(), wrapped.get("user"));
        JsonNode activity = wrapped.get("activity");
        JsonShape.assertObject(activity, "daysActive int", "weeksActive int", "monthsActive int", "mostActiveDay map",
                "mostActiveWeek map", "mostActiveMonth map", "entireYear map");
        assertPeriod(activity.get("mostActiveDay"), "date date");
        assertPeriod(activity.get("mostActiveWeek"), "start date", "end date");
        assertPeriod(activity.get("mostActiveMonth"), "month int");
        assertPeriod(activity.get("entireYear"), "longestStreak map");
        JsonShape.assertObject(activity.at("/entireYear/longestStreak"), "length int", "frequency str",
                "periodStart date~",
                "periodEnd date~", "started date~");
        assertEquals(today.toString(), activity.at("/mostActiveDay/date").stringValue());
        assertEquals(today.getMonthValue() - 1, activity.at("/mostActiveMonth/month").intValue());
        JsonNode day = activity.at("/mostActiveDay/metrics/laps-swum");
        JsonShape.assertObject(day, "name str", "units str~", "currentTotal num", "changeThisPeriod num",
                "percentChange num", "byAttribute map");
        assertEquals(
                "{\"pool\":{\"south\":{\"name\":\"Laps swum\",\"units\":\"laps\",\"currentTotal\":40,\"changeThisPeriod\":40,\"percentChange\":100}}}",
                day.get("byAttribute").toString());
        JsonNode year = activity.at("/entireYear/metrics/laps-swum");
        JsonShape.assertObject(year, "name str", "units str~", "currentTotal num", "changeThisPeriod num",
                "percentChange num", "percentileThisPeriod int", "byAttribute map");
        JsonShape.assertObject(activity.at("/entireYear/points/gems"), "name str", "description str~",
                "currentTotal num",
                "changeThisPeriod num", "percentChange num", "percentileThisPeriod int");
        assertEquals("Forty laps", activity.at("/entireYear/achievements/0/name").stringValue());
    }

    private static void assertPeriod(JsonNode period, String... own) {
        String[] fields = List.of(List.of(own), List.of(PERIOD)).stream().flatMap(List::stream).toArray(String[]::new);
        JsonShape.assertObject(period, fields);
        assertEquals(1, period.get("metrics").size());
    }

    @Test
    void shouldShowAYearInWhichNothingHappened() {
        swim("wrapped-quiet", 1);

        JsonNode activity = laurel.get("/v1/users/wrapped-quiet/wrapped?year=1").expect(200).json().get("activity");

        assertEquals(0, activity.get("daysActive").intValue());
        assertEquals("0001-01-01", activity.at("/mostActiveDay/date").stringValue());
        assertEquals("0001-01-07", activity.at("/mostActiveWeek/end").stringValue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "10000", "x", "2025.0", "", "99999999999"})
    void shouldRefuseAYearOutOfRange(String year) {
        swim("wrapped-bad", 1);

        laurel.get("/v1/users/wrapped-bad/wrapped?year=" + year).expectError(422);
    }

    @Test
    void shouldNotFindTheYearOfAnUnknownUser() {
        laurel.get("/v1/users/wrapped-nobody/wrapped").expectError(404);
    }
}
