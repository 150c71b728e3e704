package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import dev.laurel.schemas.wire.PointsSystemBody.LevelBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserBoostBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened to a user: an entry of {@code GET /admin/v1/users/{id}/timeline} (docs/admin-api.md B7). Which fields are
 * present depends on the type.
 *
 * @param type as in effects, where there is such an effect
 * @param at when it happened; the beginning of {@code date} in the user's time zone if only the date is known
 * @param date the user's local date, in entries about streaks, pauses and boosts
 * @param length of the streak: after the change; of a lost streak before it
 * @param isUndone whether a restore has undone a reset
 * @param level reached; null: none
 * @param previousLevel null: none
 */
public record TimelineEntryBody(String type, Instant at, Optional<LocalDate> date, Optional<Integer> length,
        Optional<Boolean> isUndone, Optional<NamedBody> achievement, Optional<NamedBody> points,
        Optional<AwardBody> award, Optional<Present<LevelBody>> level, Optional<Present<LevelBody>> previousLevel,
        Optional<PauseBody> pause, Optional<UserBoostBody> boost, Optional<SentBody> message) {

    /** An object of the ruleset. @param name null if the object was deleted */
    public record NamedBody(UUID id, String key, @Nullable String name) {}

    /**
     * A message that was handed to delivery.
     *
     * @param templates of the channels on which it was sent, which may have been deleted since
     * @param isReturned whether the user had an event within two days
     */
    public record SentBody(List<SentTemplateBody> templates, boolean isReturned, boolean isOpened, boolean isClicked) {}

    /** @param id null if the template was deleted, as {@code name} */
    public record SentTemplateBody(String channel, @Nullable UUID id, @Nullable String name) {}

    /** An entry with nothing but its type and time. */
    public static TimelineEntryBody of(String type, Instant at) {
        return new TimelineEntryBody(type, at, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(),
                Optional.empty(), Optional.empty());
    }

    /** @param changedLength null: not about the length of a streak */
    public TimelineEntryBody on(LocalDate day, @Nullable Integer changedLength) {
        return Records.with(this, "date", Optional.of(day), "length", Optional.ofNullable(changedLength));
    }

    public TimelineEntryBody undone(boolean isNow) {
        return Records.with(this, "isUndone", Optional.of(isNow));
    }

    public TimelineEntryBody of(NamedBody completed) {
        return Records.with(this, "achievement", Optional.of(completed));
    }

    public TimelineEntryBody of(NamedBody system, AwardBody made) {
        return Records.with(this, "points", Optional.of(system), "award", Optional.of(made));
    }

    public TimelineEntryBody of(NamedBody system, @Nullable LevelBody former, @Nullable LevelBody reached) {
        return Records.with(this, "points", Optional.of(system), "level", Optional.of(new Present<>(reached)),
                "previousLevel", Optional.of(new Present<>(former)));
    }

    public TimelineEntryBody of(PauseBody planned) {
        return Records.with(this, "pause", Optional.of(planned));
    }

    public TimelineEntryBody of(@Nullable NamedBody system, UserBoostBody given) {
        return Records.with(this, "points", Optional.ofNullable(system), "boost", Optional.of(given));
    }

    public TimelineEntryBody of(SentBody sent) {
        return Records.with(this, "message", Optional.of(sent));
    }
}
