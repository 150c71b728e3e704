package dev.laurel.schemas.wire;

/** The body of an event for webhooks (webhooks.md §2): made of the bodies of the API. */
public sealed interface WebhookPayload {

    /** As {@code WebhookEvent.type()} says it. */
    String type();

    record AchievementCompleted(String type, UserBody user, AchievementBody achievement) implements WebhookPayload {}

    record PointsChanged(String type, UserBody user, EventPointsBody points) implements WebhookPayload {}

    record StreakLost(String type, UserBody user, int length) implements WebhookPayload {}
}
