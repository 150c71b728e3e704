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
import java.time.Duration;
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

    /** A thing in the log: rules, an identification (no metric), an event, or a tick (a time and nothing else). */
    record Entry(Ruleset rules, Instant at, ZoneId tz, String metric, BigDecimal value, String key, boolean isTick) {

        Entry(Ruleset rules, Instant at, ZoneId tz, String metric, BigDecimal value, String key) {
            this(rules, at, tz, metric, value, key, false);
        }

        static Entry tick(Instant at) {
            return new Entry(null, at, null, null, null, null, true);
        }
    }

    /** What is true of a user at the end of a list of entries. */
    static final class Facts {
        final Map<String, BigDecimal> totals = new HashMap<>();
        final Map<String, Map<LocalDate, BigDecimal>> days = new HashMap<>();
        final TreeSet<LocalDate> met = new TreeSet<>();
        final Set<String> achievements = new HashSet<>();
        final Map<String, Long> points = new HashMap<>();
        final Set<String> keys = new HashSet<>();
        final Set<LocalDate> excused = new HashSet<>();
        ZoneId zone = ZoneId.of("UTC");
        Instant newest = Instant.MIN;
        Instant extended = Instant.MIN;
        Instant zoneChanged = Instant.MIN;
        LocalDate judgedTo = LocalDate.MIN;
        boolean exists;

        /** Whatever has happened. */
        int lengthAt(Instant now) {
            passTo(now);
            return length();
        }

        /** Back over met dates, those excused and those not judged yet, to the last one missed. */
        private int length() {
            if (met.isEmpty()) {
                return 0;
            }
            int length = 0;
            LocalDate last = met.last().isAfter(judgedTo) ? met.last() : judgedTo;
            for (LocalDate day = last; !day.isBefore(met.first()); day = day.minusDays(1)) {
                if (met.contains(day)) {
                    length++;
                } else if (!excused.contains(day) && !day.isAfter(judgedTo)) {
                    break;
                }
            }
            return length;
        }

        /** Judges the dates of a living streak that end by {@code now}. */
        void passTo(Instant now) {
            while (length() > 0) {
                LocalDate day = judgedTo.plusDays(1);
                if (!met.contains(day) && !excused.contains(day)) {
                    Instant end = day.plusDays(1).atStartOfDay(zone).toInstant();
                    if (end.isAfter(now) || zoneChanged.isAfter(now)) {
                        return;
                    }
                    if (zoneChanged.isAfter(extended) && end.isBefore(extended.plus(Duration.ofHours(36)))) {
                        excused.add(day);
                    }
                } else if (!day.isBefore(met.last()) && !now.isAfter(day.atStartOfDay(zone).toInstant())) {
                    return;
                }
                judgedTo = day;
            }
        }

        void moveTo(ZoneId next) {
            LocalDate present = newest.atZone(next).toLocalDate();
            for (LocalDate day = newest.atZone(zone).toLocalDate().plusDays(1); day.isBefore(present); day = day
                    .plusDays(1)) {
                excused.add(day);
            }
            excused.removeIf(day -> !day.isBefore(present));
            judgedTo = judgedTo.isBefore(present) ? judgedTo : present.minusDays(1);
            zoneChanged = newest;
            zone = next;
        }

        void meet(LocalDate day, Instant at) {
            if (met.add(day)) {
                LocalDate yesterday = newest.atZone(zone).toLocalDate().minusDays(1);
                judgedTo = judgedTo.isAfter(yesterday) ? judgedTo : yesterday;
                extended = at.isAfter(extended) ? at : extended;
            }
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
            if (entry.isTick()) {
                facts.passTo(entry.at());
            } else if (entry.rules() != null) {
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
        facts.passTo(entry.at());
        facts.newest = entry.at().isAfter(facts.newest) ? entry.at() : facts.newest;
        if (!facts.exists) {
            facts.zone = entry.tz() != null ? entry.tz() : facts.zone;
        } else if (entry.tz() != null && !entry.tz().equals(facts.zone)) {
            facts.moveTo(entry.tz());
        }
        facts.exists = true;
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
            facts.meet(day, entry.at());
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
