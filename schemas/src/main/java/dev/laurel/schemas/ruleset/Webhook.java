package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A URL that receives events (docs/admin-api.md B5). The secret that signs the events is not part of the ruleset, because
 * rulesets are kept forever and exported.
 *
 * @param number see {@link Ruleset}
 * @param active an inactive webhook receives nothing; its pending deliveries are dropped
 */
public record Webhook(
        int number,
        UUID id,
        String key,
        String name,
        String description,
        String url,
        List<WebhookEvent> events,
        boolean active,
        Instant created,
        Instant updated) {

    private static final int MAX_URL_LENGTH = 2000;

    /** A URL that receives events by POST requests (docs/admin-api.md B5). */
    public static final Kind<Webhook> KIND = Kind.of(
                    "webhook",
                    Webhook.class,
                    SharedFields.name(),
                    SharedFields.description(),
                    // The URL: an absolute http or https address.
                    // API: http or https.
                    Field.text("url", MAX_URL_LENGTH)
                            .must(SharedFields::urlProblem)
                            .must(Webhook::credentialsProblem)
                            .required()
                            .schema(SharedFields.WEB_ADDRESS),
                    // The events that the webhook receives.
                    Field.words("events", WebhookEvent.class, WebhookEvent::type, "must name at least one event")
                            .required(),
                    // Whether the webhook is used.
                    Field.either("status", "active", "inactive").as("active").defaultsTo("active"))
            .identified(Keys.ID)
            .requiredAtCreation("name")
            .shown("id", "name", "key", "description", "url", "events", "status", "created", "updated");

    /** Refuses credentials, because rulesets are kept forever, exported and shown. */
    private static @Nullable String credentialsProblem(String url) {
        try {
            return new URI(url).getRawUserInfo() == null ? null : "must not have a user name or password";
        } catch (URISyntaxException _) {
            return null; // another rule reports an invalid URL
        }
    }

    public Webhook {
        events = List.copyOf(events);
    }
}
