package dev.laurel.gateway.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.laurel.gateway.FixedRulesets;
import dev.laurel.gateway.admission.Admissions.Admission;
import dev.laurel.gateway.admission.Admissions.Verdict;
import dev.laurel.schemas.command.Command.CompleteAchievement;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AdmissionTest {

    private static final Metric LAPS = FixedRulesets.SWIMMING.metrics().getFirst();

    private final Admission admission = new Admission(FixedRulesets.SWIMMING);

    @Test
    void shouldAdmitEventOfKnownMetricAndNameTheMetric() {
        assertEquals(new Verdict.Admitted(LAPS), admission.check(event("laps-swum", Map.of(), Map.of())));
    }

    @Test
    void shouldAdmitKnownAttributesOfUserAndEvent() {
        var event = event("laps-swum", Map.of("city", Change.set("Turku")), Map.of("pool", "east"));

        assertInstanceOf(Verdict.Admitted.class, admission.check(event));
    }

    @Test
    void shouldRefuseUnknownMetric() {
        assertEquals(
                new Verdict.Denied(Refusal.unknown("metric", "runs")),
                admission.check(event("runs", Map.of(), Map.of())));
    }

    @Test
    void shouldDistinguishMetricKeysByCase() {
        assertEquals(
                new Verdict.Denied(Refusal.unknown("metric", "Laps-Swum")),
                admission.check(event("Laps-Swum", Map.of(), Map.of())));
    }

    @Test
    void shouldRefuseUnknownMetricBeforeUnknownAttributes() {
        assertEquals(
                new Verdict.Denied(Refusal.unknown("metric", "runs")),
                admission.check(event("runs", Map.of("pln", Change.set("x")), Map.of("pol", "y"))));
    }

    @Test
    void shouldNameEveryUnknownAttributeOfUserAndEventAtOnce() {
        var event = event(
                "laps-swum",
                Map.of("pln", Change.set("x"), "city", Change.set("Turku")),
                Map.of("pol", "y", "pool", "east"));

        assertEquals(new Verdict.Denied(Refusal.unknownAttributes(List.of("pln", "pol"))), admission.check(event));
    }

    @Test
    void shouldRefuseAttributeOfUsersInAnEvent() {
        assertEquals(
                new Verdict.Denied(Refusal.unknownAttributes(List.of("city"))),
                admission.check(event("laps-swum", Map.of(), Map.of("city", "Turku"))));
    }

    @Test
    void shouldRefuseClearingUnknownAttribute() {
        assertEquals(
                new Verdict.Denied(Refusal.unknownAttributes(List.of("pln"))),
                admission.check(new IdentifyUser(user(Map.of("pln", Change.clear())), false)));
    }

    @Test
    void shouldAdmitIdentificationWithKnownAttributes() {
        assertEquals(
                new Verdict.Admitted(null),
                admission.check(new IdentifyUser(user(Map.of("plan", Change.set("pro"))), true)));
    }

    @Test
    void shouldCheckOnlyTheUserOfACompletion() {
        var known = new CompleteAchievement(user(Map.of("plan", Change.set("pro"))), "gone");
        var unknown = new CompleteAchievement(user(Map.of("pln", Change.set("pro"))), "gone");

        assertEquals(new Verdict.Admitted(null), admission.check(known));
        assertEquals(new Verdict.Denied(Refusal.unknownAttributes(List.of("pln"))), admission.check(unknown));
    }

    @Test
    void shouldRefuseEveryEventBeforeTheFirstRuleset() {
        var empty = new Admission(Ruleset.empty(TenantId.NONE));

        assertEquals(
                new Verdict.Denied(Refusal.unknown("metric", "laps-swum")),
                empty.check(event("laps-swum", Map.of(), Map.of())));
    }

    @Test
    void shouldUseANewVersionAtOnce() {
        var rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
        var admissions = new Admissions(rulesets);
        var run = event("runs", Map.of(), Map.of());
        assertInstanceOf(Verdict.Denied.class, admissions.newest(TenantId.NONE).check(run));

        var runs = new Metric(5, new UUID(7, 5), "runs", "Runs", "number", "", Instant.EPOCH);
        rulesets.publish(FixedRulesets.ruleset(2, List.of(LAPS, runs)));

        assertEquals(
                new Verdict.Admitted(runs), admissions.newest(TenantId.NONE).check(run));
    }

    @Test
    void shouldWaitForTheNewestRulesetBeforeRefusing() {
        var rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
        var admissions = new Admissions(rulesets);
        var runs = new Metric(5, new UUID(7, 5), "runs", "Runs", "number", "", Instant.EPOCH);
        rulesets.publishElsewhere(FixedRulesets.ruleset(2, List.of(LAPS, runs)));

        Verdict verdict = admissions.check(TenantId.NONE, a -> a.check(event("runs", Map.of(), Map.of())));

        assertEquals(new Verdict.Admitted(runs), verdict);
    }

    @Test
    void shouldAdmitWithoutWaiting() {
        var rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
        rulesets.isFollowed = false;

        Verdict verdict =
                new Admissions(rulesets).check(TenantId.NONE, a -> a.check(event("laps-swum", Map.of(), Map.of())));

        assertEquals(new Verdict.Admitted(LAPS), verdict);
        assertEquals(0, rulesets.waits());
    }

    @Test
    void shouldRefuseAfterOneWait() {
        var rulesets = new FixedRulesets(FixedRulesets.SWIMMING);

        Verdict verdict =
                new Admissions(rulesets).check(TenantId.NONE, a -> a.check(event("runs", Map.of(), Map.of())));

        assertEquals(new Verdict.Denied(Refusal.unknown("metric", "runs")), verdict);
        assertEquals(1, rulesets.waits());
    }

    @Test
    void shouldNotDecideIfTheNewestRulesetIsNotKnown() {
        var rulesets = new FixedRulesets(FixedRulesets.SWIMMING);
        rulesets.isFollowed = false;

        Verdict verdict =
                new Admissions(rulesets).check(TenantId.NONE, a -> a.check(event("runs", Map.of(), Map.of())));

        assertEquals(Verdict.UNDECIDED, verdict);
    }

    @Test
    void shouldCompileEachVersionOnce() {
        var admissions = new Admissions(new FixedRulesets(FixedRulesets.SWIMMING));

        assertSame(admissions.newest(TenantId.NONE), admissions.newest(TenantId.NONE));
    }

    private static RecordEvent event(String metric, Map<String, Change<String>> ofUser, Map<String, String> ofEvent) {
        return new RecordEvent(user(ofUser), metric, BigDecimal.ONE, ofEvent, null, null);
    }

    private static UserChange user(Map<String, Change<String>> attributes) {
        return new UserChange(
                new UserId("ida"),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                attributes);
    }
}
