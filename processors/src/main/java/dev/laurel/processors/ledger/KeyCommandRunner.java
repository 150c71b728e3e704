package dev.laurel.processors.ledger;

import dev.laurel.core.engine.KeyEditor.KeyOutcome;
import dev.laurel.core.engine.KeyEditor;
import dev.laurel.core.user.IssuedKey;
import dev.laurel.processors.ledger.LedgerMeters.End;
import dev.laurel.processors.store.users.IssuedKeys;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.KeyCommand;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.OwnedIds;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.streams.processor.api.Record;

/** Runs the commands about lists of application keys, and writes these lists. One task, one thread. */
final class KeyCommandRunner {

    private final IssuedKeys keys;
    private final LedgerOutput output;
    private final LedgerMeters meters;

    KeyCommandRunner(IssuedKeys keys, LedgerOutput output, LedgerMeters meters) {
        this.keys = keys;
        this.output = output;
        this.meters = meters;
    }

    void run(Record<byte[], byte[]> record, UserKey user, KeyCommand command) {
        if (!OwnedIds.isOf(user, command.keyId())) {
            output.refuse(record, Refusal.keyOfAnotherUser(command.keyId()));
            return;
        }
        switch (KeyEditor.apply(keys.of(user), command, record.timestamp())) {
            case KeyOutcome.Refused(Refusal refusal) -> output.refuse(record, refusal);
            case KeyOutcome.Changed changed -> {
                meters.count(End.CHANGE);
                changed.removed().forEach(key -> keys.remove(user, key));
                if (changed.added() != null) {
                    keys.add(user, changed.added());
                }
                output.answerDone(record);
            }
        }
    }

    /**
     * Rejects the erasure of a user if the command does not name all keys of the user as revoked: the others would stay valid, and no
     * list would show them.
     *
     * @return whether the user may be erased
     */
    boolean mayErase(Record<byte[], byte[]> record, UserKey user, EraseUser erasure) {
        List<UUID> left = keys.of(user).stream().map(IssuedKey::id).filter(id -> !erasure.revokedKeys().contains(id))
                .toList();
        if (!left.isEmpty()) {
            output.refuseErasure(record, left);
        }
        return left.isEmpty();
    }

    /** Removes all keys of an erased user. @return whether there were any */
    boolean erase(UserKey user) {
        List<IssuedKey> all = keys.of(user);
        all.forEach(key -> keys.remove(user, key));
        return !all.isEmpty();
    }
}
