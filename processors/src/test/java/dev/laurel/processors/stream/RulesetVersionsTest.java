package dev.laurel.processors.stream;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

class RulesetVersionsTest {

    private static final long NEWEST = 3;

    private final RulesetVersions versions = new RulesetVersions(new LargeVersions(), Duration.ZERO);

    @Test
    void shouldForgetOldVersionsAndKeepTheNewest() {
        CompiledRuleset newest = versions.newest(TenantId.NONE);
        CompiledRuleset old = versions.get(TenantId.NONE, 1);
        assertSame(old, versions.get(TenantId.NONE, 1));

        versions.get(TenantId.NONE, 2);

        assertNotSame(old, versions.get(TenantId.NONE, 1));
        assertSame(newest, versions.newest(TenantId.NONE));
    }

    /** Two such versions exceed the maximum. */
    private static final class LargeVersions implements Rulesets {

        @Override
        public Ruleset newest(TenantId tenant) {
            return version(tenant, NEWEST);
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            Ruleset empty = Ruleset.empty(tenant);
            return new Ruleset(tenant, version, Instant.EPOCH, 150_000, empty.metrics(), empty.attributes(),
                    empty.achievements(), empty.streak(), empty.pointsSystems(), empty.leaderboards(), empty.settings(),
                    empty.webhooks(), empty.notifications(), empty.retired());
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return version(tenant, version);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    }
}
