package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Records;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * docs/application-api.md §2 "Achievement". {@link #achievedAt} is present only in answers about a user, completions and rarity
 * only in lists.
 *
 * @param eventAttribute the first of {@code eventAttributes}, for clients that know only one
 */
public record AchievementBody(
        UUID id,
        String name,
        String trigger,
        @Nullable String description,
        @Nullable String badgeUrl,
        Optional<String> key,
        List<AttributeFilterBody> userAttributes,
        Optional<List<AttributeFilterBody>> eventAttributes,
        Optional<AttributeFilterBody> eventAttribute,
        Optional<UUID> metricId,
        Optional<String> metricName,
        Optional<BigDecimal> metricValue,
        Optional<Integer> streakLength,
        Optional<List<UUID>> achievementIds,
        Optional<Integer> anniversaryYears,
        Optional<UUID> leaderboardId,
        Optional<String> leaderboardName,
        Optional<Integer> rankFrom,
        Optional<Integer> rankTo,
        Optional<Present<Instant>> achievedAt,
        Optional<Long> completions,
        Optional<BigDecimal> rarity) {

    /** @param at null: not completed */
    public AchievementBody achieved(@Nullable Instant at) {
        return Records.with(this, "achievedAt", Present.of(at));
    }

    public AchievementBody counted(long completedBy, BigDecimal percent) {
        return Records.with(this, "completions", Optional.of(completedBy), "rarity", Optional.of(percent));
    }

    /** A required value of an attribute. */
    public record AttributeFilterBody(String key, String value) {}
}
