package dev.laurel.schemas.ruleset;

import java.util.UUID;

/**
 * A level of a points system (semantics.md §6).
 *
 * @param key unique in its points system
 * @param description empty if none, never null
 * @param badgeUrl null if none
 * @param points the threshold, unique in the system
 */
public record Level(int number, UUID id, String key, String name, String description, String badgeUrl, long points) {}
