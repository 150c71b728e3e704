package dev.laurel.schemas.kind;

import static dev.laurel.schemas.kind.FileSchema.ordered;

import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.WebhookPayload;
import dev.laurel.schemas.wire.WebhookPayload.SamplePayloads;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Derives the webhooks of the OpenAPI document of the application API, and the schemas of their payloads, from the records of
 * the payloads.
 */
final class WebhookSchemas {

    private WebhookSchemas() {}

    /** The webhooks by type. */
    static Map<String, Object> webhooks() {
        var webhooks = new LinkedHashMap<String, Object>();
        for (WebhookEvent event : WebhookEvent.values()) {
            Map<String, Object> schema = Map.of("$ref", "#/components/schemas/" + name(event));
            webhooks.put(
                    event.type(),
                    Map.of(
                            "post",
                            ordered(
                                    "operationId",
                                    "on" + record(event).getSimpleName(),
                                    "tags",
                                    List.of("webhooks"),
                                    "summary",
                                    summary(event),
                                    "security",
                                    List.of(),
                                    "parameters",
                                    List.of(
                                            parameter("X-Trophy-Signature"), parameter("X-Trophy-Webhook-Id"),
                                            parameter("X-Trophy-Webhook-Attempt"), parameter("Webhook-Tenant-ID")),
                                    "requestBody",
                                    ordered(
                                            "required",
                                            true,
                                            "content",
                                            Map.of("application/json", Map.of("schema", schema))),
                                    "responses",
                                    Map.of("2XX", Map.of("$ref", "#/components/responses/Received")))));
        }
        return webhooks;
    }

    /** The schemas of the payloads by name. */
    static Map<String, Object> payloads() {
        var payloads = new LinkedHashMap<String, Object>();
        for (WebhookEvent event : WebhookEvent.values()) {
            Map<String, Object> properties = ordered("type", ordered("type", "string", "enum", List.of(event.type())));
            for (RecordComponent component : record(event).getRecordComponents()) {
                properties.put(component.getName(), schema(component, event));
            }
            payloads.put(name(event), object(properties));
        }
        return payloads;
    }

    private static Class<? extends WebhookPayload> record(WebhookEvent event) {
        return SamplePayloads.of(event, Instant.EPOCH).getClass();
    }

    private static String name(WebhookEvent event) {
        return record(event).getSimpleName() + "Payload";
    }

    private static Map<String, Object> parameter(String name) {
        return Map.of("$ref", "#/components/parameters/" + name);
    }

    private static Map<String, Object> object(Map<String, Object> properties) {
        return ordered(
                "type",
                "object",
                "required",
                List.copyOf(properties.keySet()),
                "properties",
                properties,
                "additionalProperties",
                false);
    }

    private static Map<String, Object> schema(RecordComponent component, WebhookEvent event) {
        boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        String name = switch (component.getType().getSimpleName()) {
            case "int" -> "Count";
            case "Instant" -> "Time";
            case "LocalDate" -> "Date";
            case "UserBody" -> "User";
            case "AchievementBody" -> "CompletedAchievement";
            case "BaseStreakBody" -> "PresentStreak";
            case "StreakBody" -> "Streak";
            case "EventPointsBody" -> "EventPoints";
            case "SystemTotalBody" -> "PointsTotal";
            case "LevelBody" -> "Level";
            case "SystemBoostBody" -> "SystemBoost";
            // A change of one user's rank has the user's places in place of the first places.
            case "LeaderboardBody" -> event == WebhookEvent.LEADERBOARD_RANK_CHANGED ? "ChangedRank" : "RankedRun";
            default -> null;
        };
        if (name != null) {
            return Map.of("$ref", "#/components/schemas/" + name + (isNullable ? "OrNull" : ""));
        }
        var properties = new LinkedHashMap<String, Object>();
        Arrays.stream(component.getType().getRecordComponents())
                .forEach(inner -> properties.put(inner.getName(), schema(inner, event)));
        return object(properties);
    }

    private static String summary(WebhookEvent event) {
        return switch (event) {
            case ACHIEVEMENT_COMPLETED -> "A user completed an achievement";
            case STREAK_STARTED -> "A streak began";
            case STREAK_EXTENDED -> "A streak grew";
            case STREAK_LOST -> "A streak ended";
            case STREAK_FREEZE_CONSUMED -> "Freezes covered missed periods";
            case STREAK_FREEZE_EARNED -> "A user got freezes";
            case POINTS_CHANGED -> "The points of a user changed";
            case POINTS_LEVEL_CHANGED -> "The level of a user changed";
            case POINTS_BOOST_STARTED -> "A boost began or is about to begin";
            case POINTS_BOOST_FINISHED -> "A boost ended";
            case LEADERBOARD_STARTED -> "A run of a leaderboard is about to begin";
            case LEADERBOARD_CHANGED -> "Ranks or values of a leaderboard changed";
            case LEADERBOARD_RANK_CHANGED -> "The rank of a user changed";
            case LEADERBOARD_FINISHED -> "A run of a leaderboard became final";
            case EMAILS_ACHIEVEMENT_DUE -> "A message about an achievement is due";
            case EMAILS_RECAP_DUE -> "A recap is due";
            case EMAILS_REACTIVATION_DUE -> "A message to an inactive user is due";
            case EMAILS_STREAK_REMINDER_DUE -> "A reminder of a streak is due";
        };
    }
}
