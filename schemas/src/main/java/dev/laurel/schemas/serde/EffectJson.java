package dev.laurel.schemas.serde;

import dev.laurel.schemas.effect.Effect;
import java.io.ByteArrayOutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

import static dev.laurel.schemas.serde.FieldWriter.date;
import static dev.laurel.schemas.serde.FieldWriter.id;
import static dev.laurel.schemas.serde.FieldWriter.integer;
import static dev.laurel.schemas.serde.FieldWriter.number;
import static dev.laurel.schemas.serde.FieldWriter.text;
import static dev.laurel.schemas.serde.FieldWriter.time;

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
                    id(json, "achievementId", completed.achievementId());
                    json.writeStringProperty("achievementKey", completed.achievementKey());
                    id(json, "completionId", completed.completionId());
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
        time(json, "at", effect.at());
    }

    private static void streak(JsonGenerator json, String type, Effect.OfUser effect, int length) {
        head(json, type, effect);
        json.writeNumberProperty("length", length);
    }

    private static void points(JsonGenerator json, Effect.PointsChanged changed) {
        head(json, "points.changed", changed);
        id(json, "systemId", changed.systemId());
        json.writeStringProperty("systemKey", changed.systemKey());
        json.writeNumberProperty("added", changed.added());
        json.writeNumberProperty("total", changed.total());
        json.writeArrayPropertyStart("awards");
        for (Effect.PointsAwarded award : changed.awards()) {
            json.writeStartObject();
            id(json, "id", award.id());
            id(json, "triggerId", award.triggerId());
            json.writeNumberProperty("awarded", award.awarded());
            json.writeNumberProperty("total", award.total());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void level(JsonGenerator json, Effect.LevelChanged changed) {
        head(json, "points.level_changed", changed);
        id(json, "systemId", changed.systemId());
        json.writeStringProperty("systemKey", changed.systemKey());
        json.writeNumberProperty("total", changed.total());
        id(json, "previousLevelId", changed.previousLevelId());
        id(json, "levelId", changed.levelId());
    }

    private static void boost(JsonGenerator json, String type, Effect.OfBoost effect) {
        json.writeStringProperty("type", type);
        text(json, "user", effect.user() == null ? null : effect.user().value());
        time(json, "at", effect.at());
        id(json, "systemId", effect.systemId());
        json.writeStringProperty("systemKey", effect.systemKey());
        id(json, "boostId", effect.boostId());
        date(json, "start", effect.start());
        date(json, "end", effect.end());
    }

    /** Writes the time, the leaderboard and the run. */
    private static void run(JsonGenerator json, Effect.OfLeaderboard effect) {
        time(json, "at", effect.at());
        id(json, "leaderboardId", effect.leaderboardId());
        json.writeStringProperty("leaderboardKey", effect.leaderboardKey());
        date(json, "runStart", effect.runStart());
        date(json, "runEnd", effect.runEnd());
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
        integer(json, "previousRank", changed.previousRank());
        integer(json, "rank", changed.rank());
        number(json, "previousValue", changed.previousValue());
        number(json, "value", changed.value());
    }

    private static void ranking(JsonGenerator json, Effect.LeaderboardFinished finished) {
        json.writeStringProperty("type", "leaderboard.finished");
        run(json, finished);
        group(json, finished.group());
        json.writeArrayPropertyStart("rankings");
        for (Effect.Ranked ranked : finished.rankings()) {
            json.writeStartObject();
            json.writeStringProperty("userId", ranked.userId().value());
            text(json, "userName", ranked.userName());
            json.writeNumberProperty("rank", ranked.rank());
            number(json, "value", ranked.value());
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
