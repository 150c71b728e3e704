package dev.laurel.processors.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RulesetVersionsTest {

    private static final long NEWEST = 40;
    private static final long MAX_BYTES = 100_000;

    private final Numbered documents = new Numbered();

    @Test
    void shouldKeepWithinItsMemoryWhatWasUsedLastOrMost() {
        var versions = new RulesetVersions(documents, Duration.ZERO, MAX_BYTES);
        CompiledRuleset first = versions.get(TenantId.NONE, 1);
        assertSame(first, versions.get(TenantId.NONE, 1));

        for (long version = 2; version < NEWEST; version++) {
            versions.newest(TenantId.NONE);
            for (int use = 0; use < 3; use++) {
                versions.get(TenantId.NONE, version);
            }
            assertTrue(versions.kept() < 10, () -> versions.kept() + " versions");
        }

        int read = documents.reads.get();
        assertEquals(NEWEST, versions.newest(TenantId.NONE).version());
        assertEquals(read, documents.reads.get(), "the newest was not discarded");
        assertNotSame(first, versions.get(TenantId.NONE, 1));
    }

    @Test
    void shouldBeNullForAVersionThatWasNeverPublished() {
        assertNull(new RulesetVersions(documents, Duration.ZERO).get(TenantId.NONE, NEWEST + 1));
    }

    /** Versions in which the name of the first of some metrics differs. */
    private static final class Numbered implements Rulesets {

        private final AtomicInteger reads = new AtomicInteger();

        @Override
        public Ruleset newest(TenantId tenant) {
            return version(tenant, NEWEST);
        }

        @Override
        public Ruleset version(TenantId tenant, long version) {
            if (version > NEWEST) {
                return null;
            }
            Ruleset empty = Ruleset.empty(tenant);
            List<Metric> metrics = IntStream.range(0, 20)
                    .mapToObj(i -> new Metric(
                            i + 1,
                            new UUID(0, i),
                            "m" + i,
                            "Metric " + (i == 0 ? version : 0),
                            "number",
                            "",
                            Instant.EPOCH))
                    .toList();
            return new Ruleset(
                    tenant,
                    version,
                    Instant.EPOCH,
                    21,
                    metrics,
                    empty.attributes(),
                    empty.achievements(),
                    empty.streak(),
                    empty.pointsSystems(),
                    empty.leaderboards(),
                    empty.settings(),
                    empty.webhooks(),
                    empty.notifications(),
                    empty.retired(),
                    null,
                    null);
        }

        @Override
        public Ruleset await(TenantId tenant, long version, Duration timeout) {
            reads.incrementAndGet();
            return version(tenant, version);
        }

        @Override
        public boolean awaitNewest(Duration timeout) {
            return true;
        }
    }
}
