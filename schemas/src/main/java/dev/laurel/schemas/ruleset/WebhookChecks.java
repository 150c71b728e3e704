package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.WebhookSource;
import java.util.Map;

import static dev.laurel.schemas.ruleset.IssueList.quoted;

/** Webhooks: admin-api.md B5, webhooks.md §2. */
final class WebhookChecks {

    /** Each is told of each event that it asks for. */
    static final int MAX_WEBHOOKS = 100;

    static final int MAX_URL_LENGTH = 2000;

    private final SourceChecks checks;
    private final IssueList issues;

    WebhookChecks(SourceChecks checks, IssueList issues) {
        this.checks = checks;
        this.issues = issues;
    }

    void check(Map<String, WebhookSource> webhooks) {
        checks.entries("/webhooks", webhooks, MAX_WEBHOOKS, this::webhook);
    }

    private void webhook(String path, WebhookSource webhook) {
        checks.id(path, webhook.id());
        checks.name(path, webhook.name());
        if (issues.required(path + "/url", webhook.url())) {
            checks.url(path + "/url", webhook.url());
            checks.noCredentials(path + "/url", webhook.url());
            checks.text(path + "/url", webhook.url(), MAX_URL_LENGTH);
        }
        if (issues.required(path + "/events", webhook.events())) {
            issues.expect(!webhook.events().isEmpty(), path + "/events", "must name at least one event");
            checks.keys(path + "/events", webhook.events(), this::event);
        }
        issues.oneOf(path + "/status", webhook.status(), "active", "inactive");
    }

    private void event(String path, String type) {
        if (issues.required(path, type)) {
            issues.expect(WebhookEvent.types().contains(type), path, "must be one of "
                    + String.join(", ", WebhookEvent.types()) + "; is " + quoted(type));
        }
    }
}
