package dev.laurel.schemas.wire;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * admin-api.md B1. Fields of other triggers are left out.
 *
 * @param key left out if it is only the id
 * @param badge null if there is none
 * @param completions how many users have it; left out where an answer comes without a look at users, in that to a PATCH
 */
public record AchievementConfigBody(UUID id, String name, String trigger, Optional<String> key, String description,
        BadgeBody badge, String status, Optional<UUID> metricId, Optional<BigDecimal> metricValue,
        Optional<Integer> streakLength, Optional<List<UUID>> achievementIds, List<FilterConfigBody> userAttributes,
        Optional<List<FilterConfigBody>> eventAttributes, Instant created, Instant updated, Optional<Long> completions)
        implements
            AdminBody {

    public AchievementConfigBody counted(long completedBy) {
        return new AchievementConfigBody(id, name, trigger, key, description, badge, status, metricId, metricValue,
                streakLength, achievementIds, userAttributes, eventAttributes, created, updated,
                Optional.of(completedBy));
    }
}
