package dev.laurel.processors.core.user;

import dev.laurel.processors.core.notice.Notice;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The working copy of a user while something happens to it: a command, a tick, a look at a later moment. The parts of the
 * core ({@link StreakBook}, {@link PointsBook}, {@link AchievementBook}) change it and say what happened; nothing outside
 * it changes. Lives for one call on one thread.
 */
final class UserTurn {

    /** What was due earlier than this before anybody looked is told too late. */
    private static final long STALE_MS = LocalDays.MS_PER_DAY;

    final UserKey key;
    final HistoryDraft history;
    final List<Effect> effects = new ArrayList<>(4);

    /** For those outside; most turns have none. */
    final List<Notice> notices = new ArrayList<>(0);

    /** Those for webhooks. */
    final HookNotices hooks;

    /** Achievements completed in this turn, silently or not, for the counters. */
    final List<Achievement> completed = new ArrayList<>(0);

    /** In force: while a user is brought up to date, older ones for a time. */
    CompiledRuleset rules;

    final boolean isNewUser;
    final boolean control;
    final long createdMs;

    Profile profile;
    Preferences preferences;
    long updatedMs;
    long newestMs;
    long sequence;
    long rulesVersion;
    Numbered<MetricState> metrics;
    Numbered<BigDecimal> sums;
    Numbered<PointsState> points;
    Numbered<Long> completions;
    StreakState streak;
    List<UserBoost> boosts;
    int boostsToldTo;
    Numbered<BoardState> boards;
    long lastEventMs;
    MessageState messages;
    long wakeUpMs;

    /** The time of what makes the core look at the user. */
    final long lookMs;

    /** Nothing is kept and nobody told. */
    final boolean isLook;

    /** Another zone is that of the user's messages since the command began. */
    boolean hasMoved;

    /** What this turn does on leaderboards. */
    final BoardBook ranked;

    private ZoneId zone;

    /** A new user. */
    UserTurn(CommandContext context, CompiledRuleset rules, UserHistory history) {
        this.key = context.user();
        this.rules = rules;
        this.history = new HistoryDraft(history);
        this.isNewUser = true;
        this.control = isInControl(key, rules);
        this.createdMs = context.atMs();
        this.profile = Profile.BLANK;
        this.preferences = Preferences.NONE;
        this.updatedMs = context.atMs();
        this.newestMs = context.atMs();
        this.rulesVersion = rules.version();
        this.metrics = Numbered.empty();
        this.sums = Numbered.empty();
        this.points = Numbered.empty();
        this.completions = Numbered.empty();
        this.streak = StreakState.NONE;
        this.boosts = List.of();
        this.boards = Numbered.empty();
        this.lastEventMs = UserState.NO_EVENT;
        this.messages = MessageState.NONE;
        this.lookMs = context.atMs();
        this.isLook = context.isRead();
        this.ranked = new BoardBook(this, context);
        this.hooks = new HookNotices(this, context);
        effects.add(new Effect.UserCreated(key.user(), Instant.ofEpochMilli(context.atMs())));
    }

    /** A known user. */
    UserTurn(CommandContext context, UserState before, CompiledRuleset rules, UserHistory history) {
        this.key = context.user();
        this.rules = rules;
        this.history = new HistoryDraft(history);
        this.isNewUser = false;
        this.control = before.control();
        this.createdMs = before.createdMs();
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
        this.boosts = before.boosts();
        this.boostsToldTo = before.boostsToldTo();
        this.boards = before.boards();
        this.lastEventMs = before.lastEventMs();
        this.messages = before.messages();
        this.lookMs = context.atMs();
        this.isLook = context.isRead();
        this.wakeUpMs = before.wakeUpMs();
        this.ranked = new BoardBook(this, context);
        this.hooks = new HookNotices(this, context);
    }

    /** semantics.md §2: decided once, from the id alone, so that it is the same in any replay. */
    private static boolean isInControl(UserKey user, CompiledRuleset rules) {
        int ratio = rules.document().settings().controlRatio();
        if (ratio <= 0) {
            return false;
        }
        String name = user.tenant().value() + "/" + user.user().value();
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return Long.remainderUnsigned(ByteBuffer.wrap(hash).getLong(), 100) < ratio;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    UserState toState() {
        return new UserState(key.user(), profile, preferences, control, createdMs, updatedMs, newestMs, sequence,
                rulesVersion, metrics, sums, points, completions, streak, boosts, boostsToldTo, boards, lastEventMs,
                messages,
                wakeUpMs);
    }

    /** Other rules are in force from now on. */
    void adopt(CompiledRuleset others) {
        rules = others;
        zone = null;
    }

    /** The zone in which the user's days are counted now. */
    ZoneId zone() {
        if (zone == null) {
            zone = rules.zoneOf(profile.tz());
        }
        return zone;
    }

    /** The local date of a moment. */
    int dayOf(long atMs) {
        return LocalDays.dayOf(atMs, zone());
    }

    /**
     * When a local date begins. A change of zone may bring dates that have begun already: for the user they begin with it.
     * Finding the exact moment takes the zone's rules, so it is not done where the day shows that it is beyond the horizon.
     *
     * @param horizonMs see {@link UserTimers#nextDueMs}
     */
    long startOf(int day, long horizonMs) {
        long atLeastMs = day * LocalDays.MS_PER_DAY - LocalDays.MAX_OFFSET_MS;
        return atLeastMs > horizonMs
                ? atLeastMs
                : Math.max(LocalDays.startOf(day, zone()), streak.zoneChangedMs());
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

    /** The sum of all events of a metric. @param metric its number */
    BigDecimal total(int metric) {
        return MetricState.totalOf(metrics, metric);
    }

    /**
     * Whether nobody outside is to be told any more of what happened then (semantics.md §1): so a user who comes back after
     * years, or is imported with them, leaves nothing behind for delivery to drop. A command itself is never too late here.
     */
    boolean isStale(long atMs) {
        return atMs < lookMs - STALE_MS;
    }

    void emit(Effect effect) {
        effects.add(effect);
    }

    /**
     * A command at {@code atMs} begins: it may be the newest, and its user fields are applied. Timers have fired; a new zone
     * holds from the user's newest time on (semantics.md §1).
     */
    void begin(UserChange change, long atMs) {
        sequence++;
        newestMs = Math.max(newestMs, atMs);
        Profile changed = profile.changedBy(change);
        if (changed == profile) {
            return;
        }
        updatedMs = Math.max(updatedMs, atMs);
        ZoneId before = zone();
        ZoneId messagesBefore = rules.messages().zoneOf(profile.tz());
        profile = changed;
        zone = null;
        hasMoved = !isNewUser && !rules.messages().zoneOf(profile.tz()).equals(messagesBefore);
        if (!isNewUser && !zone().equals(before)) {
            new StreakBook(this).changeZone(before, newestMs);
        }
    }

    /** Push tokens turned out to be dead; those that are there no more were replaced by the user before. */
    void dropTokens(List<String> tokens, long atMs) {
        Profile changed = profile.without(tokens);
        if (changed != profile) {
            profile = changed;
            updatedMs = Math.max(updatedMs, atMs);
        }
    }
}
