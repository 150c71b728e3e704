package dev.laurel.processors.simulation;

import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.AchievementTrigger;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.TriggerRule;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules once more, as slowly and plainly as possible and without a line of the production code: everything about a user
 * is worked out anew from the list of what the log holds about that user.
 */
final class SimulationModel {

    /** A thing in the log. Exactly one of the three kinds: rules, an identification (no metric), an event. */
    record Entry(Ruleset rules, Instant at, ZoneId tz, String metric, BigDecimal value, String key) {}

    /** What is true of a user at the end of a list of entries. */
    static final class Facts {
        final Map<String, BigDecimal> totals = new HashMap<>();
        final Map<String, Map<LocalDate, BigDecimal>> days = new HashMap<>();
        final TreeSet<LocalDate> met = new TreeSet<>();
        final Set<String> achievements = new HashSet<>();
        final Map<String, Long> points = new HashMap<>();
        final Set<String> keys = new HashSet<>();
        ZoneId zone = ZoneId.of("UTC");
        Instant newest = Instant.MIN;
        boolean exists;

        /** Whatever has happened: alive if yesterday or today is met, and then as far back as it goes. */
        int lengthAt(Instant now) {
            LocalDate today = now.atZone(zone).toLocalDate();
            if (met.isEmpty() || met.last().isBefore(today.minusDays(1))) {
                return 0;
            }
            int length = 0;
            for (LocalDate day = met.last(); met.contains(day); day = day.minusDays(1)) {
                length++;
            }
            return length;
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    void add(Entry entry) {
        entries.add(entry);
    }

    Facts facts() {
        var facts = new Facts();
        Ruleset rules = null;
        var peaks = new HashMap<Integer, BigDecimal>();
        for (Entry entry : entries) {
            if (entry.rules() != null) {
                rules = entry.rules();
                startTriggers(facts, rules, peaks);
            } else {
                apply(facts, rules, entry, peaks);
            }
        }
        return facts;
    }

    /** A trigger that is new here starts from the total of now; one that is gone is forgotten. */
    private static void startTriggers(Facts facts, Ruleset rules, Map<Integer, BigDecimal> peaks) {
        var active = new HashSet<Integer>();
        for (PointsSystem system : rules.pointsSystems()) {
            for (PointsTrigger trigger : system.triggers()) {
                active.add(trigger.number());
                peaks.computeIfAbsent(trigger.number(), _ -> facts.totals.getOrDefault(metricOf(trigger),
                        BigDecimal.ZERO));
            }
        }
        peaks.keySet().retainAll(active);
    }

    private static String metricOf(PointsTrigger trigger) {
        return ((TriggerRule.MetricThreshold) trigger.rule()).metric();
    }

    private static void apply(Facts facts, Ruleset rules, Entry entry, Map<Integer, BigDecimal> peaks) {
        boolean isKnown = entry.metric() == null
                || rules.metrics().stream().anyMatch(m -> m.key().equals(entry.metric()));
        if (!isKnown || entry.key() != null && !facts.keys.add(entry.metric() + " " + entry.key())) {
            return;
        }
        facts.exists = true;
        facts.zone = entry.tz() != null ? entry.tz() : facts.zone;
        facts.newest = entry.at().isAfter(facts.newest) ? entry.at() : facts.newest;
        if (entry.metric() == null) {
            return;
        }
        LocalDate day = entry.at().atZone(facts.zone).toLocalDate();
        BigDecimal total = facts.totals.merge(entry.metric(), entry.value(), BigDecimal::add);
        facts.days.computeIfAbsent(entry.metric(), _ -> new HashMap<>()).merge(day, entry.value(), BigDecimal::add);
        for (Achievement achievement : rules.achievements()) {
            var goal = (AchievementTrigger.MetricTotal) achievement.trigger();
            if (goal.metric().equals(entry.metric()) && total.compareTo(goal.value()) >= 0) {
                facts.achievements.add(achievement.key());
            }
        }
        if (isMet(facts, rules.streak(), entry, day)) {
            facts.met.add(day);
        }
        for (PointsSystem system : rules.pointsSystems()) {
            for (PointsTrigger trigger : system.triggers()) {
                if (metricOf(trigger).equals(entry.metric())) {
                    pay(facts, system, trigger, total, peaks);
                }
            }
        }
    }

    private static boolean isMet(Facts facts, StreakSettings streak, Entry entry, LocalDate day) {
        if (streak.conditions().isEmpty()) {
            return entry.value().signum() > 0;
        }
        int reached = 0;
        boolean isConcerned = false;
        for (var condition : streak.conditions()) {
            isConcerned |= condition.metric().equals(entry.metric());
            BigDecimal sum = facts.days.getOrDefault(condition.metric(), Map.of()).getOrDefault(day, BigDecimal.ZERO);
            reached += sum.compareTo(condition.threshold()) >= 0 ? 1 : 0;
        }
        boolean isAnd = streak.evaluationMode() == StreakSettings.EvaluationMode.AND;
        return isConcerned && reached >= (isAnd ? streak.conditions().size() : 1);
    }

    private static void pay(Facts facts, PointsSystem system, PointsTrigger trigger, BigDecimal total,
            Map<Integer, BigDecimal> peaks) {
        long threshold = ((TriggerRule.MetricThreshold) trigger.rule()).threshold();
        BigDecimal before = peaks.get(trigger.number());
        BigDecimal peak = before.max(total);
        peaks.put(trigger.number(), peak);
        long crossings = multiples(peak, threshold) - multiples(before, threshold);
        long had = facts.points.getOrDefault(system.key(), 0L);
        long has = Math.max(0, had + crossings * trigger.points());
        if (system.maxPoints() != null && has > had) {
            has = Math.max(had, Math.min(has, system.maxPoints()));
        }
        facts.points.put(system.key(), has);
    }

    private static long multiples(BigDecimal total, long threshold) {
        return Math.max(0, total.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR).longValueExact());
    }
}
