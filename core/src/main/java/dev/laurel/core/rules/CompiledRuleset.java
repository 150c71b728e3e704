package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.rules.AchievementIndex.StreakGoal;
import dev.laurel.core.rules.MessageRules.WebhookRules;
import dev.laurel.core.rules.MetricRules.ThresholdTrigger;
import dev.laurel.core.rules.MetricRules.TotalGoal;
import dev.laurel.core.rules.PointsRules.IntervalTrigger;
import dev.laurel.core.rules.PointsRules.PaidTrigger;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Attribute.AttributeFilter;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsSystem.LevelRule;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.PointsTrigger.TriggerRule;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A ruleset compiled for the engine, which finds what a command needs by one look-up. Immutable; shared by all tasks. Lists are in
 * ruleset order.
 */
public final class CompiledRuleset {

    /** A trigger that pays when the achievement of that key is completed. */
    public record CompletionTrigger(PaidTrigger paid, String achievement) {}

    /** The achievements that totals of a metric complete, of any status, in descending order of the totals. */
    public record MetricAchievements(Metric metric, List<Achievement> highestFirst) {}

    /**
     * The active achievements and triggers for ranks in a final run of a leaderboard.
     *
     * @param triggers of all points systems
     */
    public record RunRewards(List<Ranked<Achievement>> achievements, List<Ranked<PaidTrigger>> triggers) {

        private static final RunRewards NONE = new RunRewards(List.of(), List.of());

        private RunRewards() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        /** The last rank that is rewarded; 0 if none is. */
        public int lastRank() {
            return Stream.concat(achievements.stream(), triggers.stream())
                    .mapToInt(Ranked::to)
                    .max()
                    .orElse(0);
        }
    }

    /** A reward for the ranks from one to another. */
    public record Ranked<T>(T reward, int from, int to) {

        public boolean includes(int rank) {
            return from <= rank && rank <= to;
        }
    }

    private final Ruleset document;
    private final AttributeIndex attributes;
    private final AchievementIndex achievements;
    private final LeaderboardIndex boards;
    private final List<LeaderboardRules> streakBoards;
    private final List<PointsRules> systems;
    private final List<IntervalTrigger> intervals;
    private final StreakRules streak;
    private final WebhookRules hooks;
    private final MessageRules messages;
    private final EventIndex events;
    private final ObjectIndex objects;
    private final List<MetricAchievements> metricAchievements;

    private record AttributeIndex(Set<String> ofUsers, List<Attribute> analytics, Map<String, Integer> ofEvents) {

        static AttributeIndex of(List<Attribute> attributes) {
            var index = new AttributeIndex(new HashSet<>(), new ArrayList<>(), new HashMap<>());
            for (Attribute attribute : attributes) {
                switch (attribute.type()) {
                    case USER -> {
                        index.ofUsers.add(attribute.key());
                        if (attribute.analytics()) {
                            index.analytics.add(attribute);
                        }
                    }
                    case EVENT -> index.ofEvents.put(attribute.key(), attribute.number());
                }
            }
            return index;
        }
    }

    /** What events need. */
    private record EventIndex(
            Map<String, MetricRules> metrics,
            List<StreakGoal> streakGoals,
            Map<Integer, List<PaidTrigger>> streakTriggers,
            List<PaidTrigger> creationTriggers,
            List<CompletionTrigger> completionTriggers,
            Map<String, BitSet> achievementsByUserAttribute,
            BitSet counting,
            Map<String, RunRewards> runRewards) {}

    /** The objects by key and number. */
    private record ObjectIndex(
            Map<String, Achievement> achievements,
            Map<Integer, Achievement> achievementsByNumber,
            Map<String, PointsSystem> systems,
            Map<Integer, PointsRules> systemsByNumber,
            Map<Integer, PointsTrigger> triggers,
            Map<UUID, Integer> triggerObjects) {}

    public CompiledRuleset(Ruleset document) {
        this.document = document;
        this.attributes = AttributeIndex.of(document.attributes());
        this.achievements = new AchievementIndex(document.achievements());
        this.boards = LeaderboardIndex.of(document.leaderboards());
        this.streakBoards = boards.openOf(new RankBy.StreakLength());
        this.systems = PointsRules.of(document.pointsSystems(), boards);
        this.intervals =
                systems.stream().flatMap(system -> system.intervals().stream()).toList();
        this.events = eventIndex();
        this.streak = new StreakRules(document, key -> referencedMetric(key).number());
        this.hooks = new WebhookRules(document.webhooks());
        this.messages = new MessageRules(document, hooks);
        this.objects = objectIndex();
        this.metricAchievements = achievementsByMetric();
    }

