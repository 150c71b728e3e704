package dev.laurel.core.engine;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.user.LocalDays;
import dev.laurel.schemas.command.Command.IssueKey;
import dev.laurel.schemas.command.Command.KeyCommand;
import dev.laurel.schemas.command.Command.NoteKeyUse;
import dev.laurel.schemas.command.Command.RevokeKey;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.input.Uuids;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Applies commands to the list of a user's application keys: a pure function of the list, the command and its time (docs/admin-api.md
 * A7). The list is no part of the {@code UserState}: events need it not, and a user who is not known yet may have keys.
 */
public final class KeyEditor {

    /** The most keys of a user. Expired ones make room for new ones. */
    public static final int MAX_KEYS = 100;

    /**
     * An application key in the list of its user, without what would make it valid.
     *
     * @param isReading whether it only reads
     * @param expiresMs {@link #NEVER} if it does not expire
     * @param usedMs a time at which it was used; {@link #NEVER} if none was noted
     */
    public record IssuedKey(UUID id, long createdMs, boolean isReading, long expiresMs, long usedMs) {

        public static final long NEVER = Long.MAX_VALUE;

        public static final Comparator<IssuedKey> BY_AGE =
                Comparator.comparingLong(IssuedKey::createdMs).thenComparing(IssuedKey::id, Uuids.BY_BYTES);

        /** A key that was not used yet. */
        public IssuedKey(UUID id, long createdMs, boolean isReading, long expiresMs) {
            this(id, createdMs, isReading, expiresMs, NEVER);
        }
    }

    /** The outcome of a command. */
    public sealed interface KeyOutcome {

        record Refused(Refusal refusal) implements KeyOutcome {}

        /** @param added a new key, or one with a new time of use; null: none */
        record Changed(@Nullable IssuedKey added, List<IssuedKey> removed) implements KeyOutcome {}
    }

    private KeyEditor() {}

    /** @param keys all keys of the user */
    public static KeyOutcome apply(List<IssuedKey> keys, KeyCommand command, long atMs) {
        List<IssuedKey> same =
                keys.stream().filter(key -> key.id().equals(command.keyId())).toList();
        return switch (command) {
            case IssueKey _ when !same.isEmpty() -> new KeyOutcome.Changed(null, List.of()); // a repetition
            case IssueKey issue -> issue(keys, issue, atMs);
            case RevokeKey _ when same.isEmpty() -> new KeyOutcome.Refused(Refusal.unknownApplicationKey());
            case RevokeKey _ -> new KeyOutcome.Changed(null, same);
            case NoteKeyUse _ when same.isEmpty() -> new KeyOutcome.Changed(null, List.of());
            case NoteKeyUse _ -> new KeyOutcome.Changed(used(same.getFirst(), atMs), List.of());
        };
    }

    /** Null: that does not change the key. */
    private static @Nullable IssuedKey used(IssuedKey key, long atMs) {
        boolean isNew = key.usedMs() == IssuedKey.NEVER || atMs - key.usedMs() >= LocalDays.MS_PER_DAY;
        return isNew ? new IssuedKey(key.id(), key.createdMs(), key.isReading(), key.expiresMs(), atMs) : null;
    }

    private static KeyOutcome issue(List<IssuedKey> keys, IssueKey issue, long atMs) {
        List<IssuedKey> expired = keys.size() < MAX_KEYS
                ? List.of()
                : keys.stream().filter(key -> key.expiresMs() <= atMs).toList();
        if (keys.size() - expired.size() >= MAX_KEYS) {
            return new KeyOutcome.Refused(Refusal.tooMany("application keys", MAX_KEYS));
        }
        long expiresMs =
                issue.expires() == null ? IssuedKey.NEVER : issue.expires().toEpochMilli();
        return new KeyOutcome.Changed(new IssuedKey(issue.keyId(), atMs, issue.isReading(), expiresMs), expired);
    }
}
