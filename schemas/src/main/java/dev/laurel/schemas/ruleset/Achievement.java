package dev.laurel.schemas.ruleset;

import java.time.Instant;
import java.util.UUID;

/**
 * Something a user completes once and keeps.
 *
 * @param description null if none
 * @param badgeUrl null if none
 */
public record Achievement(int number, UUID id, String key, String name, String description, String badgeUrl,
        AchievementTrigger trigger, Instant created) {}