    static <K, V> Map<K, V> by(List<V> objects, Function<V, K> keyOf) {
        var byKey = new HashMap<K, V>();
        objects.forEach(object -> byKey.put(keyOf.apply(object), object));
        return byKey;
    }

    private EventIndex eventIndex() {
        var totalGoals = new HashMap<String, List<TotalGoal>>();
        var streakGoals = new ArrayList<StreakGoal>();
        var byUserAttribute = new HashMap<String, BitSet>();
        var counting = new BitSet();
        var runRewards = new HashMap<String, RunRewards>();
        for (int i = 0; i < document.achievements().size(); i++) {
            Achievement achievement = document.achievements().get(i);
            if (achievement.isActive()) {
                switch (achievement.trigger()) {
                    case AchievementTrigger.MetricTotal total -> {
                        listIn(totalGoals, total.metric()).add(new TotalGoal(achievement, total));
                        counting.set(total.sumNumber());
                    }
                    case AchievementTrigger.StreakLength(int length) ->
                        streakGoals.add(new StreakGoal(achievement, length));
                    case AchievementTrigger.FinalRank(String key, int from, int to) ->
                        rewardsIn(runRewards, key).achievements().add(new Ranked<>(achievement, from, to));
                    case AchievementTrigger.Composite _, AchievementTrigger.Anniversary _, AchievementTrigger.Api _ -> {
                        // The index of achievements has the first two; only API calls complete the last.
                    }
                }
                if (mayCompleteByAttributes(achievement.trigger())) {
                    for (AttributeFilter filter : achievement.userAttributes()) {
                        byUserAttribute
                                .computeIfAbsent(filter.attribute(), _ -> new BitSet())
                                .set(i);
                    }
                }
            }
        }
        var thresholds = new HashMap<String, List<ThresholdTrigger>>();
        var streakTriggers = new HashMap<Integer, List<PaidTrigger>>();
        var creationTriggers = new ArrayList<PaidTrigger>();
        var completionTriggers = new ArrayList<CompletionTrigger>();
        for (PointsRules system : systems) {
            for (PaidTrigger paid : system.paid()) {
                counting.set(paid.trigger().number());
                switch (paid.trigger().rule()) {
                    case TriggerRule.MetricThreshold rule ->
                        listIn(thresholds, rule.metric()).add(new ThresholdTrigger(paid, rule));
                    case TriggerRule.StreakReached(int length) ->
                        listIn(streakTriggers, length).add(paid);
                    case TriggerRule.UserCreation _ -> creationTriggers.add(paid);
                    case TriggerRule.FinalRank(String key, int from, int to) ->
                        rewardsIn(runRewards, key).triggers().add(new Ranked<>(paid, from, to));
                    case TriggerRule.AchievementCompletion(String key) ->
                        completionTriggers.add(new CompletionTrigger(paid, key));
                    case TriggerRule.TimeInterval _ -> {
                        // It pays with timers.
                    }
                }
            }
        }
        var rules = new HashMap<String, MetricRules>();
        for (Metric metric : document.metrics()) {
            rules.put(
                    metric.key(),
                    new MetricRules(
                            metric,
                            totalGoals.getOrDefault(metric.key(), List.of()),
                            thresholds.getOrDefault(metric.key(), List.of()),
                            boards.openOf(new RankBy.MetricTotal(metric.key()))));
        }
        return new EventIndex(
                rules,
                streakGoals,
                streakTriggers,
                creationTriggers,
                completionTriggers,
                byUserAttribute,
                counting,
                runRewards);
    }

    private static RunRewards rewardsIn(Map<String, RunRewards> rewards, String board) {
        return rewards.computeIfAbsent(board, _ -> new RunRewards());
    }

    /** Whether a change of attributes completes it with its effects: anniversaries complete silently, others by commands only. */
    private static boolean mayCompleteByAttributes(AchievementTrigger trigger) {
        return switch (trigger) {
            case AchievementTrigger.MetricTotal _, AchievementTrigger.StreakLength _, AchievementTrigger.Composite _ ->
                true;
            case AchievementTrigger.Anniversary _, AchievementTrigger.Api _, AchievementTrigger.FinalRank _ -> false;
        };
    }

