package dev.laurel.core.engine;

import dev.laurel.core.engine.Outcome.CountedEvent;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.ActiveDays;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.Preferences;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The working copy of a user during one command, tick or read. Evaluators such as {@link StreakTracker} and
 * {@link PointsAwarder} read it and decide; only its own methods change it, and it knows none of them. Used for one call on one
 * thread.
 */
final class UserTransaction {

    /** The due time of no timer. */
    static final long NEVER = Long.MAX_VALUE;

    /** Timers that are overdue by more than this are not announced. */
    private static final long STALE_MS = LocalDays.MS_PER_DAY;

    private final CommandContext context;
    private final UserState before;
    private final boolean isNewUser;
    private final CompiledRuleset present;
    private final HistoryOverlay history;
    private final List<Effect> effects = new ArrayList<>(4);
    private final List<Notice> notices = new ArrayList<>(0);
    private final List<Achievement> completed = new ArrayList<>(0);
    private final LeaderboardValues boards;

    private CompiledRuleset rules;
    private Profile profile;
    private Preferences preferences;
    private long updatedMs;
    private long newestMs;
    private long sequence;
    private long rulesVersion;
    private IntKeyedMap<MetricState> metrics;
    private IntKeyedMap<BigDecimal> sums;
    private IntKeyedMap<PointsState> points;
    private IntKeyedMap<Long> completions;
    private StreakState streak;
    private ActiveDays active;
    private List<UserBoost> boosts;
    private int boostsAnnouncedTo;
    private long lastEventMs;
    private MessageState messages;
    private long wakeUpMs;
    private @Nullable CountedEvent event;

    /** Null until it is first needed. */
    private @Nullable ZoneId zone;

    /** @param before blank if the user is new */
    private UserTransaction(
            CommandContext context, UserState before, boolean isNewUser, CompiledRuleset rules, UserHistory history) {
        this.context = context;
        this.before = before;
        this.isNewUser = isNewUser;
        this.present = rules;
        this.history = new HistoryOverlay(history);
        this.rules = rules;
        this.profile = before.profile();
        this.preferences = before.preferences();
        this.updatedMs = before.updatedMs();
        this.newestMs = before.newestMs();
        this.sequence = before.sequence();
        this.rulesVersion = before.rulesVersion();
        this.metrics = before.metrics();
        this.sums = before.sums();
        this.points = before.points();
        this.completions = before.completions();
        this.streak = before.streak();
        this.active = before.active();
        this.boosts = before.boosts();
        this.boostsAnnouncedTo = before.boostsAnnouncedTo();
        this.lastEventMs = before.lastEventMs();
        this.messages = before.messages();
        this.wakeUpMs = before.wakeUpMs();
        this.boards = new LeaderboardValues(before.boards(), this.history, context, lengthUnder(rules));
    }

