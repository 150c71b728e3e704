package dev.laurel.schemas.command;

import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.commands}: a request that may be refused ({@link UserCommand}, {@link OwnedCommand}) or a
 * marker ({@link LogCommand}). The time of a command is the record's timestamp and is not repeated in the value. The
 * user of a {@code UserCommand} is the record's key.
 */
public sealed interface Command {

    /**
     * The kinds of commands, by the names in the field {@code type}. The fields of a command in JSON are the components of its record.
     * Here is only what a component's type does not say.
     */
    List<Kind<? extends Command>> KINDS = List.of(
            event(Field.text("metric", RecordEvent.MAX_LENGTH)),
            Kind.ofRecord("identify", IdentifyUser.class, UserChange.FIELD),
            Kind.of(
                    "complete",
                    CompleteAchievement.class,
                    Field.text("achievement", 255).required(),
                    UserChange.FIELD),
            preferences(),
            mentions("grant-freeze", GrantFreeze.class),
            mentions("plan-pause", PlanPause.class).requiredAtCreation("start", "end"),
            mentions("delete-pause", DeletePause.class),
            mentions("restore-streak", RestoreStreak.class),
            mentions("reset-streak", ResetStreak.class),
            mentions(
                            "grant-boost",
                            GrantBoost.class,
                            system().required(),
                            BoostChange.nameField().required(),
                            BoostChange.multiplierField().required(),
                            Field.word("rounding", Rounding.class).defaultsTo("down"))
                    .requiredAtCreation("start"),
            mentions("change-boost", ChangeBoost.class, system().required(), BoostChange.FIELD),
            mentions("revoke-boost", RevokeBoost.class, system()),
            mentions("test-message", TestMessage.class),
            mentions(
                    "drop-device-tokens",
                    DropDeviceTokens.class,
                    UserChange.deviceTokensField("tokens").required()),
            mentions("record-reaction", RecordReaction.class),
            mentions("run-finished", RunFinished.class),
            mentions("erase-user", EraseUser.class, Field.list("revokedKeys", Type.of(UUID.class), 100)),
            mentions(
                    "issue-key",
                    IssueKey.class,
                    Field.word("role", Role.class, "viewer", "support").defaultsTo("support"),
                    Field.typed("expires", new Type.Time(false))),
            mentions("revoke-key", RevokeKey.class),
            mentions("note-key-use", NoteKeyUse.class),
            Kind.ofRecord("delete-owned-pause", DeleteOwnedPause.class),
            Kind.ofRecord("change-owned-boost", ChangeOwnedBoost.class, system().required(), BoostChange.FIELD),
            Kind.ofRecord("revoke-owned-boost", RevokeOwnedBoost.class, system()),
            Kind.ofRecord("revoke-owned-key", RevokeOwnedKey.class),
            Kind.ofRecord(
                    "ruleset-published",
                    RulesetPublished.class,
                    Field.whole("version", 1, Long.MAX_VALUE).required()),
            Kind.ofRecord("tick", Tick.class),
            Kind.ofRecord("timers-held", TimersHeld.class, hold()),
            Kind.ofRecord("timers-released", TimersReleased.class, hold()),
            Kind.ofRecord(
                    "generation-promoted",
                    GenerationPromoted.class,
                    Field.count("generation", 2, Integer.MAX_VALUE).required()));

    /** An event of a batch, which has its metric as {@code key}. */
    Kind<RecordEvent> EVENT_OF_BATCH =
            event(Field.text("key", RecordEvent.MAX_LENGTH).as("metric"));

    private static Kind<RecordEvent> event(Field metric) {
        return Kind.of(
                "event",
                RecordEvent.class,
                metric.required(),
                Field.typed(
                                "value",
                                Type.Decimal.amount(
                                        _ -> true, "", Map.of("minimum", Amounts.MAX.negate(), "maximum", Amounts.MAX)))
                        .required(),
                UserChange.FIELD,
                UserChange.attributesField(),
                Field.text("idempotencyKey").schema(Map.of("maxLength", RecordEvent.MAX_LENGTH)),
                Field.typed("eventId", Type.of(UUID.class)));
    }

    /** Describes a command that only mentions its user. */
    private static <C extends UserCommand> Kind<C> mentions(String name, Class<C> type, Field... others) {
        return Kind.ofRecord(
                name,
                type,
                Stream.concat(Stream.of(UserChange.MENTION), Stream.of(others)).toArray(Field[]::new));
    }

