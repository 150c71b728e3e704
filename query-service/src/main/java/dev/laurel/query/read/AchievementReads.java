package dev.laurel.query.read;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.wire.AchievementBody;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** The read about achievements and all users (application-api.md §3). Thread-safe; knows no HTTP. */
public final class AchievementReads {

    private final Nodes nodes;
    private final RulesetVersions rulesets;
    private final SecondLook secondLook;

    public AchievementReads(Nodes nodes, RulesetVersions rulesets) {
        this.nodes = nodes;
        this.rulesets = rulesets;
        this.secondLook = new SecondLook(rulesets);
    }

    /**
     * The active achievements, oldest first, with how many have completed them.
     *
     * @param attributes only those whose user filters these meet; empty: all
     */
    public Result<List<AchievementBody>> all(TenantId tenant, Map<String, String> attributes) {
        return secondLook.read(tenant, () -> all(rulesets.newest(tenant), tenant, attributes));
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
        var counts = CompletionCounts.of(nodes, tenant, shown);
        var bodies = new ArrayList<AchievementBody>(shown.size());
        for (int i = 0; i < shown.size(); i++) {
            bodies.add(counts.addTo(AchievementBodies.of(shown.get(i), rules), i));
        }
        return Result.found(bodies);
    }
}
