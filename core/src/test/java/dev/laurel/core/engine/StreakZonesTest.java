package dev.laurel.core.engine;

import dev.laurel.schemas.effect.Effect;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static dev.laurel.core.engine.UserSpecification.given;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StreakZonesTest {

    private static final String ANY = "metrics: {laps: {}}";
    private static final String FREEZES = "metrics: {laps: {}}\nstreak: {freezesEnabled: true, initialFreezes: 2}";

    private static String at(String zone, String local) {
        return LocalDateTime.parse(local).atZone(ZoneId.of(zone)).toInstant().toString();
    }

    /** The dates of a clock change, or of 29 February, and the hours until the end of the day after the last event. */
    @ParameterizedTest
    @CsvSource({"Europe/London, 2026-03-28T12:00, 35", "Europe/London, 2026-10-24T12:00, 37",
            "America/New_York, 2026-03-07T12:00, 35", "America/New_York, 2026-10-31T12:00, 37",
            "Asia/Kolkata, 2024-02-28T12:00, 36", "Pacific/Auckland, 2026-09-26T12:00, 35",
            "Pacific/Auckland, 2026-04-04T12:00, 37", "Pacific/Honolulu, 2024-02-28T12:00, 36",
            "Pacific/Apia, 2011-12-28T12:00, 36"})
    void shouldBeLostAtTheEndOfTheNextDateHoweverLongItIs(String zone, String local, int hours) {
        var user = given(ANY);
        Instant event = Instant.parse(at(zone, local));
        user.eventIn(zone, event.toString(), "laps", "1");
        Instant end = event.plusSeconds(hours * 3600L);

        assertEquals(1, user.lengthAt(end.minusMillis(1).toString()));
        assertEquals(0, user.lengthAt(end.toString()));
        assertEquals(List.of(new Effect.StreakLost(UserSpecification.USER, end, 1)),
                user.tick(end.plusSeconds(900).toString()));
    }

    @Test
    void shouldNotMissTheDateThatSamoaLeftOut() {
        var user = given(ANY);
        user.eventIn("Pacific/Apia", at("Pacific/Apia", "2011-12-29T20:00"), "laps", "1");
        var next = user.event(at("Pacific/Apia", "2011-12-31T20:00"), "laps", "1");

        assertEquals(2, next.state().streak().length());
        assertEquals(2, user.lengthAt(at("Pacific/Apia", "2012-01-01T23:59")));
        assertEquals(0, user.lengthAt(at("Pacific/Apia", "2012-01-02T00:00")));
    }

    @Test
    void shouldNotSpendAFreezeOnTheDateThatSamoaLeftOut() {
        var user = given(FREEZES);
        user.eventIn("Pacific/Apia", at("Pacific/Apia", "2011-12-28T20:00"), "laps", "1");

        assertEquals(1, user.read(at("Pacific/Apia", "2011-12-31T20:00")).streak().freezes(), "for the 29th");
        assertEquals(0, user.read(at("Pacific/Apia", "2012-01-01T00:00")).streak().freezes(), "and the 31st");
    }

    @Test
    void shouldJoinChainsAcrossASkippedDateByALateEvent() {
        var user = given(ANY);
        user.eventIn("Pacific/Apia", at("Pacific/Apia", "2011-12-31T20:00"), "laps", "1");
        user.event(at("Pacific/Apia", "2011-12-29T20:00"), "laps", "1");

        assertEquals(2, user.lengthAt(at("Pacific/Apia", "2011-12-31T20:00")));
    }

    @Test
    void shouldNotMissADateThatAFlightOverTheDateLineMadeDisappear() {
        var user = given(ANY);
        user.eventIn("Pacific/Pago_Pago", at("Pacific/Pago_Pago", "2026-03-04T23:30"), "laps", "1");
        user.moveTo("Pacific/Kiritimati", at("Pacific/Pago_Pago", "2026-03-04T23:40"));
        var next = user.event(at("Pacific/Kiritimati", "2026-03-06T09:00"), "laps", "1");

        assertEquals(2, next.state().streak().length(), "5 March lasted no moment for the user");
    }

    @Test
    void shouldNotMissADateThatEndedSoonBecauseOfAFlightEast() {
        var user = given(ANY);
        user.eventIn("Pacific/Honolulu", at("Pacific/Honolulu", "2026-03-04T20:00"), "laps", "1");
        user.moveTo("Pacific/Auckland", at("Pacific/Honolulu", "2026-03-04T22:00"));

        String afterTheFifth = at("Pacific/Auckland", "2026-03-06T08:00");
        assertEquals(1, user.lengthAt(afterTheFifth));
        assertEquals(2, user.event(afterTheFifth, "laps", "1").state().streak().length());
        assertEquals(0, user.lengthAt(at("Pacific/Auckland", "2026-03-08T00:00")), "that grace is given once");
    }

    @Test
    void shouldMissADateThatEndedLaterThanThatThoughTheZoneHasChanged() {
        var user = given(ANY);
        user.eventIn("Europe/London", "2026-03-04T01:00:00Z", "laps", "1");
        user.moveTo("Asia/Kolkata", "2026-03-04T20:00:00Z");

        assertEquals(1, user.lengthAt(at("Asia/Kolkata", "2026-03-05T23:59:59")));
        assertEquals(0, user.lengthAt(at("Asia/Kolkata", "2026-03-06T00:00")));
    }

    @Test
    void shouldGiveNoGraceForAZoneThatChangedBeforeTheLastExtension() {
        var user = given(ANY);
        user.eventIn("Europe/London", "2026-03-04T12:00:00Z", "laps", "1");
        user.eventIn("Asia/Kolkata", at("Asia/Kolkata", "2026-03-05T20:00"), "laps", "1");

        assertEquals(0, user.lengthAt(at("Asia/Kolkata", "2026-03-07T00:00")), "28 hours later");
    }

    @Test
    void shouldReopenALostDateWhenFlyingWestOverTheDateLine() {
        var user = given(ANY);
        user.eventIn("Pacific/Auckland", at("Pacific/Auckland", "2026-03-04T10:00"), "laps", "1");
        user.tick(at("Pacific/Auckland", "2026-03-06T00:00"));
        assertEquals(0, user.state().streak().length());
        user.moveTo("Pacific/Honolulu", at("Pacific/Auckland", "2026-03-06T08:00"));
        assertEquals(1, user.state().streak().length());

        var again = user.event(at("Pacific/Honolulu", "2026-03-05T20:00"), "laps", "1");
        assertTrue(UserSpecification.resultOf(again).streakExtended());
        assertEquals(2, again.state().streak().length());
    }

    @Test
    void shouldReturnAFreezeOnlyWhenTheReopenedDateIsMet() {
        var user = given(FREEZES);
        user.eventIn("Pacific/Auckland", at("Pacific/Auckland", "2026-03-04T10:00"), "laps", "1");
        user.tick(at("Pacific/Auckland", "2026-03-06T00:00"));
        assertEquals(1, user.state().streak().freezes());
        user.moveTo("Pacific/Honolulu", at("Pacific/Auckland", "2026-03-06T08:00"));
        assertEquals(1, user.state().streak().freezes());
        assertEquals(1, user.read(at("Pacific/Honolulu", "2026-03-06T00:00")).streak().freezes(),
                "and it is not spent twice");

        user.event(at("Pacific/Honolulu", "2026-03-05T20:00"), "laps", "1");
        assertEquals(2, user.state().streak().freezes());
        assertEquals(2, user.state().streak().length());
    }

    @Test
    void shouldNotExtendTwiceOnARepeatedDate() {
        var user = given(ANY);
        user.eventIn("Pacific/Auckland", at("Pacific/Auckland", "2026-03-05T10:00"), "laps", "1");
        var repeated = user.eventIn("Pacific/Honolulu", at("Pacific/Honolulu", "2026-03-05T09:00"), "laps", "1");

        assertFalse(UserSpecification.resultOf(repeated).streakExtended());
        assertEquals(1, repeated.state().streak().length());
        assertEquals(LocalDate.of(2026, 3, 6),
                user.streakAt(at("Pacific/Honolulu", "2026-03-05T09:00"), 1).expires());
    }

    @Test
    void shouldCountAMetLaterDateAfterAFlightWest() {
        var user = given(ANY);
        user.eventIn("Pacific/Auckland", at("Pacific/Auckland", "2026-03-05T10:00"), "laps", "1");
        user.moveTo("Pacific/Honolulu", at("Pacific/Honolulu", "2026-03-04T12:00"));
        var shown = user.streakAt(at("Pacific/Honolulu", "2026-03-04T12:00"), 2);

        assertEquals(1, shown.length());
        assertEquals(LocalDate.of(2026, 3, 4), shown.periodStart());
        assertEquals(1, shown.streakHistory().getLast().length());
    }

    @Test
    void shouldMoveWithTheDefaultZone() {
        var user = given(ANY);
        user.event("2026-03-04T12:00:00Z", "laps", "1");
        user.rulesBecome("2026-03-04T18:00:00Z", "metrics: {laps: {}}\nsettings: {defaultTimeZone: Asia/Tokyo}");

        assertEquals(1, user.lengthAt("2026-03-05T14:59:59Z"));
        assertEquals(1, user.lengthAt("2026-03-05T15:00:00Z"), "it ended soon because of that");
        assertEquals(0, user.lengthAt("2026-03-06T15:00:00Z"));
    }

    @Test
    void shouldJudgeWeeksInTheZoneTheyEndIn() {
        var user = given("metrics: {laps: {}}\nstreak: {frequency: weekly}");
        user.eventIn("Pacific/Honolulu", at("Pacific/Honolulu", "2026-03-04T12:00"), "laps", "1");
        user.moveTo("Pacific/Auckland", at("Pacific/Auckland", "2026-03-10T12:00"));

        assertEquals(1, user.lengthAt(at("Pacific/Auckland", "2026-03-14T23:59")));
        assertEquals(0, user.lengthAt(at("Pacific/Auckland", "2026-03-15T00:00")));
    }
}
