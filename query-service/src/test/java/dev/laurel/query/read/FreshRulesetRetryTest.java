package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Notifications;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Settings;
import dev.laurel.schemas.ruleset.StreakSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class FreshRulesetRetryTest {

    private final Lagging rulesets = new Lagging();
    private final RulesetVersions versions = new RulesetVersions(rulesets, Duration.ZERO);
    private int attempts;

    @Test
    void shouldRepeatTheReadWithANewerRuleset() {
        rulesets.published = 2;

        assertEquals(2L, read(2));
        assertEquals(2, attempts);
    }

    @Test
    void shouldNotRepeatTheReadWithoutANewerRuleset() {
        assertEquals(
                Refusal.unknown("metric", "runs"),
                assertThrows(Refused.class, () -> read(2)).refusal());
        assertEquals(1, attempts);
        assertEquals(1, rulesets.waits);
    }

    @Test
    void shouldNotWaitForARulesetIfTheReadSucceeds() {
        rulesets.isFollowed = false;

        assertEquals(1L, read(1));
        assertEquals(0, rulesets.waits);
    }

    @Test
    void shouldNotBeReadyIfTheNewestRulesetIsUnknown() {
        rulesets.isFollowed = false;

        assertThrows(NotReadyException.class, () -> read(2));
    }

    /** Finds what version {@code needed} contains. */
    private long read(long needed) {
        return new FreshRulesetRetry(versions).read(TenantId.NONE, _ -> {
            attempts++;
            long version = versions.newest(TenantId.NONE).version();
            if (version < needed) {
                throw new Refused(Refusal.unknown("metric", "runs"));
            }
            return version;
        });
    }

    /** Shows a published version only after a caller has waited for it. */
    private static final class Lagging implements Rulesets {

        private long known = 1;
        private long published = 1;
        private boolean isFollowed = true;
        private int waits;

        @Override
        public Ruleset newest(TenantId tenant) {
            return version(tenant, known);
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            return new Ruleset(
                    tenant,
                    version,
                    Instant.EPOCH,
                    1,
                    List.of(),
                    List.of(),
                    List.of(),
                    StreakSettings.DEFAULT,
                    List.of(),
                    List.of(),
                    Settings.DEFAULT,
                    List.of(),
                    Notifications.NONE,
                    List.of(),
                    null,
                    null);
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            return version(tenant, version);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            waits++;
            known = isFollowed ? published : known;
            return isFollowed;
        }
    }
}
