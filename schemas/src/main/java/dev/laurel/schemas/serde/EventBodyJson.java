package dev.laurel.schemas.serde;

import dev.laurel.schemas.wire.AchievementBody.AttributeFilterBody;
import dev.laurel.schemas.wire.AchievementBody;
import dev.laurel.schemas.wire.EventBody.EventPointsBody;
import dev.laurel.schemas.wire.EventBody.EventStreakBody;
import dev.laurel.schemas.wire.EventBody;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.BoostBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.TriggerBody;
import dev.laurel.schemas.wire.Present;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

import static dev.laurel.schemas.serde.FieldWriter.date;
import static dev.laurel.schemas.serde.FieldWriter.id;
import static dev.laurel.schemas.serde.FieldWriter.integer;
import static dev.laurel.schemas.serde.FieldWriter.number;
import static dev.laurel.schemas.serde.FieldWriter.text;
import static dev.laurel.schemas.serde.FieldWriter.time;

/**
 * Writes answers to events as JSON, token by token, because every event has one. The mapper of {@link Json} writes the same bytes,
 * which a test verifies. Thread-safe.
 */
public final class EventBodyJson {

    private static final int USUAL_BYTES = 1024;

    private EventBodyJson() {}

    public static byte[] write(EventBody body) {
        var bytes = new ByteArrayOutputStream(USUAL_BYTES);
        try (JsonGenerator json = Json.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            id(json, "eventId", body.eventId());
            id(json, "metricId", body.metricId());
            number(json, "total", body.total());
            json.writeArrayPropertyStart("achievements");
            body.achievements().forEach(achievement -> write(json, achievement));
            json.writeEndArray();
            write(json, body.currentStreak());
            json.writeObjectPropertyStart("points");
            body.points().forEach((key, points) -> write(json, key, points));
            json.writeEndObject();
            leaderboards(json, body.leaderboards());
            body.idempotencyKey().ifPresent(key -> json.writeStringProperty("idempotencyKey", key));
            flagIfPresent(json, "idempotentReplayed", body.idempotentReplayed());
            flagIfPresent(json, "pending", body.pending());
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void leaderboards(JsonGenerator json, Optional<Map<String, Object>> leaderboards) {
        if (leaderboards.isEmpty()) {
            return;
        }
        json.writeObjectPropertyStart("leaderboards");
        leaderboards.get().forEach((key, entry) -> {
            json.writeName(key);
            json.writeRawValue(new String(Json.write(entry), StandardCharsets.UTF_8));
        });
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, AchievementBody body) {
        json.writeStartObject();
        id(json, "id", body.id());
        json.writeStringProperty("name", body.name());
        json.writeStringProperty("trigger", body.trigger());
        text(json, "description", body.description());
        text(json, "badgeUrl", body.badgeUrl());
        textIfPresent(json, "key", body.key());
        filters(json, "userAttributes", body.userAttributes());
        filters(json, body.eventAttributes(), body.eventAttribute());
        idIfPresent(json, "metricId", body.metricId());
        textIfPresent(json, "metricName", body.metricName());
        body.metricValue().ifPresent(value -> number(json, "metricValue", value));
        integerIfPresent(json, "streakLength", body.streakLength());
        body.achievementIds().ifPresent(ids -> {
            json.writeArrayPropertyStart("achievementIds");
            ids.forEach(id -> json.writeString(id.toString()));
            json.writeEndArray();
        });
        integerIfPresent(json, "anniversaryYears", body.anniversaryYears());
        body.achievedAt().ifPresent(at -> time(json, "achievedAt", at.value()));
        body.completions().ifPresent(number -> json.writeNumberProperty("completions", number));
        body.rarity().ifPresent(percent -> number(json, "rarity", percent));
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, @Nullable EventStreakBody body) {
        if (body == null) {
            json.writeNullProperty("currentStreak");
            return;
        }
        json.writeObjectPropertyStart("currentStreak");
        json.writeNumberProperty("length", body.length());
        json.writeStringProperty("frequency", body.frequency());
        date(json, "started", body.started());
        date(json, "periodStart", body.periodStart());
        date(json, "periodEnd", body.periodEnd());
        date(json, "expires", body.expires());
        integerIfPresent(json, "freezes", body.freezes());
        integerIfPresent(json, "maxFreezes", body.maxFreezes());
        integerIfPresent(json, "freezeAutoEarnInterval", body.freezeAutoEarnInterval());
        integerIfPresent(json, "freezeAutoEarnAmount", body.freezeAutoEarnAmount());
        json.writeBooleanProperty("extended", body.extended());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, String key, EventPointsBody body) {
        json.writeObjectPropertyStart(key);
        id(json, "id", body.id());
        json.writeStringProperty("key", body.key());
        json.writeStringProperty("name", body.name());
        text(json, "description", body.description());
        text(json, "badgeUrl", body.badgeUrl());
        integer(json, "maxPoints", body.maxPoints());
        json.writeNumberProperty("total", body.total());
        json.writeNumberProperty("added", body.added());
        body.level().ifPresent(level -> level(json, level));
        json.writeArrayPropertyStart("awards");
        body.awards().forEach(award -> write(json, award));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void level(JsonGenerator json, Present<LevelBody> present) {
        LevelBody level = present.value();
        if (level == null) {
            json.writeNullProperty("level");
            return;
        }
        json.writeObjectPropertyStart("level");
        id(json, "id", level.id());
        json.writeStringProperty("key", level.key());
        json.writeStringProperty("name", level.name());
        json.writeStringProperty("description", level.description());
        text(json, "badgeUrl", level.badgeUrl());
        json.writeNumberProperty("points", level.points());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, AwardBody body) {
        json.writeStartObject();
        id(json, "id", body.id());
        json.writeNumberProperty("awarded", body.awarded());
        time(json, "date", body.date());
        json.writeNumberProperty("total", body.total());
        write(json, body.trigger());
        json.writeArrayPropertyStart("boosts");
        body.boosts().forEach(boost -> write(json, boost));
        json.writeEndArray();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, TriggerBody body) {
        json.writeObjectPropertyStart("trigger");
        id(json, "id", body.id());
        json.writeStringProperty("type", body.type());
        json.writeNumberProperty("points", body.points());
        json.writeStringProperty("status", body.status());
        idIfPresent(json, "metricId", body.metricId());
        textIfPresent(json, "metricName", body.metricName());
        body.metricThreshold().ifPresent(threshold -> json.writeNumberProperty("metricThreshold", threshold));
        idIfPresent(json, "achievementId", body.achievementId());
        textIfPresent(json, "achievementName", body.achievementName());
        integerIfPresent(json, "streakLengthThreshold", body.streakLengthThreshold());
        textIfPresent(json, "timeUnit", body.timeUnit());
        integerIfPresent(json, "timeInterval", body.timeInterval());
        filters(json, "userAttributes", body.userAttributes());
        filters(json, body.eventAttributes(), body.eventAttribute());
        time(json, "created", body.created());
        time(json, "updated", body.updated());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, BoostBody body) {
        json.writeStartObject();
        id(json, "id", body.id());
        text(json, "name", body.name());
        json.writeStringProperty("status", body.status());
        date(json, "start", body.start());
        date(json, "end", body.end());
        number(json, "multiplier", body.multiplier());
        json.writeStringProperty("rounding", body.rounding());
        json.writeEndObject();
    }

    private static void filters(JsonGenerator json, Optional<List<AttributeFilterBody>> all,
            Optional<AttributeFilterBody> first) {
        all.ifPresent(filters -> filters(json, "eventAttributes", filters));
        first.ifPresent(filter -> {
            json.writeName("eventAttribute");
            write(json, filter);
        });
    }

    private static void filters(JsonGenerator json, String field, List<AttributeFilterBody> filters) {
        json.writeArrayPropertyStart(field);
        filters.forEach(filter -> write(json, filter));
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, AttributeFilterBody filter) {
        json.writeStartObject();
        json.writeStringProperty("key", filter.key());
        json.writeStringProperty("value", filter.value());
        json.writeEndObject();
    }

    private static void idIfPresent(JsonGenerator json, String field, Optional<UUID> id) {
        id.ifPresent(present -> id(json, field, present));
    }

    private static void textIfPresent(JsonGenerator json, String field, Optional<String> text) {
        text.ifPresent(present -> json.writeStringProperty(field, present));
    }

    private static void integerIfPresent(JsonGenerator json, String field, Optional<Integer> integer) {
        integer.ifPresent(present -> json.writeNumberProperty(field, present));
    }

    private static void flagIfPresent(JsonGenerator json, String field, Optional<Boolean> flag) {
        flag.ifPresent(present -> json.writeBooleanProperty(field, present));
    }
}
