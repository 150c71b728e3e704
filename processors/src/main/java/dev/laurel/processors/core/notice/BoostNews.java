package dev.laurel.processors.core.notice;

import dev.laurel.processors.core.rules.BoostRule;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.wire.WebhookPayload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What is told at one moment of a tenant's boosts that are no single user's (webhooks.md §3 "Global boosts"): gathered in order.
 * They happen at their times, or, where the boost came later, when it came.
 */
public final class BoostNews {

    private final CompiledRuleset rules;
    private final long atMs;
    private final List<Effect> effects = new ArrayList<>(0);
    private final List<Notice.ForWebhooks> notices = new ArrayList<>(0);

    /** @param atMs the time of the record of the log from which it follows */
    public BoostNews(CompiledRuleset rules, long atMs) {
        this.rules = rules;
        this.atMs = atMs;
    }

    public void started(PointsSystem system, BoostRule rule) {
        Instant at = noSoonerThanTheRules(rule.startToldMs());
        Boost boost = rule.boost();
        effects.add(new Effect.BoostStarted(null, at, system.id(), system.key(), boost.id(), boost.start(),
                boost.end()));
        if (rules.hooks().want(WebhookEvent.POINTS_BOOST_STARTED)) {
            notices.add(new Notice.ForWebhooks(at, WebhookEvent.POINTS_BOOST_STARTED, null,
                    new WebhookPayload.BoostStarted(at, PointsBodies.boost(system, boost, false))));
        }
    }

    public void finished(PointsSystem system, BoostRule rule) {
        Instant at = noSoonerThanTheRules(rule.endToldMs());
        Boost boost = rule.boost();
        effects.add(new Effect.BoostFinished(null, at, system.id(), system.key(), boost.id(), boost.start(),
                boost.end()));
        if (rules.hooks().want(WebhookEvent.POINTS_BOOST_FINISHED)) {
            notices.add(new Notice.ForWebhooks(at, WebhookEvent.POINTS_BOOST_FINISHED, null,
                    new WebhookPayload.BoostFinished(at, PointsBodies.boost(system, boost, true))));
        }
    }

    private Instant noSoonerThanTheRules(long dueMs) {
        return Instant.ofEpochMilli(Math.max(dueMs, rules.publishedMs()));
    }

    public CompiledRuleset rules() {
        return rules;
    }

    public long atMs() {
        return atMs;
    }

    /** One for each thing that happened. */
    public List<Effect> effects() {
        return effects;
    }

    public List<Notice.ForWebhooks> notices() {
        return notices;
    }
}
