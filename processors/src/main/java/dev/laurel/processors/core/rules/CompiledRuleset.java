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
import dev.laurel.schemas.ruleset.AttributeFilter;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A ruleset compiled for the engine, which finds what a command needs by one look-up. Immutable; made once per version and
 * shared by all tasks. Lists are in ruleset order.
 *
 * <p>Since every edit makes a version, and users migrate from version to version, there may be thousands. Therefore versions share
 * what an edit does not change ({@link ObjectSharing}), and what only events and reads need is made when it is first needed.
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
    public record AnniversaryGoal(Achievement achievement, AchievementTrigger.Anniversary rule, long activatedMs) {

        /** Whether both are completed at the same times by the same users. */
        boolean isDueLike(AnniversaryGoal other) {
            return achievement.number() == other.achievement.number() && rule.equals(other.rule)
                    && activatedMs == other.activatedMs
                    && achievement.userAttributes().equals(other.achievement.userAttributes());
        }
    }

    /** A trigger that pays when the achievement of that key is completed. */
    public record CompletionTrigger(PaidTrigger paid, String achievement) {}

    /** The achievements that totals of a metric complete, of any status, in descending order of the totals. */
    public record MetricAchievements(Metric metric, List<Achievement> highestFirst) {}

    private final Ruleset document;
    private final AttributeIndex attributes;
    private final Lazy<Map<String, Metric>> metrics;
    private final AchievementIndex achievements;
    private final BoardIndex boards;
    private final List<PointsRules> systems;
    private final List<IntervalTrigger> intervals;
    private final StreakRules streak;
    private final WebhookRules hooks;
    private final MessageRules messages;
    private final Lazy<Long> ownBytes;
    private final AtomicReference<@Nullable RulesetTransition> transition;

    // What few migrations need.
    private final Lazy<List<CompletionTrigger>> completionTriggers = new Lazy<>(this::triggersOfCompletions);
    private final Lazy<EventIndex> events = new Lazy<>(this::eventIndex);
    private final Lazy<ObjectIndex> objects = new Lazy<>(this::objectIndex);
    private final Lazy<BitSet> counting = new Lazy<>(this::numbersOfCounts);
    private final Lazy<List<MetricAchievements>> metricAchievements = new Lazy<>(this::achievementsByMetric);

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
    private record EventIndex(Map<String, MetricRules> metrics, List<StreakGoal> streakGoals,
            Map<Integer, List<PaidTrigger>> streakTriggers, List<PaidTrigger> creationTriggers,
            Map<String, BitSet> achievementsByUserAttribute) {}

    /** The objects by key and number. */
    private record ObjectIndex(Map<String, Achievement> achievements, Map<Integer, Achievement> achievementsByNumber,
            Map<String, PointsSystem> systems, Map<Integer, PointsRules> systemsByNumber,
            Map<Integer, PointsTrigger> triggers, Map<UUID, Integer> triggerObjects) {}

    public CompiledRuleset(Ruleset document) {
        this(document, null, new Lazy<>(() -> bytesOf(document)));
    }

    /** Compiles a version that shares what is equal. @param near another version of the ruleset, the nearer the better */
    public static CompiledRuleset near(CompiledRuleset near, Ruleset document) {
        var sharing = new ObjectSharing();
        Ruleset shared = sharing.share(document, near.document);
        return new CompiledRuleset(shared, near, new Lazy<>(sharing::ownBytes));
    }

    private CompiledRuleset(Ruleset document, @Nullable CompiledRuleset near, Lazy<Long> ownBytes) {
        this.document = document;
        this.ownBytes = ownBytes;
        this.transition = new AtomicReference<>();
        Ruleset other = near == null ? Ruleset.empty(document.tenant()) : near.document;
        boolean hasMetrics = document.metrics() == other.metrics();
        this.attributes = near != null && document.attributes() == other.attributes()
                ? near.attributes
                : AttributeIndex.of(document.attributes());
        List<Metric> all = document.metrics();
        this.metrics = near != null && hasMetrics ? near.metrics : new Lazy<>(() -> byKey(all, Metric::key));
        this.achievements = near != null && document.achievements() == other.achievements()
                ? near.achievements
                : new AchievementIndex(document.achievements(), near == null ? null : near.achievements);
        this.boards = near != null && document.leaderboards() == other.leaderboards()
                ? near.boards
                : new BoardIndex(document.leaderboards(), near == null ? null : near.boards);
        this.systems = PointsRules.of(document.pointsSystems(), boards, near == null ? List.of() : near.systems);
        this.intervals = near != null && systems == near.systems
                ? near.intervals
                : systems.stream().flatMap(system -> system.intervals().stream()).toList();
        boolean hasWeeks = document.settings().weekStartsOn() == other.settings().weekStartsOn();
        this.streak = near != null && hasMetrics && hasWeeks && document.streak() == other.streak()
                ? near.streak
                : new StreakRules(document, key -> referencedMetric(key).number());
        this.hooks = near != null && document.webhooks() == other.webhooks()
                ? near.hooks
                : new WebhookRules(document.webhooks());
        this.messages = near != null && hasWeeks && hooks == near.hooks
                && document.notifications() == other.notifications()
                && document.settings().messageTimeZone().equals(other.settings().messageTimeZone())
                        ? near.messages
                        : new MessageRules(document, hooks);
    }

    private CompiledRuleset(CompiledRuleset same) {
        this.document = same.document;
        this.attributes = same.attributes;
        this.metrics = same.metrics;
        this.achievements = same.achievements;
        this.boards = same.boards;
        this.systems = same.systems;
        this.intervals = same.intervals;
        this.streak = same.streak;
        this.hooks = same.hooks;
        this.messages = same.messages;
        this.ownBytes = same.ownBytes;
        this.transition = same.transition;
    }

    /** The same version without what events and reads have made of it, which takes most of its memory. */
    public CompiledRuleset withoutIndexes() {
        return new CompiledRuleset(this);
    }

    /** The estimated memory of what this version does not share with the one near which it was compiled, without indexes. */
    public long ownBytes() {
        return ownBytes.get();
    }

    private static long bytesOf(Ruleset document) {
        var sharing = new ObjectSharing();
        sharing.share(document, null);
        return sharing.ownBytes();
    }

    private static <V> Map<String, V> byKey(List<V> objects, Function<V, String> keyOf) {
        var byKey = new HashMap<String, V>();
        objects.forEach(object -> byKey.put(keyOf.apply(object), object));
        return byKey;
    }

    private EventIndex eventIndex() {
        var totalGoals = new HashMap<String, List<TotalGoal>>();
        var streakGoals = new ArrayList<StreakGoal>();
        var byUserAttribute = new HashMap<String, BitSet>();
        for (int i = 0; i < document.achievements().size(); i++) {
            Achievement achievement = document.achievements().get(i);
            if (achievement.isActive()) {
                switch (achievement.trigger()) {
                    case AchievementTrigger.MetricTotal total ->
                        listIn(totalGoals, total.metric()).add(new TotalGoal(achievement, total));
                    case AchievementTrigger.StreakLength(int length) ->
                        streakGoals.add(new StreakGoal(achievement, length));
                    case AchievementTrigger.Composite _,AchievementTrigger.Anniversary _,AchievementTrigger.Api _ -> {
                        // The index of achievements has the first two; only API calls complete the last.
                    }
                }
                if (mayCompleteByAttributes(achievement.trigger())) {
                    for (AttributeFilter filter : achievement.userAttributes()) {
                        byUserAttribute.computeIfAbsent(filter.attribute(), _ -> new BitSet()).set(i);
                    }
                }
            }
        }
        var thresholds = new HashMap<String, List<ThresholdTrigger>>();
        var streakTriggers = new HashMap<Integer, List<PaidTrigger>>();
        var creationTriggers = new ArrayList<PaidTrigger>();
        for (PointsRules system : systems) {
            for (PaidTrigger paid : system.paid()) {
                switch (paid.trigger().rule()) {
                    case TriggerRule.MetricThreshold rule ->
                        listIn(thresholds, rule.metric()).add(new ThresholdTrigger(paid, rule));
                    case TriggerRule.StreakReached(int length) -> listIn(streakTriggers, length).add(paid);
                    case TriggerRule.UserCreation _ -> creationTriggers.add(paid);
                    case TriggerRule.AchievementCompletion _,TriggerRule.TimeInterval _ -> {
                        // They pay with timers, too.
                    }
                }
            }
        }
        var rules = new HashMap<String, MetricRules>();
        for (Metric metric : document.metrics()) {
            rules.put(metric.key(), new MetricRules(metric, totalGoals.getOrDefault(metric.key(), List.of()),
                    thresholds.getOrDefault(metric.key(), List.of()),
                    boards.openOf(new RankBy.MetricTotal(metric.key()))));
        }
        return new EventIndex(rules, streakGoals, streakTriggers, creationTriggers, byUserAttribute);
    }

    /** Whether a change of attributes completes it with its effects: anniversaries complete silently, others by calls only. */
    private static boolean mayCompleteByAttributes(AchievementTrigger trigger) {
        return switch (trigger) {
            case AchievementTrigger.MetricTotal _,AchievementTrigger.StreakLength _,AchievementTrigger.Composite _ ->
                true;
            case AchievementTrigger.Anniversary _,AchievementTrigger.Api _ -> false;
        };
    }

    private List<CompletionTrigger> triggersOfCompletions() {
        var triggers = new ArrayList<CompletionTrigger>();
        for (PointsRules system : systems) {
            for (PaidTrigger paid : system.paid()) {
                if (paid.trigger().rule() instanceof TriggerRule.AchievementCompletion(String key)) {
                    triggers.add(new CompletionTrigger(paid, key));
                }
            }
        }
        return triggers;
    }

    private ObjectIndex objectIndex() {
        var achievementsByNumber = new HashMap<Integer, Achievement>();
        document.achievements().forEach(achievement -> achievementsByNumber.put(achievement.number(), achievement));
        var systemsByNumber = new HashMap<Integer, PointsRules>();
        var triggers = new HashMap<Integer, PointsTrigger>();
        var triggerObjects = new HashMap<UUID, Integer>();
        for (PointsRules rules : systems) {
            systemsByNumber.put(rules.system().number(), rules);
            for (PointsTrigger trigger : rules.system().triggers()) {
                triggers.put(trigger.number(), trigger);
                triggerObjects.put(trigger.id(), trigger.objectNumber());
            }
        }
        return new ObjectIndex(byKey(document.achievements(), Achievement::key), achievementsByNumber,
                byKey(document.pointsSystems(), PointsSystem::key), systemsByNumber, triggers, triggerObjects);
    }

    private BitSet numbersOfCounts() {
        var numbers = new BitSet();
        for (Achievement achievement : document.achievements()) {
            if (achievement.isActive() && achievement.trigger() instanceof AchievementTrigger.MetricTotal total) {
                numbers.set(total.sumNumber());
            }
        }
        systems.forEach(system -> system.paid().forEach(paid -> numbers.set(paid.trigger().number())));
        return numbers;
    }

    private List<MetricAchievements> achievementsByMetric() {
        var byMetric = new HashMap<String, List<Achievement>>();
        for (Achievement achievement : document.achievements()) {
            if (achievement.trigger() instanceof AchievementTrigger.MetricTotal total) {
                listIn(byMetric, total.metric()).add(achievement);
            }
        }
        Comparator<Achievement> lowestFirst = Comparator.comparing(CompiledRuleset::valueOf)
                .thenComparing(Achievement::number);
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
        return events.get().metrics().get(key);
    }

    /** The metric of a key to which an object of this version refers. */
    public Metric referencedMetric(String key) {
        return referenced(metrics.get(), key);
    }

    /** The achievement of a key to which an object of this version refers. */
    public Achievement referencedAchievement(String key) {
        return referenced(objects.get().achievements(), key);
    }

    /** The points system of a key to which an object of this version refers. */
    public PointsSystem referencedSystem(String key) {
        return referenced(objects.get().systems(), key);
    }

    /** The points system of a number to which an award under this version refers. */
    public PointsSystem referencedSystem(int number) {
        return referenced(objects.get().systemsByNumber(), number).system();
    }

    /** The {@link PointsTrigger#objectNumber} of a trigger; null if this version does not have it. */
    public @Nullable Integer triggerObject(UUID id) {
        return objects.get().triggerObjects().get(id);
    }

    /** The trigger of a number to which an award under this version refers. */
    public PointsTrigger referencedTrigger(int number) {
        return referenced(objects.get().triggers(), number);
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
        return objects.get().systems().get(key);
    }

    public @Nullable PointsSystem pointsSystem(int number) {
        PointsRules rules = objects.get().systemsByNumber().get(number);
        return rules == null ? null : rules.system();
    }

    /** @param system one of this version */
    public PointsRules rulesOf(PointsSystem system) {
        return referenced(objects.get().systemsByNumber(), system.number());
    }

    /** An achievement of any status. */
    public @Nullable Achievement achievement(String key) {
        return objects.get().achievements().get(key);
    }

    public @Nullable Achievement achievement(int number) {
        return objects.get().achievementsByNumber().get(number);
    }

    /** The goals of active achievements. */
    public List<StreakGoal> streakGoals() {
        return events.get().streakGoals();
    }

    /** The active achievements that a change of these user attributes may complete with its effects. */
    public List<Achievement> achievementsFiltering(Collection<String> userAttributes) {
        var indexes = new BitSet();
        for (String attribute : userAttributes) {
            BitSet of = events.get().achievementsByUserAttribute().get(attribute);
            if (of != null) {
                indexes.or(of);
            }
        }
        return indexes.stream().mapToObj(document.achievements()::get).toList();
    }

    /** The goals of active achievements. */
    public List<CompositeGoal> compositeGoals() {
        return achievements.composites().all();
    }

    /** The goal of an active composite; null if the achievement is none. @param achievement its number */
    public @Nullable CompositeGoal compositeGoal(int achievement) {
        return achievements.composites().of(achievement);
    }

    /** The indexes in {@link #compositeGoals} of those that need this achievement, ascending. @param achievement its number */
    public int[] compositesNeeding(int achievement) {
        return achievements.composites().needing(achievement);
    }

    /** The goals of active achievements, by years. */
    public List<AnniversaryGoal> anniversaryGoals() {
        return achievements.anniversaries();
    }

    /**
     * What users must be migrated for.
     *
     * @param former an earlier version
     */
    public RulesetTransition transitionFrom(CompiledRuleset former) {
        RulesetTransition known = transition.get();
        if (known != null && former.version() == version() - 1) {
            return known;
        }
        RulesetTransition made = RulesetTransition.between(former, this);
        if (former.version() == version() - 1) {
            transition.set(made);
        }
        return made;
    }

    /**
     * Whether inactive users must be migrated to these rules as well: they may complete achievements, their periods may end at
     * other times, points or messages may become due, a leaderboard that is active again may have missed lost streaks and
     * changes of groups, or they count under another level or achievement, or on a leaderboard that ranks all users now. All other changes can wait for the user's next command.
     *
     * @param former the version in force before
     */
    public boolean concernsInactiveUsers(CompiledRuleset former) {
        return !achievements.backdatingSince(former.version()).isEmpty()
                || anniversaryGoals().stream().anyMatch(goal -> goal.achievement().activeSince() > former.version())
                || !document.streak().equals(former.document.streak())
                || !document.settings().defaultTimeZone().equals(former.document.settings().defaultTimeZone())
                || document.settings().weekStartsOn() != former.document.settings().weekStartsOn()
                || !former.intervals().containsAll(intervals()) || messages.concernInactiveUsers(former.messages)
                || openBoards().stream().anyMatch(board -> board.missesChangesWhileInactive()
                        && former.isClosed(board.number()))
                || mayChangeHighestAchievements(former) || mayChangeLevels(former)
                || former.boards().stream().anyMatch(board -> board.ranksAll() != countsAllOf(board.number()));
    }

    /** Whether other achievements may be the highest ones of users: an order changes, or one that users may have leaves or joins it. */
    private boolean mayChangeHighestAchievements(CompiledRuleset former) {
        var before = new HashMap<Integer, List<Integer>>();
        former.metricAchievements().forEach(of -> before.put(of.metric().number(), numbersOf(of)));
        var now = new HashMap<Integer, List<Integer>>();
        metricAchievements().forEach(of -> now.put(of.metric().number(),
                numbersOf(of).stream().filter(former.objects.get().achievementsByNumber()::containsKey).toList()));
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
        BoardRules rules = boards.get(board);
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
        return events.get().streakTriggers().getOrDefault(length, List.of());
    }

    /** The triggers that pay for completions of achievements. */
    public List<CompletionTrigger> completionTriggers() {
        return completionTriggers.get();
    }

    public List<IntervalTrigger> intervalTriggers() {
        return intervals;
    }

    /** The achievements of each metric that has some. */
    public List<MetricAchievements> metricAchievements() {
        return metricAchievements.get();
    }

    /** The triggers that pay a new user. */
    public List<PaidTrigger> creationTriggers() {
        return events.get().creationTriggers();
    }

    /** Active achievements that qualified users complete silently at the activation, if it was after this version, by its time. */
    public List<Achievement> backdatingSince(long version) {
        return achievements.backdatingSince(version);
    }

    /** The numbers under which users have counts, ascending. */
    IntStream countingNumbers() {
        return counting.get().stream();
    }

    /** Whether another version has the same objects that have counts. */
    boolean hasCountsOf(CompiledRuleset other) {
        return systems == other.systems && achievements == other.achievements;
    }

    /** Whether users have a count under this number: crossings of an active trigger, or a sum of filtered events. */
    public boolean countsUnder(int number) {
        return counting.get().get(number);
    }

    public StreakRules streak() {
        return streak;
    }

    public Collection<BoardRules> boards() {
        return boards.all();
    }

    /** A leaderboard of any status. */
    public @Nullable BoardRules board(String key) {
        return boards.get(key);
    }

    public @Nullable BoardRules board(int number) {
        return boards.get(number);
    }

    /** The leaderboards that take scores now or from their start on. */
    public List<BoardRules> openBoards() {
        return boards.open();
    }

    /** The open leaderboards that compare streaks. {@link MetricRules} and {@link PointsRules} have the others. */
    public List<BoardRules> streakBoards() {
        return boards.ofStreaks();
    }

    /** The leaderboards of any status that rank all users. */
    public List<BoardRules> countedBoards() {
        return boards.counted();
    }

    /** Whether this is a leaderboard that ranks all users. */
    public boolean countsAllOf(int number) {
        BoardRules rules = boards.get(number);
        return rules != null && rules.ranksAll();
    }

    /** Whether users keep their values on this leaderboard: it takes scores, or may take them again. */
    public boolean keepsBoard(int number) {
        BoardRules rules = boards.get(number);
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
        return Refusal.unknownAttributes(keys.stream().filter(key -> !known.contains(key)).toList());
    }

    public List<Metric> metrics() {
        return document.metrics();
    }
}