    private static Kind<SetPreferences> preferences() {
        return mentions(
                "preferences",
                SetPreferences.class,
                Field.typed(
                        "notifications",
                        new Type.MapOf(
                                Type.of(NotificationType.class),
                                new Type.ListOf(Type.of(NotificationChannel.class), 0, Integer.MAX_VALUE, "", true),
                                0,
                                null,
                                "type of notification")),
                Field.part(
                        "streak",
                        Kind.ofRecord(
                                        "streak",
                                        SetPreferences.StreakChange.class,
                                        Field.typed("evaluationMode", StreakSettings.MODES),
                                        Field.parts(
                                                "metrics",
                                                Kind.ofRecord(
                                                        "metric",
                                                        SetPreferences.Condition.class,
                                                        Field.text("key", 255)
                                                                .as("metric")
                                                                .required(),
                                                        Field.typed(
                                                                        "threshold",
                                                                        Type.Decimal.amount(
                                                                                number -> number.signum() > 0
                                                                                        && number.compareTo(Amounts.MAX)
                                                                                                <= 0,
                                                                                "must be above 0 and at most "
                                                                                        + Amounts.MAX,
                                                                                Map.of(
                                                                                        "exclusiveMinimum",
                                                                                        0,
                                                                                        "maximum",
                                                                                        Amounts.MAX)))
                                                                .required(" and must be a number above 0")),
                                                100),
                                        Field.counts(
                                                        "daysOff",
                                                        0,
                                                        StreakSettings.DAYS_PER_WEEK - 1,
                                                        StreakSettings.DAYS_PER_WEEK - 1)
                                                .schema(Map.of("uniqueItems", true)))
                                .clearable("enabled", "evaluationMode", "metrics", "daysOff")),
                Field.part(
                        "leaderboards",
                        Kind.ofRecord(
                                        "leaderboards",
                                        SetPreferences.LeaderboardsChange.class,
                                        Field.typed("visibility", Type.of(Visibility.class)))
                                .clearable("visibility")));
    }

    /** The key of a points system. */
    private static Field system() {
        return Field.reference("system", new Type.Target("points system", "points"));
    }

    private static Field hold() {
        String problem = ", 1 to 100 characters";
        return Field.text("hold")
                .required(problem)
                .must(hold -> hold.isEmpty() || hold.length() > 100 ? "is required" + problem : null)
                .schema(Map.of("minLength", 1, "maxLength", 100));
    }

    /** Why the fields, each of which is valid, do not fit together; null if they do. */
    default @Nullable Refusal refusal() {
        return null;
    }

    /** A command that concerns one user and is stored in that user's partition. */
    sealed interface UserCommand extends Command {

        /** The user, with the changes of the user's properties that the command carries. */
        UserChange user();
    }

    /**
     * A command about an object of a user, such as a pause or a boost, that the sender names only by its id because it
     * does not know the user. It is stored in the partition that {@code UserResourceIds} derives from the id. There the owner
     * is looked up, and the command is processed as a command of that user.
     */
    sealed interface OwnedCommand extends Command {

        /** The tenant of the owner. */
        TenantId tenant();

        /** The id of the object. */
        UUID id();

        /** The same command for the user who owns the object. */
        UserCommand of(UserChange owner);
    }

    /** A marker, which concerns a whole partition and not one user. */
    sealed interface LogCommand extends Command {}

    /**
     * Records a user interaction that a metric counts. Creates or updates the user.
     *
     * @param metric key of the metric
     * @param value the number to add to the user's total, exact and possibly negative; at most nine fractional digits (docs/semantics.md
     * §3)
     * @param attributes event attributes by key; keys must be defined in the ruleset; null values are ignored
     * @param idempotencyKey events of a user with the same key and metric are counted only once, forever; empty or null: no key
     * @param eventId null if the producer gave none; the id is then derived from the partition and offset of the record
     */
    record RecordEvent(
            UserChange user,
            String metric,
            BigDecimal value,
            Map<String, String> attributes,
            @Nullable String idempotencyKey,
            @Nullable UUID eventId)
            implements UserCommand {

        /** The maximum length of both keys. */
        private static final int MAX_LENGTH = 255;

        public RecordEvent {
            attributes = Map.copyOf(attributes);
            idempotencyKey = idempotencyKey == null || idempotencyKey.isEmpty() ? null : idempotencyKey;
        }

        @Override
        public @Nullable Refusal refusal() {
            return idempotencyKey != null && idempotencyKey.length() > MAX_LENGTH
                    ? Refusal.invalid("The idempotency key must have at most " + MAX_LENGTH + " characters, has "
                            + idempotencyKey.length() + ".")
                    : user.refusalIfNew("user.");
        }
    }

