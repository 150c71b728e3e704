package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.processors.core.rules.MetricRules.TotalGoal;
import dev.laurel.processors.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.processors.core.rules.PointsRules.PaidTrigger;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A ruleset compiled for the engine, which finds what a command needs by one look-up. Immutable; made once per version and
 * shared by all tasks. Lists are in ruleset order.
 */
public final class CompiledRuleset {

    /** An achievement that is completed when the streak is at least {@code length}. */
    public record StreakGoal(Achievement achievement, int length) {}

    /** An achievement that is completed when the achievements of these numbers are. */
    public record CompositeGoal(Achievement achievement, List<Integer> prerequisites) {}

    /**
     * An achievement that is completed on an anniversary of the user's sign-up date.
     *
     * @param activatedMs when the present rules came into force; the timers complete only what becomes due later
     */
    public record AnniversaryGoal(Achievement achievement, AchievementTrigger.Anniversary rule, long activatedMs) {}

    /** A trigger that pays when the achievement of that number is completed. */
    public record CompletionTrigger(PaidTrigger paid, int achievement) {}

    /** The achievements that totals of a metric complete, of any status, in descending order of the totals. */
    public record MetricAchievements(Metric metric, List<Achievement> highestFirst) {}

    private final Ruleset document;
    private final List<MetricAchievements> metricAchievements = new ArrayList<>();
    private final Map<String, MetricRules> metrics = new HashMap<>();
    private final Map<String, PointsSystem> systems = new HashMap<>();
    private final Map<Integer, PointsRules> systemsByNumber = new HashMap<>();
    private final Map<Integer, PointsTrigger> triggers = new HashMap<>();
    private final Map<UUID, Integer> triggerNumbers = new HashMap<>();
    private final Map<String, Achievement> achievements = new HashMap<>();
    private final Map<Integer, Achievement> achievementsByNumber = new HashMap<>();
    private final List<StreakGoal> streakGoals = new ArrayList<>();
    private final List<CompositeGoal> compositeGoals = new ArrayList<>();
    private final List<AnniversaryGoal> anniversaryGoals = new ArrayList<>();
    private final Map<Integer, List<PaidTrigger>> streakTriggers = new HashMap<>();
    private final List<CompletionTrigger> completionTriggers = new ArrayList<>();
    private final List<IntervalTrigger> intervalTriggers = new ArrayList<>();
    private final List<PaidTrigger> creationTriggers = new ArrayList<>();
    private final Set<String> userAttributes = new HashSet<>();
    private final List<Attribute> analyticsAttributes = new ArrayList<>();
    private final Map<String, Integer> eventAttributes = new HashMap<>();
    private final BitSet counting = new BitSet();
    private final List<Achievement> backdating;
    private final StreakRules streak;
    private final Map<String, BoardRules> boards = new LinkedHashMap<>();
    private final Map<Integer, BoardRules> boardsByNumber = new HashMap<>();
    private final List<BoardRules> openBoards;
    private final List<BoardRules> streakBoards;
    private final List<BoardRules> countedBoards;
    private final WebhookRules hooks;
    private final MessageRules messages;

    public CompiledRuleset(Ruleset document) {
        this.document = document;
        for (Attribute attribute : document.attributes()) {
            switch (attribute.type()) {
                case USER -> {
                    userAttributes.add(attribute.key());
                    if (attribute.analytics()) {
                        analyticsAttributes.add(attribute);
                    }
                }
                case EVENT -> eventAttributes.put(attribute.key(), attribute.number());
            }
        }
        for (Achievement achievement : document.achievements()) {
            achievements.put(achievement.key(), achievement);
            achievementsByNumber.put(achievement.number(), achievement);
        }
        var totalGoals = new HashMap<String, List<TotalGoal>>();
        document.achievements().stream().filter(Achievement::isActive)
                .forEach(achievement -> addGoal(achievement, totalGoals));
        anniversaryGoals.sort(Comparator.comparingInt(goal -> goal.rule().years()));
        for (Leaderboard leaderboard : document.leaderboards()) {
            var board = new BoardRules(leaderboard);
            boards.put(leaderboard.key(), board);
            boardsByNumber.put(leaderboard.number(), board);
        }
        this.openBoards = boards.values().stream().filter(BoardRules::isOpen).toList();
        this.streakBoards = openBoardsOf(new RankBy.StreakLength());
        this.countedBoards = boards.values().stream().filter(BoardRules::ranksAll).toList();
        var thresholds = new HashMap<String, List<ThresholdTrigger>>();
        for (PointsSystem system : document.pointsSystems()) {
            systems.put(system.key(), system);
            PointsRules into = PointsRules.of(system, systemsByNumber.size(),
                    openBoardsOf(new RankBy.PointsTotal(system.key())));
            systemsByNumber.put(system.number(), into);
            for (PointsTrigger trigger : system.triggers()) {
                triggers.put(trigger.number(), trigger);
                triggerNumbers.put(trigger.id(), trigger.number());
                if (trigger.isActive()) {
                    counting.set(trigger.number());
                    addTrigger(new PaidTrigger(into, trigger), thresholds);
                }
            }
        }
        for (Metric metric : document.metrics()) {
            metrics.put(metric.key(), new MetricRules(metric, totalGoals.getOrDefault(metric.key(), List.of()),
                    thresholds.getOrDefault(metric.key(), List.of()),
                    openBoardsOf(new RankBy.MetricTotal(metric.key()))));
        }
        addMetricAchievements();
        this.backdating = document.achievements().stream().filter(a -> a.isActive() && a.backdate())
                .sorted(Comparator.comparing(Achievement::activated)).toList();
        this.hooks = new WebhookRules(document.webhooks());
        this.messages = new MessageRules(document, hooks);
        this.streak = new StreakRules(document, key -> referencedMetric(key).number());
    }

