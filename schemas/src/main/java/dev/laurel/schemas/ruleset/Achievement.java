package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * Something a user completes once and keeps.
 *
 * @param description null if none
 * @param badgeUrl null if none
 * @param userAttributes who can complete it: all must match at the moment of evaluation
 * @param backdate whether users who qualify already when it becomes active, or when its rules change, complete it silently
 * @param updated time of the last change to any of this
 * @param activated time at which the present rules came into force; null while it is not active
 * @param activeSince version of the ruleset in which they did; 0 while it is not active
 */
public record Achievement(int number, UUID id, String key, String name, String description, String badgeUrl,
        AchievementTrigger trigger, AchievementStatus status, List<AttributeFilter> userAttributes, boolean backdate,
        Instant created, Instant updated, Instant activated, long activeSince) {

    public Achievement {
        if (status == null) {
            // Written before achievements had a status: it was active from the start.
            status = AchievementStatus.ACTIVE;
            backdate = true;
            updated = created;
            activated = created;
            activeSince = 1;
        }
        userAttributes = userAttributes == null ? List.of() : List.copyOf(userAttributes);
    }

    public boolean isActive() {
        return status == AchievementStatus.ACTIVE;
    }
}
