package dev.laurel.deploy.tools.doctor.facts;

import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.wire.AdminKeyBody;
import java.util.List;

/**
 * One process, as it answers by HTTP.
 *
 * @param unreachable why it cannot be asked at all; null if it can
 * @param health status of {@code /healthz}
 * @param ready status of {@code /readyz}
 * @param clock null if it does not say
 * @param keyStatus status of a request with the admin key; 0 if there is no key to try
 * @param ruleset null if it serves none: a gateway, or one that refuses the key
 * @param keys those that it knows; null if it does not serve them
 */
public record ServerFacts(String url, String unreachable, int health, int ready, ClockFacts clock, int keyStatus,
        RulesetFacts ruleset, List<AdminKeyBody> keys) {

    /** @param issues what today's rules for rulesets find in it */
    public record RulesetFacts(long version, List<RulesetIssue> issues) {

        public RulesetFacts {
            issues = List.copyOf(issues);
        }
    }

    public ServerFacts {
        keys = keys == null ? null : List.copyOf(keys);
    }

    public static ServerFacts unreachable(String url, String why) {
        return new ServerFacts(url, why, 0, 0, null, 0, null, null);
    }
}