    private ObjectIndex objectIndex() {
        var triggers = new HashMap<Integer, PointsTrigger>();
        var triggerObjects = new HashMap<UUID, Integer>();
        for (PointsRules rules : systems) {
            for (PointsTrigger trigger : rules.system().triggers()) {
                triggers.put(trigger.number(), trigger);
                triggerObjects.put(trigger.id(), trigger.objectNumber());
            }
        }
        return new ObjectIndex(
                by(document.achievements(), Achievement::key),
                by(document.achievements(), Achievement::number),
                by(document.pointsSystems(), PointsSystem::key),
                by(systems, rules -> rules.system().number()),
                triggers,
                triggerObjects);
    }

    private List<MetricAchievements> achievementsByMetric() {
        var byMetric = new HashMap<String, List<Achievement>>();
        for (Achievement achievement : document.achievements()) {
            if (achievement.trigger() instanceof AchievementTrigger.MetricTotal total) {
                listIn(byMetric, total.metric()).add(achievement);
            }
        }
        Comparator<Achievement> lowestFirst =
                Comparator.comparing(CompiledRuleset::valueOf).thenComparing(Achievement::number);
        var found = new ArrayList<MetricAchievements>();
        for (Metric metric : document.metrics()) {
            List<Achievement> of = byMetric.get(metric.key());
            if (of != null) {
                of.sort(lowestFirst.reversed());
                found.add(new MetricAchievements(metric, of));
            }
        }
        return found;
    }

    private static BigDecimal valueOf(Achievement achievement) {
        return ((AchievementTrigger.MetricTotal) achievement.trigger()).value();
    }

    static <K, V> List<V> listIn(Map<K, List<V>> lists, K key) {
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
        return events.metrics().get(key);
    }

    /** The metric of a key to which an object of this version refers. */
    public Metric referencedMetric(String key) {
        return referenced(events.metrics(), key).metric();
    }

    /** The achievement of a key to which an object of this version refers. */
    public Achievement referencedAchievement(String key) {
        return referenced(objects.achievements(), key);
    }

    /** The leaderboard of a key to which an object of this version refers. */
    public LeaderboardRules referencedBoard(String key) {
        return referenced(boards.byKey(), key);
    }

    /** The points system of a key to which an object of this version refers. */
    public PointsSystem referencedSystem(String key) {
        return referenced(objects.systems(), key);
    }

    /** The points system of a number to which an award under this version refers. */
    public PointsSystem referencedSystem(int number) {
        return referenced(objects.systemsByNumber(), number).system();
    }

    /** The {@link PointsTrigger#objectNumber} of a trigger; null if this version does not have it. */
    public @Nullable Integer triggerObject(UUID id) {
        return objects.triggerObjects().get(id);
    }

    /** The trigger of a number to which an award under this version refers. */
    public PointsTrigger referencedTrigger(int number) {
        return referenced(objects.triggers(), number);
    }

    /** A published ruleset has every object to which it refers. */
    static <K, V> V referenced(Map<K, V> objects, K reference) {
        V object = objects.get(reference);
        if (object == null) {
            throw new IllegalArgumentException("the ruleset does not have " + reference);
        }
        return object;
    }

    public @Nullable PointsSystem pointsSystem(String key) {
        return objects.systems().get(key);
    }

    public @Nullable PointsSystem pointsSystem(int number) {
        PointsRules rules = objects.systemsByNumber().get(number);
        return rules == null ? null : rules.system();
    }

    /** @param system one of this version */
    public PointsRules rulesOf(PointsSystem system) {
        return referenced(objects.systemsByNumber(), system.number());
    }

    /** An achievement of any status. */
    public @Nullable Achievement achievement(String key) {
        return objects.achievements().get(key);
    }

    public @Nullable Achievement achievement(int number) {
        return objects.achievementsByNumber().get(number);
    }

    /** The goals of active achievements. */
    public List<StreakGoal> streakGoals() {
        return events.streakGoals();
    }

