package dev.laurel.schemas.serde;

import dev.laurel.schemas.effect.Effect;
import java.io.ByteArrayOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Effects as JSON, written token by token: most events have one. The form is that of {@code effect.schema.json}; the mapper of
 * {@link Json} reads it, and writes the same, which a test holds together. Thread-safe.
 */
public final class EffectJson {

    private EffectJson() {}

    public static byte[] write(Effect effect) {
        var bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            switch (effect) {
                case Effect.UserCreated created -> head(json, "user.created", created);
                case Effect.AchievementCompleted completed -> {
                    head(json, "achievement.completed", completed);
                    json.writeStringProperty("achievementId", completed.achievementId().toString());
                    json.writeStringProperty("achievementKey", completed.achievementKey());
                    json.writeStringProperty("completionId", completed.completionId().toString());
                }
                case Effect.PointsChanged changed -> points(json, changed);
                case Effect.StreakStarted started -> streak(json, "streak.started", started, started.length());
                case Effect.StreakExtended extended -> streak(json, "streak.extended", extended, extended.length());
                case Effect.UserErased _,Effect.FreezeConsumed _,Effect.FreezeEarned _,Effect.LevelChanged _ ->
                    throw new IllegalArgumentException("no JSON form yet of " + effect);
                case Effect.StreakLost lost -> streak(json, "streak.lost", lost, lost.length());
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void head(JsonGenerator json, String type, Effect effect) {
        json.writeStringProperty("type", type);
        json.writeStringProperty("user", effect.user().value());
        json.writeStringProperty("at", Json.time(effect.at()));
    }

    private static void streak(JsonGenerator json, String type, Effect effect, int length) {
        head(json, type, effect);
        json.writeNumberProperty("length", length);
    }

    private static void points(JsonGenerator json, Effect.PointsChanged changed) {
        head(json, "points.changed", changed);
        json.writeStringProperty("systemId", changed.systemId().toString());
        json.writeStringProperty("systemKey", changed.systemKey());
        json.writeNumberProperty("added", changed.added());
        json.writeNumberProperty("total", changed.total());
        json.writeArrayPropertyStart("awards");
        for (Effect.PointsAwarded award : changed.awards()) {
            json.writeStartObject();
            json.writeStringProperty("id", award.id().toString());
            json.writeStringProperty("triggerId", award.triggerId().toString());
            json.writeNumberProperty("awarded", award.awarded());
            json.writeNumberProperty("total", award.total());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