    /**
     * Creates or updates a user without an event.
     *
     * @param mustExist whether to refuse an unknown user (PATCH) instead of creating it
     */
    record IdentifyUser(UserChange user, boolean mustExist) implements UserCommand {

        @Override
        public @Nullable Refusal refusal() {
            return mustExist ? null : user.refusalIfNew("user.");
        }
    }

    /**
     * Completes an achievement with the trigger {@code api}. Creates or updates the user.
     *
     * @param achievement key of the achievement
     */
    record CompleteAchievement(UserChange user, String achievement) implements UserCommand {

        @Override
        public @Nullable Refusal refusal() {
            return user.refusalIfNew("user.");
        }
    }

    /**
     * Changes preferences of a known user; those that are not given stay the same (docs/application-api.md §4 "preferences"). A null
     * inside the three objects restores the default.
     *
     * @param notifications channels by type of notification; an empty list switches the type off
     */
    record SetPreferences(
            UserChange user,
            Map<NotificationType, Change<Set<NotificationChannel>>> notifications,
            StreakChange streak,
            LeaderboardsChange leaderboards)
            implements UserCommand {

        public SetPreferences {
            notifications = Map.copyOf(notifications);
        }

        @Override
        public @Nullable Refusal refusal() {
            if (streak.daysOff instanceof Change.Set<List<Integer>>(List<Integer> days)
                    && repeated(days) instanceof Integer day) {
                return Refusal.invalid("streak.daysOff has the day " + day + " twice.");
            }
            return streak.metrics instanceof Change.Set<List<Condition>>(List<Condition> conditions)
                            && repeated(conditions.stream()
                                            .map(Condition::metric)
                                            .toList())
                                    instanceof String metric
                    ? Refusal.invalid("streak.metrics has the key '" + metric + "' twice.")
                    : null;
        }

        private static <T> @Nullable T repeated(List<T> all) {
            var seen = new HashSet<T>();
            return all.stream().filter(one -> !seen.add(one)).findFirst().orElse(null);
        }

        /**
         * The changes of the preferences for streaks.
         *
         * @param enabled whether the user takes part in streaks
         * @param evaluationMode whether one or all of the metrics must be met; ALL is a synonym of AND
         * @param metrics the user's own conditions
         * @param daysOff the user's own days off of daily streaks: weekdays, 0 is Sunday
         */
        public record StreakChange(
                Change<Boolean> enabled,
                Change<EvaluationMode> evaluationMode,
                Change<List<Condition>> metrics,
                Change<List<Integer>> daysOff) {

            public static final StreakChange NONE =
                    new StreakChange(Change.keep(), Change.keep(), Change.keep(), Change.keep());

            public StreakChange {
                if (daysOff instanceof Change.Set<List<Integer>>(List<Integer> days)) {
                    daysOff = Change.set(days.stream().sorted().toList());
                }
            }
        }

        /**
         * The changes of the preferences for leaderboards.
         *
         * @param visibility whom the user's places show to others: the user, a pseudonym, or nobody, since the user is not ranked
         */
        public record LeaderboardsChange(Change<Visibility> visibility) {

            public static final LeaderboardsChange NONE = new LeaderboardsChange(Change.keep());
        }

        /** @param metric key of the metric */
        public record Condition(String metric, BigDecimal threshold) {}
    }

    /** Gives a known user one streak freeze, unless that would exceed the maximum (docs/admin-api.md A6). */
    record GrantFreeze(UserChange user) implements UserCommand {}

    /**
     * Protects a known user's streak on these days (docs/admin-api.md A6).
     *
     * @param pauseId id chosen by the sender; an id that is already in use is refused. The admin API finds a pause by its id if the
     *     first 32 bits are Kafka's hash (murmur2) of the record's key
     * @param start first day; not before today in the user's time zone
     * @param end last day, inclusive; a pause has at most 3660 days
     */
    record PlanPause(UserChange user, UUID pauseId, LocalDate start, LocalDate end) implements UserCommand {

        /** Ten years, including leap days. */
        private static final int MAX_DAYS = 3_660;

        @Override
        public @Nullable Refusal refusal() {
            return ChronoUnit.DAYS.between(start, end) >= MAX_DAYS
                    ? Refusal.invalid("end must make a pause of at most " + MAX_DAYS + " days.")
                    : refusalOf(start, end);
        }
    }