    /** The active achievements that a change of these user attributes may complete with its effects. */
    public List<Achievement> achievementsFiltering(Collection<String> userAttributes) {
        var indexes = new BitSet();
        for (String attribute : userAttributes) {
            BitSet of = events.achievementsByUserAttribute().get(attribute);
            if (of != null) {
                indexes.or(of);
            }
        }
        return indexes.stream().mapToObj(document.achievements()::get).toList();
    }

    /** What composites, timers and migrations need of the achievements. */
    public AchievementIndex achievements() {
        return achievements;
    }

    /**
     * Rules that are to a migration what an earlier version is: these, if they are alike; that version itself otherwise, or one between
     * that is like it, which many users need.
     *
     * @param versions finds the rules of a version
     */
    public CompiledRuleset like(long version, LongFunction<CompiledRuleset> versions) {
        if (isLike(version)) {
            return this;
        }
        Long since = document.alikeSince();
        CompiledRuleset last = versions.apply(since == null ? version : since - 1);
        return last.isLike(version) ? last : versions.apply(version);
    }

    private boolean isLike(long version) {
        Long since = document.alikeSince();
        return version() == version || since != null && since <= version;
    }

    /** The next version of a ruleset, which says since when all versions are alike. @param former the version before */
    public static Ruleset noted(Ruleset former, Ruleset next) {
        Long since = former.alikeSince();
        return next.alikeSince(
                !new CompiledRuleset(next).isAlike(new CompiledRuleset(former))
                        ? next.version()
                        : since == null ? former.version() : since);
    }

    /**
     * Whether the rules differ in nothing in which a migration compares them: streaks, times of messages, the default time zone, and what
     * the counters of levels, achievements and leaderboards depend on.
     *
     * @param former the version before
     */
    private boolean isAlike(CompiledRuleset former) {
        return streak.passLike(former.streak)
                && messages.areDueLike(former.messages)
                && document.settings()
                        .defaultTimeZone()
                        .equals(former.document.settings().defaultTimeZone())
                && !mayChangeHighestAchievements(former)
                && !mayChangeLevels(former)
                && hasBoardsOf(former);
    }

    /** Whether no leaderboard is removed: their users are not counted any more. */
    private boolean hasBoardsOf(CompiledRuleset former) {
        return former.boards().stream().allMatch(rules -> board(rules.number()) != null);
    }

    /**
     * Whether inactive users must be migrated to these rules as well: they may complete achievements, their periods may end at
     * other times, points or messages may become due, a leaderboard that is active again may have missed lost streaks and
     * changes of groups, or they count under another level or achievement, or on a leaderboard that ranks all users now. All other changes
     * can wait for the user's next command.
     *
     * @param former the version in force before
     */
    public boolean concernsInactiveUsers(CompiledRuleset former) {
        return !achievements.backdatingSince(former.version()).isEmpty()
                || achievements.anniversaries().stream()
                        .anyMatch(goal -> goal.achievement().activeSince() > former.version())
                || !document.streak().equals(former.document.streak())
                || !document.settings()
                        .defaultTimeZone()
                        .equals(former.document.settings().defaultTimeZone())
                || document.settings().weekStartsOn()
                        != former.document.settings().weekStartsOn()
                || !former.intervals().containsAll(intervals())
                || messages.concernInactiveUsers(former.messages)
                || openBoards().stream()
                        .anyMatch(board -> board.missesChangesWhileInactive() && former.isClosed(board.number()))
                || mayChangeHighestAchievements(former)
                || mayChangeLevels(former)
                || !hasBoardsOf(former);
    }

    /** Whether other achievements may be the highest ones of users: an order changes, or one that users may have leaves or joins it. */
    private boolean mayChangeHighestAchievements(CompiledRuleset former) {
        return !highestUpTo(former.document.nextNumber()).equals(former.highestUpTo(Integer.MAX_VALUE));
    }

    /** The numbers of the achievements of each metric, as far as they are below a number: users have no others. */
    private Map<Integer, List<Integer>> highestUpTo(int nextNumber) {
        var highest = new HashMap<Integer, List<Integer>>();
        for (MetricAchievements of : metricAchievements) {
            List<Integer> numbers = of.highestFirst().stream()
                    .map(Achievement::number)
                    .filter(number -> number < nextNumber)
                    .toList();
            if (!numbers.isEmpty()) {
                highest.put(of.metric().number(), numbers);
            }
        }
        return highest;
    }

