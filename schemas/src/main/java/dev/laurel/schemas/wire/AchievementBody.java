package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * application-api.md §2 "Achievement". {@link #achievedAt} is there in answers about a user only, completions and rarity
 * in lists only.
 *
 * @param eventAttribute the first of {@code eventAttributes}, for clients that know only one
 */
public record AchievementBody(UUID id, String name, String trigger, String description, String badgeUrl,
        Optional<String> key, List<AttributeFilterBody> userAttributes,
        Optional<List<AttributeFilterBody>> eventAttributes, Optional<AttributeFilterBody> eventAttribute,
        Optional<UUID> metricId, Optional<String> metricName, Optional<BigDecimal> metricValue,
        Optional<Integer> streakLength, Optional<List<UUID>> achievementIds, Optional<Present<Instant>> achievedAt,
        Optional<Long> completions, Optional<BigDecimal> rarity) {

    /** @param at null while it is open */
    public AchievementBody achieved(Instant at) {
        return new AchievementBody(id, name, trigger, description, badgeUrl, key, userAttributes, eventAttributes,
                eventAttribute, metricId, metricName, metricValue, streakLength, achievementIds,
                Optional.of(new Present<>(at)), completions, rarity);
    }

    public AchievementBody counted(long completedBy, BigDecimal percent) {
        return new AchievementBody(id, name, trigger, description, badgeUrl, key, userAttributes, eventAttributes,
                eventAttribute, metricId, metricName, metricValue, streakLength, achievementIds, achievedAt,
                Optional.of(completedBy), Optional.of(percent));
    }
}
