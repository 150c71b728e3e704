package dev.laurel.schemas.serde;

import dev.laurel.schemas.effect.Effect;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Writes effects as JSON, token by token, because most events have an effect. The form is that of {@code effect.schema.json}. The
 * mapper of {@link Json} reads effects and writes the same form, which a test verifies. Thread-safe.
 */
public final class EffectJson {

    private EffectJson() {}

    public static byte[] write(Effect effect) {
        var bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            switch (effect) {
                case Effect.UserCreated created -> head(json, "user.created", created);
                case Effect.UserErased erased -> head(json, "user.erased", erased);
                case Effect.AchievementCompleted completed -> {
                    head(json, "achievement.completed", completed);
                    json.writeStringProperty("achievementId", completed.achievementId().toString());
                    json.writeStringProperty("achievementKey", completed.achievementKey());
                    json.writeStringProperty("completionId", completed.completionId().toString());
                }
                case Effect.PointsChanged changed -> points(json, changed);
                case Effect.StreakStarted started -> streak(json, "streak.started", started, started.length());
                case Effect.StreakExtended extended -> streak(json, "streak.extended", extended, extended.length());
                case Effect.StreakLost lost -> streak(json, "streak.lost", lost, lost.length());
                case Effect.FreezeConsumed consumed -> {
                    head(json, "streak.freeze_consumed", consumed);
                    json.writeNumberProperty("consumed", consumed.consumed());
                    json.writeNumberProperty("freezes", consumed.freezes());
                }
                case Effect.FreezeEarned earned -> {
                    head(json, "streak.freeze_earned", earned);
                    json.writeNumberProperty("earned", earned.earned());
                    json.writeNumberProperty("freezes", earned.freezes());
                }
                case Effect.LevelChanged changed -> level(json, changed);
                case Effect.BoostStarted started -> boost(json, "points.boost_started", started);
                case Effect.BoostFinished finished -> boost(json, "points.boost_finished", finished);
                case Effect.LeaderboardStarted started -> {
                    json.writeStringProperty("type", "leaderboard.started");
                    run(json, started);
                }
                case Effect.LeaderboardChanged changed -> change(json, changed);
                case Effect.LeaderboardFinished finished -> ranking(json, finished);
            }
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void head(JsonGenerator json, String type, Effect.OfUser effect) {
        json.writeStringProperty("type", type);
        json.writeStringProperty("user", effect.user().value());
        json.writeStringProperty("at", Json.time(effect.at()));
    }

    private static void streak(JsonGenerator json, String type, Effect.OfUser effect, int length) {
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

    private static void level(JsonGenerator json, Effect.LevelChanged changed) {
        head(json, "points.level_changed", changed);
        json.writeStringProperty("systemId", changed.systemId().toString());
        json.writeStringProperty("systemKey", changed.systemKey());
        json.writeNumberProperty("total", changed.total());
        idOrNull(json, "previousLevelId", changed.previousLevelId());
        idOrNull(json, "levelId", changed.levelId());
    }

    private static void idOrNull(JsonGenerator json, String field, @Nullable UUID id) {
        if (id == null) {
            json.writeNullProperty(field);
        } else {
            json.writeStringProperty(field, id.toString());
        }
    }

    private static void boost(JsonGenerator json, String type, Effect.OfBoost effect) {
        json.writeStringProperty("type", type);
        if (effect.user() == null) {
            json.writeNullProperty("user");
        } else {
            json.writeStringProperty("user", effect.user().value());
        }
        json.writeStringProperty("at", Json.time(effect.at()));
        json.writeStringProperty("systemId", effect.systemId().toString());
        json.writeStringProperty("systemKey", effect.systemKey());
        json.writeStringProperty("boostId", effect.boostId().toString());
        json.writeStringProperty("start", effect.start().toString());
        dateOrNull(json, "end", effect.end());
    }

    private static void dateOrNull(JsonGenerator json, String field, @Nullable LocalDate date) {
        if (date == null) {
            json.writeNullProperty(field);
        } else {
            json.writeStringProperty(field, date.toString());
        }
    }

    /** Writes the time, the leaderboard and the run. */
    private static void run(JsonGenerator json, Effect.OfLeaderboard effect) {
        json.writeStringProperty("at", Json.time(effect.at()));
        json.writeStringProperty("leaderboardId", effect.leaderboardId().toString());
        json.writeStringProperty("leaderboardKey", effect.leaderboardKey());
        json.writeStringProperty("runStart", effect.runStart().toString());
        dateOrNull(json, "runEnd", effect.runEnd());
    }

    private static void group(JsonGenerator json, List<Effect.GroupValue> group) {
        json.writeArrayPropertyStart("group");
        for (Effect.GroupValue value : group) {
            json.writeStartObject();
            json.writeStringProperty("key", value.key());
            json.writeStringProperty("value", value.value());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void change(JsonGenerator json, Effect.LeaderboardChanged changed) {
        json.writeStringProperty("type", "leaderboard.changed");
        json.writeStringProperty("user", changed.user().value());
        run(json, changed);
        group(json, changed.group());
        rankOrNull(json, "previousRank", changed.previousRank());
        rankOrNull(json, "rank", changed.rank());
        valueOrNull(json, "previousValue", changed.previousValue());
        valueOrNull(json, "value", changed.value());
    }

    private static void rankOrNull(JsonGenerator json, String field, @Nullable Integer rank) {
        if (rank == null) {
            json.writeNullProperty(field);
        } else {
            json.writeNumberProperty(field, rank);
        }
    }

    private static void valueOrNull(JsonGenerator json, String field, @Nullable BigDecimal value) {
        json.writeName(field);
        if (value == null) {
            json.writeNull();
        } else {
            json.writeNumber(Json.plain(value));
        }
    }

    private static void ranking(JsonGenerator json, Effect.LeaderboardFinished finished) {
        json.writeStringProperty("type", "leaderboard.finished");
        run(json, finished);
        group(json, finished.group());
        json.writeArrayPropertyStart("rankings");
        for (Effect.Ranked ranked : finished.rankings()) {
            json.writeStartObject();
            json.writeStringProperty("userId", ranked.userId().value());
            if (ranked.userName() == null) {
                json.writeNullProperty("userName");
            } else {
                json.writeStringProperty("userName", ranked.userName());
            }
            json.writeNumberProperty("rank", ranked.rank());
            valueOrNull(json, "value", ranked.value());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