    /**
     * Whether users may hold other levels: those of a system that they may have change, or users without points hold one of a new system.
     */
    private boolean mayChangeLevels(CompiledRuleset former) {
        return !levelsUpTo(former.document.nextNumber()).equals(former.levelsUpTo(Integer.MAX_VALUE));
    }

    private Map<Integer, Levels> levelsUpTo(int nextNumber) {
        return document.pointsSystems().stream()
                .filter(system ->
                        !system.levels().isEmpty() && (system.number() < nextNumber || system.levelOf(0) != null))
                .collect(Collectors.toMap(PointsSystem::number, Levels::of));
    }

    /** @param totals the points of the levels, by number */
    private record Levels(LevelRule levelAt, Map<Integer, Long> totals) {

        static Levels of(PointsSystem system) {
            return new Levels(
                    system.levelAt(), system.levels().stream().collect(Collectors.toMap(Level::number, Level::points)));
        }
    }

    private boolean isClosed(int board) {
        LeaderboardRules rules = board(board);
        return rules != null && !rules.isOpen();
    }

    private Set<Interval> intervals() {
        var intervals = new HashSet<Interval>();
        for (IntervalTrigger trigger : this.intervals) {
            intervals.add(new Interval(trigger.paid().trigger().number(), trigger.intervalMs(), trigger.activatedMs()));
        }
        return intervals;
    }

    /** The times at which a trigger pays. */
    private record Interval(int trigger, long intervalMs, long activatedMs) {}

    /** The triggers that pay for a streak of exactly this length. */
    public List<PaidTrigger> streakTriggers(int length) {
        return events.streakTriggers().getOrDefault(length, List.of());
    }

    /** The triggers that pay for completions of achievements. */
    public List<CompletionTrigger> completionTriggers() {
        return events.completionTriggers();
    }

    public List<IntervalTrigger> intervalTriggers() {
        return intervals;
    }

    /** The achievements of each metric that has some. */
    public List<MetricAchievements> metricAchievements() {
        return metricAchievements;
    }

    /** What users get for their ranks in a final run of a leaderboard of any status. @param board its number */
    public RunRewards runRewards(int board) {
        LeaderboardRules of = board(board);
        return of == null
                ? RunRewards.NONE
                : events.runRewards().getOrDefault(of.board().key(), RunRewards.NONE);
    }

    /** The triggers that pay a new user. */
    public List<PaidTrigger> creationTriggers() {
        return events.creationTriggers();
    }

    /** Whether users have a count under this number: crossings of an active trigger, or a sum of filtered events. */
    public boolean countsUnder(int number) {
        return events.counting().get(number);
    }

    public StreakRules streak() {
        return streak;
    }

    public List<LeaderboardRules> boards() {
        return boards.all();
    }

    /** A leaderboard of any status. */
    public @Nullable LeaderboardRules board(String key) {
        return boards.byKey().get(key);
    }

    public @Nullable LeaderboardRules board(int number) {
        return boards.byNumber().get(number);
    }

    /** The leaderboards that take scores now or from their start on. */
    public List<LeaderboardRules> openBoards() {
        return boards.open();
    }

    /** The open leaderboards that compare streaks. {@link MetricRules} and {@link PointsRules} have the others. */
    public List<LeaderboardRules> streakBoards() {
        return streakBoards;
    }

    /** Whether users keep their values on this leaderboard: it takes scores, or may take them again. */
    public boolean keepsBoard(int number) {
        LeaderboardRules rules = board(number);
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
        return attributes.analytics();
    }

    /** Null if all of these are keys of user attributes. */
    public @Nullable Refusal refusalOfUserAttributes(Collection<String> keys) {
        return refusalOf(keys, attributes.ofUsers());
    }

    /** Null if all of these are keys of event attributes. */
    public @Nullable Refusal refusalOfEventAttributes(Collection<String> keys) {
        return refusalOf(keys, attributes.ofEvents().keySet());
    }

    /** The number of an event attribute, which must exist. */
    public int eventAttribute(String key) {
        return referenced(attributes.ofEvents(), key);
    }

    private static @Nullable Refusal refusalOf(Collection<String> keys, Set<String> known) {
        if (keys.isEmpty() || known.containsAll(keys)) {
            return null;
        }
        return Refusal.unknownAttributes(
                keys.stream().filter(key -> !known.contains(key)).toList());
    }

    public List<Metric> metrics() {
        return document.metrics();
    }
}
