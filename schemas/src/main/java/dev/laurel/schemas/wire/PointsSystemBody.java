package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.AchievementBody.AttributeFilterBody;
import dev.laurel.schemas.wire.EditBody.AdminBody;
import dev.laurel.schemas.wire.EditBody.VariantBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code GET /points/{key}}, with the active triggers. */
public record PointsSystemBody(BaseSystemBody base, List<TriggerBody> triggers) implements VariantBody {

    /** docs/application-api.md §2 "Points": the fields of a points system in all variants. */
    public record BaseSystemBody(
            UUID id,
            String key,
            String name,
            @Nullable String description,
            @Nullable String badgeUrl,
            @Nullable Long maxPoints) {}

    /** docs/application-api.md §2 "Points": one entry of the ledger. */
    public record AwardBody(
            UUID id, long awarded, Instant date, long total, TriggerBody trigger, List<BoostBody> boosts) {}

    /** docs/application-api.md §2 "Points": a boost. */
    public record BoostBody(
            UUID id,
            @Nullable String name,
            String status,
            LocalDate start,
            @Nullable LocalDate end,
            BigDecimal multiplier,
            String rounding) {}

    /** docs/application-api.md §2 "Points": a level. */
    public record LevelBody(
            UUID id,
            String key,
            String name,
            String description,
            @Nullable String badgeUrl,
            long points) {}

    /** {@code GET /points/{key}/level-summary}: how many users hold the level now. */
    public record LevelUsersBody(@Nullable LevelBody level, long users) {}

    /** {@code GET /points/{key}/summary}: how many users have a total from {@code from} to {@code to}, both inclusive. */
    public record PointsRangeBody(long from, long to, long users) {}

    /**
     * A boost with its points system (docs/webhooks.md §2 "boost").
     *
     * @param status {@code active} or {@code finished}
     * @param userId null unless the boost is personal
     * @param end inclusive; null if the boost has no end
     */
    public record SystemBoostBody(
            UUID id,
            @Nullable String name,
            String status,
            @Nullable String userId,
            UUID pointsSystemId,
            String pointsSystemKey,
            String pointsSystemName,
            LocalDate start,
            @Nullable LocalDate end,
            BigDecimal multiplier,
            String rounding) {}

    /** A points system with the total of a user (docs/webhooks.md §2, points.level_changed). */
    public record SystemTotalBody(BaseSystemBody base, long total) implements VariantBody {}

    /**
     * docs/application-api.md §2 "Points": a trigger within an award. Each type has fields of its own.
     *
     * @param timeUnit {@code hour} or {@code day}
     * @param eventAttribute the first of {@code eventAttributes}, for clients that know only one
     */
    public record TriggerBody(
            UUID id,
            String type,
            long points,
            String status,
            Optional<UUID> metricId,
            Optional<String> metricName,
            Optional<Long> metricThreshold,
            Optional<UUID> achievementId,
            Optional<String> achievementName,
            Optional<Integer> streakLengthThreshold,
            Optional<String> timeUnit,
            Optional<Integer> timeInterval,
            Optional<UUID> leaderboardId,
            Optional<String> leaderboardName,
            Optional<Integer> rankFrom,
            Optional<Integer> rankTo,
            List<AttributeFilterBody> userAttributes,
            Optional<List<AttributeFilterBody>> eventAttributes,
            Optional<AttributeFilterBody> eventAttribute,
            Instant created,
            Instant updated) {}

    /** {@code GET /users/{id}/points/{key}}, with the newest award first. */
    public record UserPointsBody(
            BaseSystemBody base, long total, @Nullable LevelBody level, List<AwardBody> awards)
            implements VariantBody {}

    /** A personal boost in the admin API (docs/admin-api.md A4 "boosts"). */
    public record UserBoostBody(BoostBody base, String userId) implements AdminBody, VariantBody {

        @Override
        public UUID id() {
            return base.id();
        }
    }
}
