package dev.laurel.query.read;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.CountCompletions;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.wire.AchievementBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Reads achievements with the number of users who have completed them (docs/application-api.md §3). Thread-safe. */
public final class AchievementReads {

    private final Nodes nodes;
    private final RulesetVersions rulesets;
    private final FreshRulesetRetry retry;

    public AchievementReads(Nodes nodes, RulesetVersions rulesets) {
        this.nodes = nodes;
        this.rulesets = rulesets;
        this.retry = new FreshRulesetRetry(rulesets);
    }

    /**
     * The active achievements, oldest first, with their completions.
     *
     * @param attributes only achievements whose user filters match these; empty for all
     */
    public Result<List<AchievementBody>> all(TenantId tenant, Map<String, String> attributes) {
        return retry.read(tenant, () -> all(rulesets.newest(tenant), tenant, attributes));
    }

    private Result<List<AchievementBody>> all(CompiledRuleset rules, TenantId tenant,
            Map<String, String> attributes) {
        Refusal refusal = rules.refusalOfUserAttributes(attributes.keySet());
        if (refusal != null) {
            return Result.missing(refusal);
        }
        List<Achievement> shown = rules.document().achievements().stream().filter(Achievement::isActive)
                .filter(a -> attributes.isEmpty() || AttributeFilters.match(a.userAttributes(), attributes))
                .sorted(Comparator.comparing(Achievement::created).thenComparing(Achievement::number)).toList();
        var counts = nodes.ask(CountCompletions.of(tenant, shown));
        var bodies = new ArrayList<AchievementBody>(shown.size());
        for (int i = 0; i < shown.size(); i++) {
            bodies.add(counts.addTo(AchievementBodies.of(shown.get(i), rules), i));
        }
        return Result.found(bodies);
    }
}