    private void addMetricAchievements() {
        var byMetric = new HashMap<String, List<Achievement>>();
        for (Achievement achievement : document.achievements()) {
            if (achievement.trigger() instanceof AchievementTrigger.MetricTotal total) {
                listIn(byMetric, total.metric()).add(achievement);
            }
        }
        Comparator<Achievement> lowestFirst = Comparator.comparing(CompiledRuleset::valueOf)
                .thenComparing(Achievement::number);
        for (Metric metric : document.metrics()) {
            List<Achievement> of = byMetric.get(metric.key());
            if (of != null) {
                of.sort(lowestFirst.reversed());
                metricAchievements.add(new MetricAchievements(metric, of));
            }
        }
    }

    private static BigDecimal valueOf(Achievement achievement) {
        return ((AchievementTrigger.MetricTotal) achievement.trigger()).value();
    }

    private List<BoardRules> openBoardsOf(RankBy rankBy) {
        return openBoards.stream().filter(rules -> rules.board().rankBy().equals(rankBy)).toList();
    }

    private void addGoal(Achievement achievement, Map<String, List<TotalGoal>> totalGoals) {
        switch (achievement.trigger()) {
            case AchievementTrigger.MetricTotal total -> {
                listIn(totalGoals, total.metric()).add(new TotalGoal(achievement, total));
                counting.set(total.sumNumber());
            }
            case AchievementTrigger.StreakLength(int length) -> streakGoals.add(new StreakGoal(achievement, length));
            case AchievementTrigger.Composite(var keys) -> compositeGoals.add(new CompositeGoal(achievement,
                    keys.stream().map(key -> referencedAchievement(key).number()).toList()));
            case AchievementTrigger.Anniversary rule -> {
                Instant activated = Objects.requireNonNull(achievement.activated(), "the achievement is active");
                anniversaryGoals.add(new AnniversaryGoal(achievement, rule, activated.toEpochMilli()));
            }
            case AchievementTrigger.Api _ -> {
                // Only API calls complete it.
            }
        }
    }

    private void addTrigger(PaidTrigger paid, Map<String, List<ThresholdTrigger>> thresholds) {
        switch (paid.trigger().rule()) {
            case TriggerRule.MetricThreshold rule ->
                listIn(thresholds, rule.metric()).add(new ThresholdTrigger(paid, rule));
            case TriggerRule.AchievementCompletion(String key) ->
                completionTriggers.add(new CompletionTrigger(paid, referencedAchievement(key).number()));
            case TriggerRule.StreakReached(int length) -> listIn(streakTriggers, length).add(paid);
            case TriggerRule.TimeInterval every -> {
                Instant activated = Objects.requireNonNull(paid.trigger().activated(), "the trigger is active");
                intervalTriggers.add(new IntervalTrigger(paid, every.intervalMs(), activated.toEpochMilli()));
            }
            case TriggerRule.UserCreation _ -> creationTriggers.add(paid);
        }
    }

    private static <K, V> List<V> listIn(Map<K, List<V>> lists, K key) {
        return lists.computeIfAbsent(key, _ -> new ArrayList<>());
    }

    public Ruleset document() {
        return document;
    }

    public long version() {
        return document.version();
    }

    /** The time at which the ruleset came into force. */
    public long publishedMs() {
        return document.published().toEpochMilli();
    }

