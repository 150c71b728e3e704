package dev.laurel.schemas.serde;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.PointsSystemBody.BaseSystemBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemBoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.SystemTotalBody;
import dev.laurel.schemas.wire.StreakBody.BaseStreakBody;
import dev.laurel.schemas.wire.UserBody;
import dev.laurel.schemas.wire.WebhookPayload;
import dev.laurel.schemas.wire.WebhookPayload.SamplePayloads;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Checks the JSON of webhook events (docs/webhooks.md §2, §4), with an approved file for the sample of each type. */
class WebhookPayloadTest {

    private static final Path FOLDER = Path.of("src/test/resources/dev/laurel/schemas/approved");
    private static final Instant NOW = Instant.parse("2026-03-04T09:15:00Z");
    private static final UserBody IDA = new UserBody(
            "swimmer-77",
            "ida@example.net",
            "Ida Laine",
            "Europe/Helsinki",
            List.of(),
            true,
            LocalDate.parse("2026-01-11"),
            Map.of("city", "Turku"),
            false,
            Instant.parse("2026-01-12T07:30:00Z"),
            NOW);
    private static final UUID GEMS = UUID.fromString("0f6d2a34-1b0e-4e0c-9f55-7a1d3c5b9e03");

    @Test
    void shouldWriteALevelChangeInTheFormOfTheContract() {
        var payload = new WebhookPayload.LevelChanged(
                IDA,
                new SystemTotalBody(new BaseSystemBody(GEMS, "gems", "Gems", null, null, 500L), 130),
                null,
                new LevelBody(
                        UUID.fromString("5b7e9c11-4c2d-4a8e-8b77-1e2d3f4a5b04"), "otter", "Otter", "", null, 120));

        assertEquals("""
            {"type":"points.level_changed",
             "user":{"id":"swimmer-77","email":"ida@example.net","name":"Ida Laine","tz":"Europe/Helsinki",\
            "deviceTokens":[],"subscribeToEmails":true,\
            "signUpDate":"2026-01-11","attributes":{"city":"Turku"},"control":false,"created":"2026-01-12T07:30:00.000Z",\
            "updated":"2026-03-04T09:15:00.000Z"},
             "points":{"id":"0f6d2a34-1b0e-4e0c-9f55-7a1d3c5b9e03","key":"gems","name":"Gems","description":null,\
            "badgeUrl":null,"maxPoints":500,"total":130},
             "previousLevel":null,
             "newLevel":{"id":"5b7e9c11-4c2d-4a8e-8b77-1e2d3f4a5b04","key":"otter","name":"Otter",\
            "description":"","badgeUrl":null,"points":120}}\
            """.replaceAll("\n *", ""), text(payload));
    }

    @Test
    void shouldWriteABoostStartInTheFormOfTheContract() {
        var payload = new WebhookPayload.BoostStarted(
                Instant.parse("2026-02-28T10:00:00Z"),
                new SystemBoostBody(
                        UUID.fromString("e7f6a5b4-c3d2-4e1f-8a9b-7c6d5e4f3a07"),
                        "Spring swim",
                        "active",
                        null,
                        GEMS,
                        "gems",
                        "Gems",
                        LocalDate.parse("2026-03-01"),
                        LocalDate.parse("2026-03-07"),
                        new BigDecimal("1.50"),
                        "down"));

        assertEquals("""
            {"type":"points.boost_started","timestamp":"2026-02-28T10:00:00.000Z",
             "boost":{"id":"e7f6a5b4-c3d2-4e1f-8a9b-7c6d5e4f3a07","name":"Spring swim","status":"active",\
            "userId":null,
              "pointsSystemId":"0f6d2a34-1b0e-4e0c-9f55-7a1d3c5b9e03","pointsSystemKey":"gems",\
            "pointsSystemName":"Gems",
              "start":"2026-03-01","end":"2026-03-07","multiplier":1.5,"rounding":"down"}}\
            """.replaceAll("\n" + " *", ""), text(payload));
    }