    /** Begins a transaction of a user who does not exist yet. */
    static UserTransaction ofNewUser(CommandContext context, CompiledRuleset rules, UserHistory history) {
        UserId id = context.user().user();
        long atMs = context.atMs();
        var blank = new UserState(
                id,
                Profile.BLANK,
                Preferences.NONE,
                isInControl(context.user(), rules),
                atMs,
                atMs,
                atMs,
                0,
                rules.version(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                IntKeyedMap.empty(),
                StreakState.NONE,
                ActiveDays.NONE,
                List.of(),
                0,
                IntKeyedMap.empty(),
                UserState.NO_EVENT,
                MessageState.NONE,
                0);
        var user = new UserTransaction(context, blank, true, rules, history);
        user.emit(new Effect.UserCreated(id, Instant.ofEpochMilli(atMs)));
        return user;
    }

    static UserTransaction of(UserState before, CommandContext context, CompiledRuleset rules, UserHistory history) {
        return new UserTransaction(context, before, false, rules, history);
    }

    /** Decided once, from the id alone, so that every replay decides the same (docs/semantics.md §2). */
    private static boolean isInControl(UserKey user, CompiledRuleset rules) {
        int ratio = rules.document().settings().controlRatio();
        if (ratio <= 0) {
            return false;
        }
        String name = user.tenant().value() + "/" + user.user().value();
        return Long.remainderUnsigned(ByteBuffer.wrap(UnicodeText.sha256(name)).getLong(), 100) < ratio;
    }

    /** The user's state with all changes so far. */
    UserState toState() {
        return new UserState(
                id(),
                profile,
                preferences,
                isControl(),
                createdMs(),
                updatedMs,
                newestMs,
                sequence,
                rulesVersion,
                metrics,
                sums,
                points,
                completions,
                streak,
                active,
                boosts,
                boostsAnnouncedTo,
                boards.newest(),
                lastEventMs,
                messages,
                wakeUpMs);
    }

    // The context.

    UserKey key() {
        return context.user();
    }

    UserId id() {
        return context.user().user();
    }

    /** The time of the command, tick or read. */
    long nowMs() {
        return context.atMs();
    }

    /** Whether this is a read, which stores and announces nothing. */
    boolean isRead() {
        return context.isRead();
    }

    boolean isNewUser() {
        return isNewUser;
    }

    boolean isControl() {
        return before.control();
    }

    long createdMs() {
        return before.createdMs();
    }

    /** The rules in force. During a migration they may be older ones. */
    CompiledRuleset rules() {
        return rules;
    }

    HistoryOverlay history() {
        return history;
    }

    // The results.

    List<Effect> effects() {
        return effects;
    }

    List<Notice> notices() {
        return notices;
    }

    /** The achievements completed, silently or not. */
    List<Achievement> completed() {
        return completed;
    }

    /** The event of this command; null if it is another command. */
    @Nullable
    CountedEvent event() {
        return event;
    }

    void count(CountedEvent counted) {
        event = counted;
    }

    void emit(Effect effect) {
        effects.add(effect);
    }

    void announce(Notice notice) {
        notices.add(notice);
    }

    /** The id that the next notice gets. */
    UUID nextNoticeId() {
        return Notice.idOf(context.first(), notices.size(), key().text());
    }

    /**
     * Whether webhooks get a notice of an occurrence at that time: one subscribes to the event, now and by the rules in force at the
     * time of the occurrence, which is not stale.
     */
    boolean wants(WebhookEvent about, long atMs) {
        return !isRead() && present.hooks().want(about) && rules.hooks().want(about) && !isStale(atMs);
    }

    /** See {@link CommandContext#isOutdated}. */
    boolean isOutdated(long messageMs) {
        return context.isOutdated(messageMs);
    }

    /**
     * Whether an occurrence is too old to be announced (docs/semantics.md §1), so that the delivery need not discard the timers
     * of a user who returns after years or whose history is imported. Never true for the time of the command itself.
     */
    boolean isStale(long atMs) {
        return atMs < nowMs() - STALE_MS;
    }

    // Time.

    /** The zone in which the user's days are counted. */
    ZoneId zone() {
        ZoneId known = zone;
        if (known == null) {
            known = rules.zoneOf(profile.tz());
            zone = known;
        }
        return known;
    }

    /** The local date of a moment. */
    int dayOf(long atMs) {
        return LocalDays.dayOf(atMs, zone());
    }

    /**
     * When a local date begins, not before the last change of zone. The exact moment needs the rules of the zone, so it is not
     * computed if the day alone is beyond the horizon.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long startOf(int day, long horizonMs) {
        long atLeastMs = day * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
        return atLeastMs > horizonMs ? atLeastMs : Math.max(LocalDays.startOf(day, zone()), streak.zoneChangedMs());
    }

    /** The time of the user's newest command. */
    long newestMs() {
        return newestMs;
    }

    long lastEventMs() {
        return lastEventMs;
    }

    void lastEventAt(long atMs) {
        lastEventMs = atMs;
    }

    long wakeUpMs() {
        return wakeUpMs;
    }

    void wakeUpAt(long atMs) {
        wakeUpMs = atMs;
    }

    // The command, the profile, the rules.

    /**
     * Begins a command and applies its user properties, after the timers.
     *
     * @return whether they differ from those before
     */
    boolean begin(UserChange change, long atMs) {
        sequence++;
        newestMs = Math.max(newestMs, atMs);
        Profile changed = profile.changedBy(change, rules.zoneOf(null));
        if (changed == profile) {
            return false;
        }
        updatedMs = Math.max(updatedMs, atMs);
        profile = changed;
        zone = null;
        return true;
    }

    Profile profile() {
        return profile;
    }

    /** The profile at the beginning of this transaction; the same object as {@link #profile} if nothing has changed it. */
    Profile formerProfile() {
        return before.profile();
    }

    /** Removes invalid push tokens, except those that the user has already replaced. */
    void dropTokens(List<String> tokens, long atMs) {
        Profile changed = profile.without(tokens);
        if (changed != profile) {
            profile = changed;
            updatedMs = Math.max(updatedMs, atMs);
        }
    }

    Preferences preferences() {
        return preferences;
    }

    void updatePreferences(Preferences changed) {
        preferences = changed.equals(Preferences.NONE) ? Preferences.NONE : changed;
    }

    /** The version of the rules to which the user has been migrated. */
    long rulesVersion() {
        return rulesVersion;
    }

    /** Uses other rules from now on, without a migration of the user. */
    void adopt(CompiledRuleset others) {
        rules = others;
        zone = null;
    }

    /** Uses other rules from now on, to which the user is migrated. */
    void migrateTo(CompiledRuleset next) {
        adopt(next);
        rulesVersion = next.version();
    }

    // Totals and points.

    /** The sum of all events of a metric. @param metric its number */
    BigDecimal total(int metric) {
        return MetricState.totalOf(metrics, metric);
    }

    IntKeyedMap<MetricState> metrics() {
        return metrics;
    }

    void putMetric(int metric, MetricState state) {
        metrics = metrics.with(metric, state);
    }

    /** The sum of filtered events under this number. */
    BigDecimal sum(int number) {
        BigDecimal sum = sums.get(number);
        return sum == null ? BigDecimal.ZERO : sum;
    }

    /** @return the sum with this event's value */
    BigDecimal addToSum(int number, BigDecimal value) {
        BigDecimal grown = Amounts.canonical(sum(number).add(value));
        sums = sums.with(number, grown);
        return grown;
    }

    IntKeyedMap<PointsState> points() {
        return points;
    }

    void putPoints(int system, PointsState state) {
        points = points.with(system, state);
    }

    /**
     * Removes counts of triggers and filtered sums that the rules no longer use. Their numbers are not reused.
     */
    void dropUnusedCounts() {
        sums = sums.retaining(rules::countsUnder);
        for (int i = 0; i < points.size(); i++) {
            PointsState state = points.valueAt(i);
            IntKeyedMap<Long> counts = state.counts().retaining(rules::countsUnder);
            if (counts != state.counts()) {
                putPoints(points.numberAt(i), state.withCounts(counts));
            }
        }
    }

    boolean hasCompleted(int achievement) {
        return completions.contains(achievement);
    }

    void complete(Achievement achievement, long atMs) {
        completions = completions.with(achievement.number(), atMs);
        completed.add(achievement);
    }

    StreakState streak() {
        return streak;
    }

    void updateStreak(StreakState changed) {
        streak = changed;
    }

    /** The length of the streak under these rules; 0 while streaks are off for the ruleset or the user. */
    int lengthUnder(CompiledRuleset others) {
        return others.streak().isEnabled() && preferences.wantsStreak() ? streak.length() : 0;
    }

    /** The days on which the user was active. */
    ActiveDays active() {
        return active;
    }

    void updateActive(ActiveDays changed) {
        active = changed;
    }

    /** The user's own boosts. */
    List<UserBoost> boosts() {
        return boosts;
    }

    void updateBoosts(List<UserBoost> changed) {
        boosts = changed;
    }

    /** The local day up to which starts and ends of the user's own boosts have been announced. */
    int boostsAnnouncedTo() {
        return boostsAnnouncedTo;
    }

    void announcedBoostsTo(int day) {
        boostsAnnouncedTo = day;
    }

    /** The user's values on leaderboards. */
    LeaderboardValues boards() {
        return boards;
    }

    MessageState messages() {
        return messages;
    }

    void updateMessages(MessageState changed) {
        messages = changed;
    }
}