    public @Nullable MetricRules metric(String key) {
        return metrics.get(key);
    }

    /** The metric of a key to which an object of this version refers. */
    public Metric referencedMetric(String key) {
        return referenced(metrics, key).metric();
    }

    /** The achievement of a key to which an object of this version refers. */
    public Achievement referencedAchievement(String key) {
        return referenced(achievements, key);
    }

    /** The points system of a key to which an object of this version refers. */
    public PointsSystem referencedSystem(String key) {
        return referenced(systems, key);
    }

    /** The points system of a number to which an award under this version refers. */
    public PointsSystem referencedSystem(int number) {
        return referenced(systemsByNumber, number).system();
    }

    /** The number of a trigger; null if this version does not have it. */
    public @Nullable Integer triggerNumber(UUID id) {
        return triggerNumbers.get(id);
    }

    /** The trigger of a number to which an award under this version refers. */
    public PointsTrigger referencedTrigger(int number) {
        return referenced(triggers, number);
    }

    /** A published ruleset has every object to which it refers. */
    private static <K, V> V referenced(Map<K, V> objects, K reference) {
        V object = objects.get(reference);
        if (object == null) {
            throw new IllegalArgumentException("the ruleset does not have " + reference);
        }
        return object;
    }

    public @Nullable PointsSystem pointsSystem(String key) {
        return systems.get(key);
    }

    public @Nullable PointsSystem pointsSystem(int number) {
        PointsRules rules = systemsByNumber.get(number);
        return rules == null ? null : rules.system();
    }

    /** @param system one of this version */
    public PointsRules rulesOf(PointsSystem system) {
        return referenced(systemsByNumber, system.number());
    }

    /** An achievement of any status. */
    public @Nullable Achievement achievement(String key) {
        return achievements.get(key);
    }

    public @Nullable Achievement achievement(int number) {
        return achievementsByNumber.get(number);
    }

    /** The goals of active achievements. */
    public List<StreakGoal> streakGoals() {
        return streakGoals;
    }

    /** The goals of active achievements. */
    public List<CompositeGoal> compositeGoals() {
        return compositeGoals;
    }

    /** The goals of active achievements, by years. */
    public List<AnniversaryGoal> anniversaryGoals() {
        return anniversaryGoals;
    }

    /** Active achievements that qualified users complete silently at the activation, by its time. */
    public List<Achievement> backdating() {
        return backdating;
    }

    /**
     * Whether inactive users must be migrated to these rules as well: they may complete achievements, their periods may end at
     * other times, points or messages may become due, a leaderboard that is active again may have missed lost streaks and
     * changes of groups, or they count under another level or achievement, or on a leaderboard that ranks all users now. All other changes can wait for the user's next command.
     *
     * @param former the version in force before
     */
    public boolean concernsInactiveUsers(CompiledRuleset former) {
        return backdating.stream().anyMatch(achievement -> achievement.activeSince() > former.version())
                || anniversaryGoals.stream().anyMatch(goal -> goal.achievement().activeSince() > former.version())
                || !document.streak().equals(former.document.streak())
                || !document.settings().defaultTimeZone().equals(former.document.settings().defaultTimeZone())
                || document.settings().weekStartsOn() != former.document.settings().weekStartsOn()
                || !former.intervals().containsAll(intervals()) || messages.concernInactiveUsers(former.messages)
                || openBoards.stream().anyMatch(board -> board.missesChangesWhileInactive()
                        && former.isClosed(board.number()))
                || mayChangeHighestAchievements(former) || mayChangeLevels(former)
                || former.boards().stream().anyMatch(board -> board.ranksAll() != countsAllOf(board.number()));
    }

    /** Whether other achievements may be the highest ones of users: an order changes, or one that users may have leaves or joins it. */
    private boolean mayChangeHighestAchievements(CompiledRuleset former) {
        var before = new HashMap<Integer, List<Integer>>();
        former.metricAchievements.forEach(of -> before.put(of.metric().number(), numbersOf(of)));
        var now = new HashMap<Integer, List<Integer>>();
        metricAchievements.forEach(of -> now.put(of.metric().number(),
                numbersOf(of).stream().filter(former.achievementsByNumber::containsKey).toList()));
        return document.metrics().stream().map(Metric::number).anyMatch(metric -> !before
                .getOrDefault(metric, List.of()).equals(now.getOrDefault(metric, List.of())));
    }

    private static List<Integer> numbersOf(MetricAchievements of) {
        return of.highestFirst().stream().map(Achievement::number).toList();
    }

