package dev.laurel.schemas.command;

import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Boost.Rounding;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.StreakSettings.EvaluationMode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A record of {@code laurel.commands}: a request that may be refused ({@link UserCommand}, {@link OwnedCommand}) or a
 * marker ({@link LogCommand}). The time of a command is the record's timestamp and is not repeated in the value. The
 * user of a {@code UserCommand} is the record's key.
 */
public sealed interface Command {

    /** A command that concerns one user and is stored in that user's partition. */
    sealed interface UserCommand extends Command {

        /** The user, with the changes of the user's properties that the command carries. */
        UserChange user();
    }

    /**
     * A command about an object of a user, such as a pause or a boost, that the sender names only by its id because it
     * does not know the user. It is stored in the partition that {@code OwnedIds} derives from the id. There the owner
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
     * Records a user interaction that a metric counts.
     *
     * @param value exact value; absolute value at most 1e12, at most nine fractional digits (docs/semantics.md §3)
     * @param attributes event attributes by key
     * @param idempotencyKey null if the client sent none
     * @param eventId null if the producer gave none; the id is then derived from the partition and offset of the record
     */
    record RecordEvent(UserChange user, String metric, BigDecimal value, Map<String, String> attributes,
            @Nullable String idempotencyKey, @Nullable UUID eventId) implements UserCommand {

        public RecordEvent {
            attributes = Map.copyOf(attributes);
        }
    }

    /**
     * Upserts a user without an event.
     *
     * @param mustExist whether to refuse an unknown user (PATCH) instead of creating it
     */
    record IdentifyUser(UserChange user, boolean mustExist) implements UserCommand {}

    /**
     * Completes an achievement with the trigger {@code api} for a user.
     *
     * @param achievement key of the achievement
     */
    record CompleteAchievement(UserChange user, String achievement) implements UserCommand {}

    /**
     * Changes a user's preferences; those that are not given stay the same (docs/application-api.md §4 "preferences").
     *
     * @param notifications channels by notification type; clearing a type restores its default
     * @param streakEnabled whether the user takes part in streaks
     * @param streakMetrics the user's own conditions, by metric key
     * @param streakDaysOff the user's own days off, in order; 0 is Sunday
     */
    record SetPreferences(UserChange user, Map<NotificationType, Change<Set<NotificationChannel>>> notifications,
            Change<Boolean> streakEnabled, Change<EvaluationMode> streakMode, Change<List<Condition>> streakMetrics,
            Change<List<Integer>> streakDaysOff)
            implements
                UserCommand {

        public SetPreferences {
            notifications = Map.copyOf(notifications);
        }

        /** @param metric key of the metric */
        public record Condition(String metric, BigDecimal threshold) {}
    }

    /** Gives a known user one streak freeze, unless that would exceed the maximum (docs/admin-api.md A6). */
    record GrantFreeze(UserChange user) implements UserCommand {}

    /**
     * Protects a known user's streak on these days (docs/admin-api.md A6).
     *
     * @param pauseId id chosen by the sender; an id that is already in use is refused
     * @param start first day; not before today in the user's time zone
     * @param end last day, inclusive
     */
    record PlanPause(UserChange user, UUID pauseId, LocalDate start, LocalDate end) implements UserCommand {}

    /** Ends the protection that a pause gives to periods that have not ended yet. */
    record DeletePause(UserChange user, UUID pauseId) implements UserCommand {}

    /** Restores the longest streak of the restore window to a known user (docs/semantics.md §5 "Restore"). */
    record RestoreStreak(UserChange user) implements UserCommand {}

    /** Ends the running streak of a known user at once (docs/semantics.md §5 "Reset"). */
    record ResetStreak(UserChange user) implements UserCommand {}

    /**
     * Grants a known user a personal boost, or changes the boost with that id (docs/admin-api.md A4 "boosts").
     *
     * @param boostId id chosen by the sender
     * @param system key of the points system
     * @param end last day, inclusive; null if the boost has no end
     */
    record GrantBoost(UserChange user, UUID boostId, String system, String name, LocalDate start,
            @Nullable LocalDate end,
            BigDecimal multiplier, Rounding rounding) implements UserCommand {}

    /**
     * The changes to a boost. Only the end can be cleared.
     *
     * @param start can be changed only before the boost has started
     * @param end if cleared, the boost has no end
     */
    record BoostChange(Change<String> name, Change<LocalDate> start, Change<LocalDate> end,
            Change<BigDecimal> multiplier, Change<Rounding> rounding) {}

    /**
     * Changes a user's personal boost; properties that are not given stay the same (docs/admin-api.md A4 "boosts").
     *
     * @param system key of the points system to which the boost must belong
     */
    record ChangeBoost(UserChange user, UUID boostId, String system, BoostChange change) implements UserCommand {}

    /**
     * Revokes a user's personal boost; awards that it has multiplied do not change.
     *
     * @param system key of the points system to which the boost must belong, null for any
     */
    record RevokeBoost(UserChange user, UUID boostId, @Nullable String system) implements UserCommand {}

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
            OPENED, CLICKED
        }
    }

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
     * Notes that a key was issued (docs/admin-api.md A7). Nothing in the log can make a valid key of it.
     *
     * @param keyId made by {@code SignedKey}; nothing changes if the user has this key already
     * @param role {@link Role#VIEWER} or {@link Role#SUPPORT}
     * @param expires null: never
     */
    record IssueKey(UserChange user, UUID keyId, Role role, @Nullable Instant expires) implements KeyCommand {

        /** Whether the key only reads. */
        public boolean isReading() {
            return role == Role.VIEWER;
        }
    }

    /** Removes a key from the list of its user, after its revocation was made known to all processes. */
    record RevokeKey(UserChange user, UUID keyId) implements KeyCommand {}

    /** {@link DeletePause} for a pause that is named only by its id. */
    record DeleteOwnedPause(TenantId tenant, UUID id) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new DeletePause(owner, id);
        }
    }

    /** {@link ChangeBoost} for a boost that is named only by its id. */
    record ChangeOwnedBoost(TenantId tenant, UUID id, String system, BoostChange change) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new ChangeBoost(owner, id, system, change);
        }
    }

    /**
     * {@link RevokeBoost} for a boost that is named only by its id.
     * @param system see {@link RevokeBoost}
     */
    record RevokeOwnedBoost(TenantId tenant, UUID id, @Nullable String system) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new RevokeBoost(owner, id, system);
        }
    }

    /** Notes that a key was used at the time of the record. Changes nothing if that was noted less than a day before, or there is no such key. */
    record NoteKeyUse(UserChange user, UUID keyId) implements KeyCommand {}

    /** {@link RevokeKey} for a key that is named only by its id. */
    record RevokeOwnedKey(TenantId tenant, UUID id) implements OwnedCommand {

        @Override
        public UserCommand of(UserChange owner) {
            return new RevokeKey(owner, id);
        }
    }

    /** From this record on, the tenant's commands in this partition are processed with this version of its ruleset. */
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

    /** Ends the hold of the same name; has no effect if there is none. */
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