    @Test
    void shouldOmitAbsentFreezes() {
        var payload = new WebhookPayload.StreakExtended(
                IDA,
                new BaseStreakBody(
                        2,
                        "daily",
                        LocalDate.parse("2026-03-03"),
                        LocalDate.parse("2026-03-04"),
                        LocalDate.parse("2026-03-04"),
                        LocalDate.parse("2026-03-05"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));

        assertTrue(text(payload).endsWith("""
            "streak":{"length":2,"frequency":"daily","started":"2026-03-03","periodStart":"2026-03-04",\
            "periodEnd":"2026-03-04","expires":"2026-03-05"}}\
            """), text(payload));
    }

    // Samples.

    @ParameterizedTest
    @EnumSource(WebhookEvent.class)
    void shouldHaveASampleOfEveryType(WebhookEvent event) {
        WebhookPayload sample = SamplePayloads.of(event, NOW);

        assertEquals(event.type(), sample.type());
        assertTrue(text(sample).startsWith("{\"type\":\"" + event.type() + "\",\""), text(sample));
        assertEquals(sample, SamplePayloads.of(event, NOW), "the same at the same time");
    }

    @TestFactory
    Stream<DynamicTest> shouldWriteTheApprovedSample() {
        return Arrays.stream(WebhookEvent.values())
                .map(event -> DynamicTest.dynamicTest(event.type(), () -> {
                    String written = PrettyJson.of(Json.mapperForTools()
                            .writerWithDefaultPrettyPrinter()
                            .writeValueAsString(SamplePayloads.of(event, NOW)));
                    Path file = FOLDER.resolve("webhook-" + event.type() + ".json");
                    if (Boolean.getBoolean("laurel.approve")) {
                        Files.writeString(file, written);
                    }
                    assertEquals(
                            Files.readString(file),
                            written,
                            "what receivers of webhooks rely on has changed;"
                                    + " if it is meant, run this test with -Dlaurel.approve=true");
                }));
    }

    /** Client libraries need these fields, not null, in every variant of a leaderboard (docs/client-libraries.md §3). */
    @ParameterizedTest
    @EnumSource(
            names = {"LEADERBOARD_STARTED", "LEADERBOARD_CHANGED", "LEADERBOARD_RANK_CHANGED", "LEADERBOARD_FINISHED"})
    void shouldNameTheRunAndGroupOfALeaderboardEvent(WebhookEvent event) {
        JsonNode board = tree(SamplePayloads.of(event, NOW)).get("leaderboard");

        for (String field : List.of(
                "id",
                "name",
                "key",
                "rankBy",
                "start",
                "maxParticipants",
                "runInterval",
                "breakdownAttributes",
                "status",
                "runStart",
                "runEnd")) {
            assertTrue(board.hasNonNull(field), field);
        }
        assertEquals(
                "[{\"key\":\"city\",\"value\":\"Turku\"}]",
                board.get("breakdownAttributeValues").toString());
        boolean isOfUser = event == WebhookEvent.LEADERBOARD_RANK_CHANGED;
        assertEquals(!isOfUser, board.has("rankings"));
        for (String field : List.of("rank", "previousRank", "value", "previousValue")) {
            assertEquals(isOfUser, board.has(field), field);
        }
        assertFalse(board.has("history"));
    }

    @Test
    void shouldWriteNullForAbsentPreviousRankAndRunEnd() {
        var sample = (WebhookPayload.RankChanged) SamplePayloads.of(WebhookEvent.LEADERBOARD_RANK_CHANGED, NOW);
        JsonNode board = tree(new WebhookPayload.RankChanged(
                        IDA,
                        sample.leaderboard()
                                .inRun(LocalDate.parse("2026-03-01"), null, List.of(), null)
                                .moved(null, 1, null, BigDecimal.ONE)))
                .get("leaderboard");

        for (String field : List.of("previousRank", "previousValue", "runEnd")) {
            assertTrue(board.has(field) && board.get(field).isNull(), field);
        }
        assertFalse(board.has("breakdownAttributeValues"));
    }

    private static JsonNode tree(WebhookPayload payload) {
        return Json.mapperForTools().readTree(Json.write(payload));
    }

    private static String text(WebhookPayload payload) {
        return new String(Json.write(payload), UTF_8);
    }
}
