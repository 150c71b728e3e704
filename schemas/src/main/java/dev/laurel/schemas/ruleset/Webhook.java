package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Kind.Keys;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/**
 * An address that is told of events (docs/admin-api.md B5). The secret that signs what it is sent is no part of it: documents are
 * kept for ever and exported.
 *
 * @param number see {@link Ruleset}
 * @param active an inactive one is told nothing, and what waits for it is dropped
 */
public record Webhook(int number, UUID id, String key, String name, String description, String url,
        List<WebhookEvent> events, boolean active, Instant created, Instant updated) {

    private static final int MAX_URL_LENGTH = 2000;

    /** docs/admin-api.md B5. */
    public static final Kind<Webhook> KIND = Kind.of("webhook", Webhook.class, SharedFields.name(),
            SharedFields.description(),
            Field.text("url", MAX_URL_LENGTH).must(SharedFields::urlProblem).must(Webhook::credentialsProblem)
                    .required()
                    .schema(SharedFields.WEB_ADDRESS).about("Where it is: an absolute http or https address.")
                    .adminAbout("http or https."),
            Field.words("events", WebhookEvent.class, WebhookEvent::type, "must name at least one event").required()
                    .about("What it is told of."),
            Field.either("status", "active", "inactive").as("active").defaultsTo("active").about("Whether it is used."))
            .identified(Keys.ID).about("An address that is told of events by POST requests.")
            .requiredAtCreation("name")
            .shown("id", "name", "key", "description", "url", "events", "status", "created", "updated");

    /** Documents are kept for ever, exported and shown: what opens something is no part of them. */
    private static String credentialsProblem(String url) {
        try {
            return new URI(url).getRawUserInfo() == null ? null : "must not have a user name or password";
        } catch (URISyntaxException _) {
            return null; // no address at all
        }
    }

    public Webhook {
        events = List.copyOf(events);
    }
}
