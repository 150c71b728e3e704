package dev.laurel.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.command.Command.ResetStreak;
import dev.laurel.schemas.command.Command.SetPreferences;
import dev.laurel.schemas.command.Command.SetPreferences.StreakChange;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.wire.StreakBody;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares random histories, with late events in any order, to a second implementation of the rules without blocks, kept
 * lengths, timers or period numbers, which computes everything from the list of events after each step.
 */
class StreakModelTest {

    private static final Instant START = Instant.parse("2024-01-20T00:00:00Z");
    private static final int STEPS = 150;
    private static final int SEEDS = 6;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{frequency: daily}",
                "{frequency: daily, daysOff: [0, 6], personalizationEnabled: true}",
                "{frequency: weekly}",
                "{frequency: monthly}",
                "{frequency: daily, evaluationMode: AND, metrics: {laps: 3, litres: 1}}",
                "{frequency: weekly, evaluationMode: AND, metrics: {laps: 5, litres: 2}}",
                "{frequency: weekly, evaluationMode: OR, metrics: {laps: 5, litres: 2}}",
                "{frequency: monthly, evaluationMode: OR, metrics: {laps: 12}}"
            })
    void shouldAgreeWithACountFromTheListOfEvents(String streak) {
        for (int seed = 0; seed < SEEDS; seed++) {
            new History(streak, seed).run();
        }
    }

    private static final class History {
        private final String name;
        private final Random random;
        private final UserSpecification user;
        private final String frequency;
        private final boolean isAnd;
        private final Map<String, Integer> thresholds = new HashMap<>();
        private final Map<String, Map<LocalDate, BigDecimal>> sums = new HashMap<>();
        private final Map<LocalDate, LocalDate> metOn = new HashMap<>();
        private final Map<UUID, LocalDate[]> pauses = new HashMap<>();
        private final Set<UUID> deleted = new HashSet<>();
        private final Map<LocalDate, Boolean> metBeforeReset = new HashMap<>();
        private final TreeMap<LocalDate, List<Integer>> daysOff = new TreeMap<>();
        private final int stepHours;
        private Instant now = START;

        History(String streak, int seed) {
            this.name = streak + " with seed " + seed;
            this.random = new Random(seed);
            this.user = UserSpecification.given("metrics: {laps: {}, litres: {}}\nstreak: " + streak);
            this.frequency = streak.replaceAll(".*frequency: (\\w+).*", "$1");
            this.isAnd = streak.contains("AND");
            for (String metric : List.of("laps", "litres")) {
                if (streak.contains(metric)) {
                    thresholds.put(metric, Integer.parseInt(streak.replaceAll(".*" + metric + ": (\\d+).*", "$1")));
                }
            }
            daysOff.put(LocalDate.MIN, streak.contains("daysOff") ? List.of(0, 6) : List.of());
            int daysPerPeriod = frequency.equals("daily") ? 1 : frequency.equals("weekly") ? 7 : 31;
            this.stepHours = daysPerPeriod * (thresholds.isEmpty() ? 24 : 8);
        }

        void run() {
            user.identify(now.toString(), UserChange.mention(UserSpecification.USER));
            for (int step = 0; step < STEPS; step++) {
                now = now.plus(Duration.ofMinutes(random.nextInt(60 * stepHours)));
                switch (random.nextInt(16)) {
                    case 0 -> plan();
                    case 1 -> delete();
                    case 2 -> user.tick(now.toString());
                    case 7 -> changeDaysOff();
                    case 8 -> reset();
                    case 3, 4, 5, 6 -> event(later(-random.nextInt(stepHours * 40)));
                    default -> event(now);
                }
                check(step);
            }
        }

        private void reset() {
            LocalDate current = periodOf(dateOf(now));
            var command = new ResetStreak(UserChange.mention(UserSpecification.USER));
            if (random.nextInt(3) > 0) {
                return;
            }
            if (lengthAt(current) == 0) {
                user.refused(now.toString(), command);
            } else {
                user.applied(now.toString(), command);
                metBeforeReset.put(current, metOn.containsKey(current));
            }
        }

        private void changeDaysOff() {
            if (daysOff.firstEntry().getValue().isEmpty()) {
                return;
            }
            List<Integer> others = IntStream.range(0, 7)
                    .filter(_ -> random.nextInt(3) == 0)
                    .limit(6)
                    .boxed()
                    .toList();
            user.applied(
                    now.toString(),
                    new SetPreferences(
                            UserChange.mention(UserSpecification.USER),
                            Map.of(),
                            new StreakChange(Change.keep(), Change.keep(), Change.keep(), Change.set(others)),
                            SetPreferences.LeaderboardsChange.NONE));
            daysOff.put(dateOf(now), others);
        }

        private Instant later(int hours) {
            return now.plus(Duration.ofHours(hours));
        }

        private void event(Instant at) {
            String metric = random.nextInt(3) > 0 ? "laps" : "litres";
            int value = random.nextInt(5) - 1;
            user.identify(now.toString(), UserChange.mention(UserSpecification.USER));
            boolean isExtended = UserSpecification.resultOf(user.event(at.toString(), metric, "" + value))
                    .streakExtended();
            LocalDate day = dateOf(at);
            LocalDate period = periodOf(day);
            sums.computeIfAbsent(metric, _ -> new HashMap<>())
                    .merge(period, BigDecimal.valueOf(value), BigDecimal::add);
            boolean isNew = isMet(period, metric, value) && metOn.putIfAbsent(period, day) == null;
            assertEquals(isNew && period.equals(periodOf(dateOf(now))), isExtended, name);
        }

        private boolean isMet(LocalDate period, String metric, int value) {
            if (thresholds.isEmpty()) {
                return value > 0;
            }
            long reached = thresholds.entrySet().stream()
                    .filter(e -> sums.getOrDefault(e.getKey(), Map.of())
                                    .getOrDefault(period, BigDecimal.ZERO)
                                    .intValue()
                            >= e.getValue())
                    .count();
            return thresholds.containsKey(metric) && reached >= (isAnd ? thresholds.size() : 1);
        }

        private void plan() {
            LocalDate start = dateOf(now).plusDays(random.nextInt(40));
            LocalDate end = start.plusDays(random.nextInt(frequency.equals("daily") ? 80 : 20));
            var id = new UUID(0, pauses.size() + 1);
            boolean overlaps = pauses.entrySet().stream()
                    .anyMatch(e -> !deleted.contains(e.getKey())
                            && !e.getValue()[0].isAfter(end)
                            && !e.getValue()[1].isBefore(start));
            var command = new PlanPause(UserChange.mention(UserSpecification.USER), id, start, end);
            if (overlaps) {
                user.refused(now.toString(), command);
            } else {
                user.applied(now.toString(), command);
                pauses.put(id, new LocalDate[] {start, end});
            }
        }

        private void delete() {
            var open = new ArrayList<>(pauses.keySet());
            open.removeAll(deleted);
            if (open.isEmpty()) {
                return;
            }
            UUID id = open.get(random.nextInt(open.size()));
            user.applied(now.toString(), new DeletePause(UserChange.mention(UserSpecification.USER), id));
            deleted.add(id);
            LocalDate lastOver = periodOf(dateOf(now)).minusDays(1);
            if (pauses.get(id)[1].isAfter(lastOver)) {
                pauses.get(id)[1] = lastOver;
            }
        }

        private void check(int step) {
            int count = frequency.equals("daily") ? 90 : 15;
            StreakBody shown = user.streakAt(now.toString(), count);
            String where = name + " after step " + step;
            LocalDate current = periodOf(dateOf(now));
            assertEquals(lengthAt(current), shown.base().length(), where);
            assertEquals(started(current), shown.base().started(), where);
            assertEquals(expires(current), shown.base().expires(), where);
            LocalDate period = current;
            for (int i = count - 1; i >= 0; i--) {
                var item = shown.streakHistory().get(i);
                assertEquals(period, item.periodStart(), where);
                assertEquals(lengthAt(period), item.length(), where + " at " + period);
                assertEquals(!metOn.containsKey(period) && isPaused(period), item.usedPause(), where + " at " + period);
                period = periodOf(period.minusDays(1));
            }
        }

        /** Met periods since the last missed one, at the end of a period; the current one cannot be missed. */
        private int lengthAt(LocalDate last) {
            int length = 0;
            for (LocalDate period = last; isKept(period); period = periodOf(period.minusDays(1))) {
                Boolean isUsed = metBeforeReset.get(period);
                length += metOn.containsKey(period) && !Boolean.TRUE.equals(isUsed) ? 1 : 0;
                if (isUsed != null) {
                    break;
                }
            }
            return length;
        }

        private LocalDate started(LocalDate last) {
            LocalDate first = null;
            for (LocalDate period = last; isKept(period); period = periodOf(period.minusDays(1))) {
                Boolean isUsed = metBeforeReset.get(period);
                first = Boolean.TRUE.equals(isUsed) ? first : metOn.getOrDefault(period, first);
                if (isUsed != null) {
                    break;
                }
            }
            return first;
        }

        private LocalDate expires(LocalDate current) {
            LocalDate period = current;
            while (metOn.containsKey(period) || isProtected(period)) {
                period = after(period);
            }
            return lengthAt(current) == 0 ? null : after(period).minusDays(1);
        }

        private boolean isKept(LocalDate period) {
            boolean isOver = period.isBefore(periodOf(dateOf(now)));
            return !period.isBefore(LocalDate.of(2010, 1, 1))
                    && (!isOver || metOn.containsKey(period) || isProtected(period));
        }

        private boolean isProtected(LocalDate period) {
            return isPaused(period)
                    || daysOff.floorEntry(period)
                            .getValue()
                            .contains(period.getDayOfWeek().getValue() % 7);
        }

        private boolean isPaused(LocalDate period) {
            LocalDate next = after(period);
            return pauses.values().stream()
                    .anyMatch(p -> !p[1].isBefore(p[0]) && p[0].isBefore(next) && !p[1].isBefore(period));
        }

        private LocalDate after(LocalDate period) {
            return switch (frequency) {
                case "daily" -> period.plusDays(1);
                case "weekly" -> period.plusWeeks(1);
                default -> period.plusMonths(1);
            };
        }

        private LocalDate periodOf(LocalDate day) {
            return switch (frequency) {
                case "daily" -> day;
                case "weekly" -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.SUNDAY));
                default -> day.withDayOfMonth(1);
            };
        }

        private static LocalDate dateOf(Instant at) {
            return at.atZone(ZoneOffset.UTC).toLocalDate();
        }
    }
}