    /** Ends the protection that a pause gives to periods that have not ended yet. */
    record DeletePause(UserChange user, UUID pauseId) implements UserCommand {}

    /** Restores the longest streak of the restore window to a known user (docs/semantics.md §5 "Restore"). */
    record RestoreStreak(UserChange user) implements UserCommand {}

    /** Ends the running streak of a known user at once (docs/semantics.md §5 "Reset"). */
    record ResetStreak(UserChange user) implements UserCommand {}

    /**
     * Grants a known user a personal boost, or changes the boost with that id (docs/admin-api.md A4 "boosts").
     *
     * @param boostId id chosen by the sender. The admin API finds a boost by its id if the first 32 bits are Kafka's hash (murmur2) of
     *     the record's key
     * @param system key of the points system
     * @param start first day, in the user's local time
     * @param end last day, inclusive; null if the boost has no end
     * @param multiplier the factor for positive awards
     * @param rounding the rounding of the product to a whole number; if left out, down
     */
    record GrantBoost(
            UserChange user,
            UUID boostId,
            String system,
            String name,
            LocalDate start,
            @Nullable LocalDate end,
            BigDecimal multiplier,
            Rounding rounding)
            implements UserCommand {

        @Override
        public @Nullable Refusal refusal() {
            return refusalOf(start, end);
        }
    }

    private static @Nullable Refusal refusalOf(LocalDate start, @Nullable LocalDate end) {
        return end != null && end.isBefore(start) ? Refusal.endBeforeStart() : null;
    }

    /**
     * The changes to a boost. Properties that are absent or null stay the same, except that null clears the end.
     *
     * @param start can be changed only before the boost has started
     * @param end if cleared, the boost has no end
     */
    record BoostChange(
            Change<String> name,
            Change<LocalDate> start,
            Change<LocalDate> end,
            Change<BigDecimal> multiplier,
            Change<Rounding> rounding) {

        private static final BigDecimal MULTIPLIER_LIMIT = BigDecimal.valueOf(100);

        static final Field FIELD = Field.part(
                        "change",
                        Kind.ofRecord("", BoostChange.class, nameField(), multiplierField())
                                .clearable("end"))
                .required();

        static Field nameField() {
            return Field.text("name", 1, 255);
        }

        static Field multiplierField() {
            return Field.typed(
                    "multiplier",
                    Type.Decimal.amount(
                            number -> number.signum() > 0
                                    && number.compareTo(MULTIPLIER_LIMIT) < 0
                                    && number.compareTo(BigDecimal.ONE) != 0,
                            "must be above 0, below 100 and not 1",
                            Map.of("exclusiveMinimum", 0, "exclusiveMaximum", 100, "not", Map.of("const", 1))));
        }
    }

    /**
     * Changes a user's personal boost; properties that are not given stay the same (docs/admin-api.md A4 "boosts").
     *
     * @param system key of the points system to which the boost must belong
     * @param change what changes
     */
    record ChangeBoost(UserChange user, UUID boostId, String system, BoostChange change) implements UserCommand {}

    /**
     * Revokes a user's personal boost; awards that it has multiplied do not change.
     *
     * @param system key of the points system to which the boost must belong, null for any
     */
    record RevokeBoost(
            UserChange user, UUID boostId, @Nullable String system) implements UserCommand {}

    /**
     * Sends a known user one message made from this template immediately, regardless of the template's status and the
     * user's preferences (docs/admin-api.md B4 "test"). Does not change the user.
     *
     * @param template id of the template
     */
    record TestMessage(UserChange user, UUID template) implements UserCommand {}

    /**
     * Removes push tokens from a known user that the push services have reported as permanently invalid. Tokens that
     * were added since then stay. Written by delivery.
     */
    record DropDeviceTokens(UserChange user, List<String> tokens) implements UserCommand {

        public DropDeviceTokens {
            tokens = List.copyOf(tokens);
        }
    }

    /**
     * Notes that a user opened an email or clicked a link in it. Gateways write this command. It changes nothing if the user has
     * unsubscribed, if the email is no longer known, or if the user reacted to it in the same way before (docs/analytics.md §2).
     *
     * @param email id of the delivery of the email
     */
    record RecordReaction(UserChange user, UUID email, Reaction reaction) implements UserCommand {

        /** What a user does with an email. */
        public enum Reaction {
            OPENED,
            CLICKED
        }
    }

