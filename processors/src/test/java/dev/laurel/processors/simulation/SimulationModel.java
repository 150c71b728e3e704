package dev.laurel.processors.simulation;

import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.command.UserChange.SignUp;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A second implementation of the rules, as simple as possible and without production code, for one user and for histories of
 * {@link Workload.Kind#PLAIN}: one zone, no filters but those of achievements on users, no freezes, pauses or boosts, one frequency and the
 * same days off of streaks. Its only timers are anniversaries, whose rules never change and which no composite needs. Everything else at a
 * moment is computed from the whole history.
 */
final class SimulationModel {

    /** An event, or another command. @param metric null: no event; @param key the idempotency key, if any */
    record Happening(
            Instant at,
            ZoneId zone,
            String metric,
            BigDecimal value,
            String key,
            Change<SignUp> signUpDate,
            Map<String, Change<String>> attributes) {}

    private final Map<String, BigDecimal> totals = new HashMap<>();
    private final Map<String, Map<LocalDate, BigDecimal>> days = new HashMap<>();
    private final TreeSet<LocalDate> met = new TreeSet<>();
    private final Set<String> achievements = new HashSet<>();
    private final Map<String, Long> points = new HashMap<>();
    private final Set<String> keys = new HashSet<>();
    private final Map<Integer, BigDecimal> peaks = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();

    /** The attributes before the newest command. */
    private final Map<String, String> formerAttributes = new HashMap<>();

    private ZoneId zone = ZoneId.of("UTC");
    private LocalDate signUpDate;
    private Instant newest = Instant.MIN;
    private boolean exists;
    private boolean isExtended;

    /** The period of the last reset. */
    private LocalDate reset = LocalDate.MIN;

    private boolean isMetBeforeReset;

    /** The period whose end a tick has seen to be the end of a streak. Time that a tick has passed stays passed. */
    private LocalDate judgedTo = LocalDate.MIN;

    /** The version that settled the user last. */
    private long rulesVersion;

    /** A copy. */
    SimulationModel copy() {
        var copy = new SimulationModel();
        copy.totals.putAll(totals);
        days.forEach((metric, sums) -> copy.days.put(metric, new HashMap<>(sums)));
        copy.met.addAll(met);
        copy.achievements.addAll(achievements);
        copy.points.putAll(points);
        copy.keys.addAll(keys);
        copy.peaks.putAll(peaks);
        copy.attributes.putAll(attributes);
        copy.formerAttributes.putAll(formerAttributes);
        copy.zone = zone;
        copy.signUpDate = signUpDate;
        copy.newest = newest;
        copy.exists = exists;
        copy.reset = reset;
        copy.isMetBeforeReset = isMetBeforeReset;
        copy.judgedTo = judgedTo;
        copy.rulesVersion = rulesVersion;
        return copy;
    }

    Map<String, BigDecimal> totals() {
        return totals;
    }

    Map<LocalDate, BigDecimal> days(String metric) {
        return days.getOrDefault(metric, Map.of());
    }

    Set<String> achievements() {
        return achievements;
    }

    long points(String system) {
        return points.getOrDefault(system, 0L);
    }

    boolean isUsed(String metric, String key) {
        return key != null && keys.contains(metric + " " + key);
    }

    /** Whether the newest event has met the period that was current then. */
    boolean isExtended() {
        return isExtended;
    }

    /** The number of consecutive met periods up to the current one or the one before, passing unmet days off. */
    int lengthAt(Instant now, Ruleset rules) {
        return lengthIn(periodOf(now.atZone(zone).toLocalDate(), rules), rules);
    }

    private int lengthIn(LocalDate current, Ruleset rules) {
        LocalDate period = current;
        if (!met.contains(period)) {
            period = previous(period, rules);
        }
        int length = 0;
        for (; met.contains(period) || isDayOff(period, rules); period = previous(period, rules)) {
            if (period.isBefore(reset) || period.equals(reset) && isMetBeforeReset) {
                break;
            }
            length += met.contains(period) ? 1 : 0;
        }
        return length;
    }

    /** The period of the newest command, or of the newest judgement if that is later. */
    private LocalDate current(Ruleset rules) {
        LocalDate period = periodOf(newest.atZone(zone).toLocalDate(), rules);
        return judgedTo.isBefore(period) ? period : next(judgedTo, rules);
    }

    /** Passes the timers that are due by then. */
    void tick(Instant at, Ruleset rules) {
        LocalDate today = periodOf(at.atZone(zone).toLocalDate(), rules);
        LocalDate period = current(rules);
        if (lengthIn(period, rules) == 0) {
            return;
        }
        while (met.contains(period) || isDayOff(period, rules)) {
            period = next(period, rules);
        }
        if (period.isBefore(today)) {
            judgedTo = period;
        }
    }

    /** @return whether there was a streak to reset; if not, this model must be discarded */
    boolean reset(Instant at, Ruleset rules) {
        newest = at.isAfter(newest) ? at : newest;
        isExtended = false;
        if (!exists || lengthIn(current(rules), rules) == 0) {
            return false;
        }
        reset = periodOf(newest.atZone(zone).toLocalDate(), rules);
        isMetBeforeReset = met.contains(reset);
        return true;
    }

    private static boolean isDayOff(LocalDate day, Ruleset rules) {
        return rules.streak().daysOff().contains(day.getDayOfWeek().getValue() % 7);
    }

    /** The first day of the period of a day. */
    private static LocalDate periodOf(LocalDate day, Ruleset rules) {
        return switch (rules.streak().frequency()) {
            case DAILY -> day;
            case WEEKLY ->
                day.with(TemporalAdjusters.previousOrSame(rules.settings().weekStartsOn()));
            case MONTHLY -> day.withDayOfMonth(1);
        };
    }

    private static LocalDate previous(LocalDate period, Ruleset rules) {
        return periodOf(period.minusDays(1), rules);
    }

    private static LocalDate next(LocalDate period, Ruleset rules) {
        return switch (rules.streak().frequency()) {
            case DAILY -> period.plusDays(1);
            case WEEKLY -> period.plusWeeks(1);
            case MONTHLY -> period.plusMonths(1);
        };
    }

    /** Applies another ruleset: triggers start now, and achievements are backdated, that are new since the last one. */
    void publish(Ruleset rules) {
        var active = new HashSet<Integer>();
        for (PointsSystem system : rules.pointsSystems()) {
            for (PointsTrigger trigger : system.triggers()) {
                if (trigger.isActive() && trigger.rule() instanceof TriggerRule.MetricThreshold rule) {
                    active.add(trigger.number());
                    peaks.computeIfAbsent(trigger.number(), _ -> totals.getOrDefault(rule.metric(), BigDecimal.ZERO));
                }
            }
        }
        peaks.keySet().retainAll(active);
        if (exists) {
            backdate(rules);
        }
        rulesVersion = rules.version();
    }

    private void backdate(Ruleset rules) {
        for (Achievement achievement : rules.achievements()) {
            if (achievement.isActive()
                    && achievement.backdate()
                    && achievement.activeSince() > rulesVersion
                    && matches(achievement, attributes)
                    && qualifies(achievement, rules, achievement.activated())
                    && achievements.add(achievement.key())) {
                completeComposites(rules, new HashSet<>(Set.of(achievement.key())));
            }
        }
    }

    private static boolean matches(Achievement achievement, Map<String, String> attributes) {
        return achievement.userAttributes().stream()
                .allMatch(filter -> filter.value().equals(attributes.get(filter.attribute())));
    }

    /** Completes the achievements whose filters match since the newest command. @return whether there are any */
    private boolean completeByAttributes(Ruleset rules) {
        boolean isAny = false;
        for (Achievement achievement : rules.achievements()) {
            if (achievement.isActive()
                    && !matches(achievement, formerAttributes)
                    && matches(achievement, attributes)
                    && switch (achievement.trigger()) {
                        case AchievementTrigger.MetricTotal goal ->
                            totals.getOrDefault(goal.metric(), BigDecimal.ZERO).compareTo(goal.value()) >= 0;
                        case AchievementTrigger.StreakLength(int length) -> lengthIn(current(rules), rules) >= length;
                        case AchievementTrigger.Composite(var prerequisites) -> achievements.containsAll(prerequisites);
                        case AchievementTrigger.Anniversary _,
                                AchievementTrigger.Api _,
                                AchievementTrigger.FinalRank _ -> false;
                    }) {
                isAny |= achievements.add(achievement.key());
            }
        }
        return isAny;
    }

    private boolean qualifies(Achievement achievement, Ruleset rules, Instant at) {
        return switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal goal ->
                totals.getOrDefault(goal.metric(), BigDecimal.ZERO).compareTo(goal.value()) >= 0;
            case AchievementTrigger.StreakLength(int length) -> lengthAt(at, rules) >= length;
            case AchievementTrigger.Api _, AchievementTrigger.FinalRank _ -> false;
            case AchievementTrigger.Composite(var prerequisites) -> achievements.containsAll(prerequisites);
            case AchievementTrigger.Anniversary rule ->
                signUpDate != null
                        && !rule.dateOf(signUpDate).isAfter(at.atZone(zone).toLocalDate())
                        && (achievement.backdate()
                                || rule.dateOf(signUpDate)
                                        .atStartOfDay(zone)
                                        .toInstant()
                                        .isAfter(achievement.activated()));
        };
    }

    /** Completes the achievements whose anniversaries have begun by then, and all composites if there are any. */
    void pass(Instant now, Ruleset rules) {
        if (completeAnniversaries(now, rules)) {
            completeComposites(rules, null);
        }
    }

    private boolean completeAnniversaries(Instant now, Ruleset rules) {
        boolean isAny = false;
        for (Achievement achievement : rules.achievements()) {
            if (achievement.trigger() instanceof AchievementTrigger.Anniversary
                    && matches(achievement, attributes)
                    && qualifies(achievement, rules, now)) {
                isAny |= achievements.add(achievement.key());
            }
        }
        return isAny;
    }

    /** Whether the command is refused because it signs the user up in the future. */
    private boolean isRefused(Happening happening) {
        Instant now = happening.at().isAfter(newest) ? happening.at() : newest;
        LocalDate date = signUpDateAfter(happening);
        return date != null
                && !date.equals(signUpDate)
                && date.isAfter(now.atZone(happening.zone()).toLocalDate());
    }

    private LocalDate signUpDateAfter(Happening happening) {
        return switch (happening.signUpDate()) {
            case Change.Keep<SignUp> _ -> signUpDate;
            case Change.Clear<SignUp> _ -> null;
            case Change.Set<SignUp>(SignUp.OnDate(LocalDate date)) -> date;
            case Change.Set<SignUp>(SignUp.AtTime(Instant time)) ->
                time.atZone(happening.zone()).toLocalDate();
        };
    }

    /** Creates the user if unknown. */
    private void mention(Happening happening, Ruleset rules) {
        newest = happening.at().isAfter(newest) ? happening.at() : newest;
        zone = happening.zone();
        isExtended = false;
        pass(happening.at(), rules);
        LocalDate before = signUpDate;
        signUpDate = signUpDateAfter(happening);
        formerAttributes.clear();
        formerAttributes.putAll(attributes);
        happening.attributes().forEach((key, change) -> attributes.compute(key, (_, value) -> change.appliedTo(value)));
        if (!Objects.equals(signUpDate, before) || !attributes.equals(formerAttributes)) {
            completeAnniversaries(newest, rules);
        }
        if (!exists) {
            exists = true;
            for (PointsSystem system : rules.pointsSystems()) {
                for (PointsTrigger trigger : system.triggers()) {
                    if (trigger.isActive() && trigger.rule() instanceof TriggerRule.UserCreation) {
                        pay(system, trigger.points());
                    }
                }
            }
        }
    }

    /** @return whether it is accepted */
    boolean identify(Happening happening, Ruleset rules) {
        if (isRefused(happening)) {
            return false;
        }
        mention(happening, rules);
        if (completeByAttributes(rules)) {
            completeComposites(rules, null);
        }
        return true;
    }

    /** @return whether it is accepted, or was before; if not, this model must be discarded */
    boolean complete(Happening happening, String key, Ruleset rules) {
        Achievement achievement = rules.achievements().stream()
                .filter(a -> a.key().equals(key) && a.trigger() instanceof AchievementTrigger.Api)
                .findAny()
                .orElse(null);
        if (achievement == null) {
            return false;
        }
        if (achievements.contains(key)) {
            return true;
        }
        if (!achievement.isActive() || isRefused(happening)) {
            return false;
        }
        mention(happening, rules);
        if (!matches(achievement, attributes)) {
            return false;
        }
        achievements.add(key);
        completeByAttributes(rules);
        completeComposites(rules, null);
        return true;
    }

    /** @return whether the event is accepted; if not, this model must be discarded */
    boolean event(Happening event, Ruleset rules) {
        if (rules.metrics().stream().noneMatch(m -> m.key().equals(event.metric())) || isRefused(event)) {
            return false;
        }
        mention(event, rules);
        if (event.key() != null) {
            keys.add(event.metric() + " " + event.key());
        }
        LocalDate day = event.at().atZone(zone).toLocalDate();
        BigDecimal total = totals.merge(event.metric(), event.value(), BigDecimal::add);
        days.computeIfAbsent(event.metric(), _ -> new HashMap<>()).merge(day, event.value(), BigDecimal::add);
        for (Achievement achievement : rules.achievements()) {
            if (achievement.isActive()
                    && achievement.trigger() instanceof AchievementTrigger.MetricTotal goal
                    && goal.metric().equals(event.metric())
                    && total.compareTo(goal.value()) >= 0
                    && matches(achievement, attributes)) {
                achievements.add(achievement.key());
            }
        }
        count(event, day, rules);
        for (Achievement achievement : rules.achievements()) {
            if (achievement.isActive()
                    && achievement.trigger() instanceof AchievementTrigger.StreakLength(int length)
                    && lengthIn(current(rules), rules) >= length
                    && matches(achievement, attributes)) {
                achievements.add(achievement.key());
            }
        }
        completeByAttributes(rules);
        completeComposites(rules, null);
        return payThresholds(event, total, rules);
    }

    private void count(Happening event, LocalDate day, Ruleset rules) {
        LocalDate period = periodOf(day, rules);
        if (isMet(event, period, rules) && met.add(period)) {
            isExtended = period.equals(periodOf(newest.atZone(zone).toLocalDate(), rules));
        }
    }

    private boolean isMet(Happening event, LocalDate period, Ruleset rules) {
        StreakSettings streak = rules.streak();
        if (streak.conditions().isEmpty()) {
            return event.value().signum() > 0;
        }
        int reached = 0;
        boolean isConcerned = period.equals(periodOf(newest.atZone(zone).toLocalDate(), rules));
        for (var condition : streak.conditions()) {
            isConcerned |= condition.metric().equals(event.metric());
            BigDecimal sum = BigDecimal.ZERO;
            for (var entry : days(condition.metric()).entrySet()) {
                if (periodOf(entry.getKey(), rules).equals(period)) {
                    sum = sum.add(entry.getValue());
                }
            }
            reached += sum.compareTo(condition.threshold()) >= 0 ? 1 : 0;
        }
        boolean isAnd = streak.evaluationMode() == StreakSettings.EvaluationMode.AND;
        return isConcerned && reached >= (isAnd ? streak.conditions().size() : 1);
    }

    /** @param of only composites that need one of these, or of those completed here; null: all */
    private void completeComposites(Ruleset rules, Set<String> of) {
        boolean isSettled = false;
        while (!isSettled) {
            isSettled = true;
            for (Achievement achievement : rules.achievements()) {
                if (achievement.isActive()
                        && achievement.trigger() instanceof AchievementTrigger.Composite(var needed)
                        && achievements.containsAll(needed)
                        && matches(achievement, attributes)
                        && (of == null || !Collections.disjoint(needed, of))
                        && achievements.add(achievement.key())) {
                    isSettled = false;
                    if (of != null) {
                        of.add(achievement.key());
                    }
                }
            }
        }
    }

    private boolean payThresholds(Happening event, BigDecimal total, Ruleset rules) {
        for (PointsSystem system : rules.pointsSystems()) {
            for (PointsTrigger trigger : system.triggers()) {
                if (trigger.isActive()
                        && trigger.rule() instanceof TriggerRule.MetricThreshold rule
                        && rule.metric().equals(event.metric())) {
                    BigDecimal before = peaks.computeIfAbsent(trigger.number(), _ -> total.subtract(event.value()));
                    BigDecimal peak = before.max(total);
                    peaks.put(trigger.number(), peak);
                    long change = (multiples(peak, rule.threshold()) - multiples(before, rule.threshold()))
                            * trigger.points();
                    if (rule.blockIfOutOfPoints() && change < 0 && points(system.key()) + change < 0) {
                        return false;
                    }
                    pay(system, change);
                }
            }
        }
        return true;
    }

    private static long multiples(BigDecimal total, long threshold) {
        return Math.max(
                0,
                total.divide(BigDecimal.valueOf(threshold), 0, RoundingMode.FLOOR)
                        .longValueExact());
    }

    private void pay(PointsSystem system, long change) {
        long had = points(system.key());
        long has = Math.max(0, had + change);
        if (system.maxPoints() != null && has > had) {
            has = Math.max(had, Math.min(has, system.maxPoints()));
        }
        points.put(system.key(), has);
    }
}
