package dev.laurel.schemas.ruleset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetSource.AchievementSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributeSource;
import dev.laurel.schemas.ruleset.RulesetSource.AttributesSource;
import dev.laurel.schemas.ruleset.RulesetSource.MetricSource;
import dev.laurel.schemas.ruleset.RulesetSource.PointsSource;
import dev.laurel.schemas.ruleset.RulesetSource.SettingsSource;
import dev.laurel.schemas.ruleset.RulesetSource.StreakSource;
import dev.laurel.schemas.ruleset.RulesetSource.TriggerSource;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class RulesetExportTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(60);

    @Test
    void shouldChangeNothingWhenExportIsAppliedAgain() {
        Ruleset ruleset = applied(Ruleset.empty(TenantId.NONE), everything());

        var again = RulesetEditor.apply(ruleset, replaceBy(RulesetExport.sourceOf(ruleset)), LATER);

        assertInstanceOf(RulesetEditor.Result.Unchanged.class, again);
    }

    @Test
    void shouldGiveTheSameSourceOnAnotherInstance() {
        RulesetSource exported = RulesetExport.sourceOf(applied(Ruleset.empty(TenantId.NONE), everything()));

        Ruleset elsewhere = applied(Ruleset.empty(new TenantId("acme")), exported);

        assertEquals(exported, RulesetExport.sourceOf(elsewhere));
    }

    @Test
    void shouldKeepOrderOfEntries() {
        Ruleset ruleset = applied(Ruleset.empty(TenantId.NONE), everything());

        assertEquals(List.of("laps-swum", "spent"),
                List.copyOf(RulesetExport.sourceOf(ruleset).metrics().keySet()));
    }

    @Test
    void shouldLeaveOutDefaults() {
        var source = new RulesetSource(Map.of("laps", new MetricSource(null, "laps", "number", "")), null, null, null,
                new StreakSource(true, "daily", "OR", null), new SettingsSource(0, "UTC"));

        RulesetSource exported = RulesetExport.sourceOf(applied(Ruleset.empty(TenantId.NONE), source));

        UUID id = exported.metrics().get("laps").id();
        assertEquals(new MetricSource(id, null, null, null), exported.metrics().get("laps"));
        assertNull(exported.streak());
    }

    private static Ruleset applied(Ruleset current, RulesetSource source) {
        return assertInstanceOf(RulesetEditor.Result.Changed.class,
                RulesetEditor.apply(current, replaceBy(source), NOON)).ruleset();
    }

    private static RulesetEdit replaceBy(RulesetSource source) {
        return new RulesetEdit.Replace(source);
    }

    private static RulesetSource everything() {
        var metrics = new LinkedHashMap<String, MetricSource>();
        metrics.put("laps-swum", new MetricSource(UUID.randomUUID(), "Laps", null, "laps"));
        metrics.put("spent", new MetricSource(null, null, "currency", "EUR"));
        var attributes = new AttributesSource(Map.of("plan", new AttributeSource(null, "Plan")),
                Map.of("pool", new AttributeSource(null, null)));
        var achievement = new AchievementSource(null, "Ten", "Swim ten laps.", "https://example.org/ten.png",
                "metric", "laps-swum", new BigDecimal("10.50"));
        var trigger = new TriggerSource(null, "metric", "laps-swum", 5L, -3L);
        var points = new PointsSource(null, "XP", "Effort.", null, 5000L, Map.of("per-five", trigger));
        return new RulesetSource(metrics, attributes, Map.of("ten", achievement), Map.of("xp", points),
                new StreakSource(false, "daily", "AND", Map.of("laps-swum", new BigDecimal("2.0"))),
                new SettingsSource(5, "Europe/Helsinki"));
    }
}