    /**
     * Rewards a known user for the rank in a run of a leaderboard that has become final at the time of the record. Written by the
     * leaderboard, at least once; only the first of a user and a run has an effect.
     *
     * @param leaderboard number of the leaderboard, see {@code Ruleset}
     * @param run its first date in days since 1970; 0 of a leaderboard that does not repeat
     * @param rank of the user in the group
     * @param participants of the group
     */
    record RunFinished(UserChange user, int leaderboard, int run, int rank, int participants) implements UserCommand {}

    /**
     * Erases a user: state, history, ledger, idempotency keys, application keys. If the id is used again, it is a new user.
     *
     * @param revokedKeys ids of the user's signed application keys that no process accepts any more; refused if the user has others
     */
    record EraseUser(UserChange user, List<UUID> revokedKeys) implements UserCommand {

        public EraseUser {
            revokedKeys = List.copyOf(revokedKeys);
        }

        /** Erases a user without such keys. */
        public EraseUser(UserChange user) {
            this(user, List.of());
        }
    }

    /** A command about the list of a user's signed application keys. Written by gateways; the user need not exist. */
    sealed interface KeyCommand extends UserCommand {

        UUID keyId();
    }

    /**
     * Notes that an application key was issued to a user, who need not be known (docs/admin-api.md A7). Written by gateways. Nothing in
     * the log can make a valid key of it.
     *
     * @param keyId made by {@code SignedKey}; nothing changes if the user has this key already
     * @param role {@link Role#VIEWER} or {@link Role#SUPPORT}, by default the latter
     * @param expires a time with its offset; null: never
     */
    record IssueKey(
            UserChange user,
            UUID keyId,
            Role role,
            @Nullable Instant expires) implements KeyCommand {

        /** Whether the key only reads. */
        public boolean isReading() {
            return role == Role.VIEWER;
        }
    }

    /**
     * Removes an application key from the list of its user. Written by gateways, after they have made the revocation known to all
     * processes: the command alone revokes nothing.
     */
    record RevokeKey(UserChange user, UUID keyId) implements KeyCommand {}

    /** A {@code delete-pause} for the user who owns this pause. */
    record DeleteOwnedPause(TenantId tenant, UUID id) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new DeletePause(owner, id);
        }
    }

    /**
     * A {@code change-boost} for the user who owns this boost.
     *
     * @param system key of the points system to which the boost must belong
     * @param change what changes
     */
    record ChangeOwnedBoost(TenantId tenant, UUID id, String system, BoostChange change) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new ChangeBoost(owner, id, system, change);
        }
    }

    /**
     * A {@code revoke-boost} for the user who owns this boost.
     *
     * @param system key of the points system to which the boost must belong, null for any
     */
    record RevokeOwnedBoost(
            TenantId tenant, UUID id, @Nullable String system) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new RevokeBoost(owner, id, system);
        }
    }

    /**
     * Notes that an application key of a user was used at the time of the record. Written by gateways, seldom. Changes nothing if that
     * was noted less than a day before, or there is no such key.
     */
    record NoteKeyUse(UserChange user, UUID keyId) implements KeyCommand {}

    /** A {@code revoke-key} for the user who has this key. */
    record RevokeOwnedKey(TenantId tenant, UUID id) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new RevokeKey(owner, id);
        }
    }

    /**
     * From this record on, the tenant's commands in this partition are processed with this version of its ruleset.
     *
     * @param tenant left out if multi-tenancy is off
     */
    record RulesetPublished(TenantId tenant, long version) implements LogCommand {}

    /** Moves time in this partition to the record's timestamp: every timer that is due by then fires. */
    record Tick() implements LogCommand {}

    /**
     * Keeps ticks from firing timers until {@link TimersReleased} with the same hold. An import of history is enclosed
     * in the two, so that no timer fires while older events are still being written. A second marker with the same hold
     * has no effect.
     *
     * @param hold name of the hold, 1 to 100 characters
     */
    record TimersHeld(String hold) implements LogCommand {}

    /**
     * Ends the hold of the same name; has no effect if there is none.
     *
     * @param hold name of the hold, 1 to 100 characters
     */
    record TimersReleased(String hold) implements LogCommand {}

    /**
     * From this record on, another generation is in force in this partition: it publishes output, and the former
     * generation publishes nothing more. Does not change state. Written in one transaction to all partitions, together
     * with the record of the generation.
     *
     * @param generation number of the generation, at least 2
     */
    record GenerationPromoted(int generation) implements LogCommand {}

    /**
     * An event of a batch.
     * @param time time of the event; null for the current time
     */
    record TimedEvent(RecordEvent event, @Nullable Instant time) {}
}
