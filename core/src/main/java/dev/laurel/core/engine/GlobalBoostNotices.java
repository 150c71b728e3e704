package dev.laurel.core.engine;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.PointsRules.BoostRule;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects effects and notices about starts and ends of a ruleset's boosts (docs/webhooks.md §3 "Global boosts"), in order.
 * Their time is that of the start or end, or of the publication if the boost was published later.
 */
public final class GlobalBoostNotices {

    private final CompiledRuleset rules;
    private final long atMs;
    private final List<Effect> effects = new ArrayList<>(0);
    private final List<Notice.ForWebhooks> notices = new ArrayList<>(0);

    /** @param atMs the time of the record of the log that causes the notices */
    public GlobalBoostNotices(CompiledRuleset rules, long atMs) {
        this.rules = rules;
        this.atMs = atMs;
    }

    public void started(PointsSystem system, BoostRule rule) {
        Instant at = notBeforeTheRules(rule.startAnnouncedMs());
        Boost boost = rule.boost();
        effects.add(new Effect.BoostStarted(null, at, system.id(), system.key(), boost.id(), boost.start(),
                boost.end()));
        if (rules.hooks().want(WebhookEvent.POINTS_BOOST_STARTED)) {
            notices.add(new Notice.ForWebhooks(at, WebhookEvent.POINTS_BOOST_STARTED, null,
                    new WebhookPayload.BoostStarted(at, PointsBodies.boost(system, boost, false))));
        }
    }

    public void finished(PointsSystem system, BoostRule rule) {
        Instant at = notBeforeTheRules(rule.endAnnouncedMs());
        Boost boost = rule.boost();
        effects.add(new Effect.BoostFinished(null, at, system.id(), system.key(), boost.id(), boost.start(),
                boost.end()));
        if (rules.hooks().want(WebhookEvent.POINTS_BOOST_FINISHED)) {
            notices.add(new Notice.ForWebhooks(at, WebhookEvent.POINTS_BOOST_FINISHED, null,
                    new WebhookPayload.BoostFinished(at, PointsBodies.boost(system, boost, true))));
        }
    }

    private Instant notBeforeTheRules(long dueMs) {
        return Instant.ofEpochMilli(Math.max(dueMs, rules.publishedMs()));
    }

    public CompiledRuleset rules() {
        return rules;
    }

    public long atMs() {
        return atMs;
    }

    /** One effect for each start and each end. */
    public List<Effect> effects() {
        return effects;
    }

    public List<Notice.ForWebhooks> notices() {
        return notices;
    }
}