    private boolean mayChangeLevels(CompiledRuleset former) {
        return document.pointsSystems().stream().anyMatch(system -> {
            PointsSystem before = former.pointsSystem(system.number());
            return before == null
                    ? system.levelOf(0) != null
                    : system.levelAt() != before.levelAt() || !totalsOf(system).equals(totalsOf(before));
        });
    }

    /** The points of the levels, by number. */
    private static Map<Integer, Long> totalsOf(PointsSystem system) {
        return system.levels().stream().collect(Collectors.toMap(Level::number, Level::points));
    }

    private boolean isClosed(int board) {
        BoardRules rules = boardsByNumber.get(board);
        return rules != null && !rules.isOpen();
    }

    private Set<Interval> intervals() {
        var intervals = new HashSet<Interval>();
        for (IntervalTrigger trigger : intervalTriggers) {
            intervals.add(new Interval(trigger.paid().trigger().number(), trigger.intervalMs(), trigger.activatedMs()));
        }
        return intervals;
    }

    /** The times at which a trigger pays. */
    private record Interval(int trigger, long intervalMs, long activatedMs) {}

    /** The triggers that pay for a streak of exactly this length. */
    public List<PaidTrigger> streakTriggers(int length) {
        return streakTriggers.getOrDefault(length, List.of());
    }

    /** The triggers that pay for completions of achievements. */
    public List<CompletionTrigger> completionTriggers() {
        return completionTriggers;
    }

    public List<IntervalTrigger> intervalTriggers() {
        return intervalTriggers;
    }

    /** The achievements of each metric that has some. */
    public List<MetricAchievements> metricAchievements() {
        return metricAchievements;
    }

    /** The triggers that pay a new user. */
    public List<PaidTrigger> creationTriggers() {
        return creationTriggers;
    }

    /** Whether users have a count under this number: crossings of an active trigger, or a sum of filtered events. */
    public boolean countsUnder(int number) {
        return counting.get(number);
    }

    public StreakRules streak() {
        return streak;
    }

    public Collection<BoardRules> boards() {
        return boards.values();
    }

    /** A leaderboard of any status. */
    public @Nullable BoardRules board(String key) {
        return boards.get(key);
    }

    public @Nullable BoardRules board(int number) {
        return boardsByNumber.get(number);
    }

    /** The leaderboards that take scores now or from their start on. */
    public List<BoardRules> openBoards() {
        return openBoards;
    }

    /** The open leaderboards that compare streaks. {@link MetricRules} and {@link PointsRules} have the others. */
    public List<BoardRules> streakBoards() {
        return streakBoards;
    }

    /** The leaderboards of any status that rank all users. */
    public List<BoardRules> countedBoards() {
        return countedBoards;
    }

    /** Whether this is a leaderboard that ranks all users. */
    public boolean countsAllOf(int number) {
        BoardRules rules = boardsByNumber.get(number);
        return rules != null && rules.ranksAll();
    }

    /** Whether users keep their values on this leaderboard: it takes scores, or may take them again. */
    public boolean keepsBoard(int number) {
        BoardRules rules = boardsByNumber.get(number);
        return rules != null && rules.board().status() != LeaderboardStatus.FINISHED;
    }

    public WebhookRules hooks() {
        return hooks;
    }

    public MessageRules messages() {
        return messages;
    }

    /** The zone in which a user's days are counted. */
    public ZoneId zoneOf(@Nullable ZoneId userZone) {
        return userZone == null ? document.settings().defaultTimeZone() : userZone;
    }

    /** The attributes by whose values reports can be divided. */
    public List<Attribute> analyticsAttributes() {
        return analyticsAttributes;
    }

    /** Null if all of these are keys of user attributes. */
    public @Nullable Refusal refusalOfUserAttributes(Collection<String> keys) {
        return refusalOf(keys, userAttributes);
    }

    /** Null if all of these are keys of event attributes. */
    public @Nullable Refusal refusalOfEventAttributes(Collection<String> keys) {
        return refusalOf(keys, eventAttributes.keySet());
    }

    /** The number of an event attribute, which must exist. */
    public int eventAttribute(String key) {
        return referenced(eventAttributes, key);
    }

    private static @Nullable Refusal refusalOf(Collection<String> keys, Set<String> known) {
        if (keys.isEmpty() || known.containsAll(keys)) {
            return null;
        }
        return Refusal.unknownAttributes(keys.stream().filter(key -> !known.contains(key)).toList());
    }

    public List<Metric> metrics() {
        return document.metrics();
    }
}
