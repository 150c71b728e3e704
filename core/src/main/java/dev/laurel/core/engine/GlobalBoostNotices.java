package dev.laurel.core.engine;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.PointsRules.BoostRule;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.Boost;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.WebhookEvent;
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
        add(system, rule.boost(), rule.startAnnouncedMs(), false);
    }

    public void finished(PointsSystem system, BoostRule rule) {
        add(system, rule.boost(), rule.endAnnouncedMs(), true);
    }

    private void add(PointsSystem system, Boost boost, long dueMs, boolean isEnd) {
        var at = Instant.ofEpochMilli(Math.max(dueMs, rules.publishedMs()));
        effects.add(Announcements.boostEffect(null, at, system, boost.id(), boost.start(), boost.end(), isEnd));
        WebhookEvent event = Announcements.boostEvent(isEnd);
        if (rules.hooks().want(event)) {
            notices.add(new Notice.ForWebhooks(
                    at, event, null, Announcements.boostPayload(at, PointsBodies.boost(system, boost, isEnd), isEnd)));
        }
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
