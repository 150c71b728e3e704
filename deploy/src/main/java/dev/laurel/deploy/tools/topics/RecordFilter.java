package dev.laurel.deploy.tools.topics;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.laurel.core.engine.KeyEditor;
import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.engine.KeyEditor.KeyOutcome.Changed;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.KeyCommand;
import dev.laurel.schemas.command.Command.RevokeOwnedKey;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.UserResourceIds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;

/**
 * Decides which records a restore leaves out: those of users who were erased later, and single ones that an operator
 * names. It must see all records first, because an erasure follows the records that it erases.
 */
final class RecordFilter {

    private static final Pattern OFFSET = Pattern.compile("(.+)-(\\d{1,9})@(\\d{1,18})");

    private final boolean isErasedForgotten;
    private final Map<TopicPartition, Set<Long>> named = new HashMap<>();
    private final Map<TopicPartition, ErasedUsers> erased = new HashMap<>();

    /** Named records that have not been seen. */
    private final Set<String> unseen = new TreeSet<>();

    /**
     * @param names records as logs and rejections show them: {@code laurel.commands-3@1234}
     * @throws IllegalArgumentException if one is malformed or not in a log
     */
    RecordFilter(boolean isErasedForgotten, List<String> names) {
        this.isErasedForgotten = isErasedForgotten;
        for (String name : names) {
            Matcher parts = OFFSET.matcher(name);
            if (!parts.matches() || !SourceCluster.isLog(parts.group(1))) {
                throw new IllegalArgumentException(
                        "'" + name + "' must be topic-partition@offset of a log, such as laurel.commands-3@1234");
            }
            named.computeIfAbsent(
                            new TopicPartition(parts.group(1), Integer.parseInt(parts.group(2))), _ -> new HashSet<>())
                    .add(Long.parseLong(parts.group(3)));
            unseen.add(name);
        }
    }

    /**
     * Must be called with every record of every log, in the order of each partition.
     *
     * @param partitions partitions of the log
     */
    void scan(TopicPartition partition, int partitions, BackupRecord record) {
        if (isErasedForgotten) {
            erased.computeIfAbsent(partition, _ -> new ErasedUsers(partition.partition(), partitions))
                    .scan(record);
        }
        if (isNamed(partition, record)) {
            unseen.remove(partition + "@" + record.offset());
        }
    }

    private boolean isNamed(TopicPartition partition, BackupRecord record) {
        Set<Long> offsets = named.get(partition);
        return offsets != null && offsets.contains(record.offset());
    }

    /** @throws CommandFailed if a named record does not exist */
    void expectAllSeen() {
        if (!unseen.isEmpty()) {
            throw new CommandFailed("the backup has no record at " + String.join(", ", unseen));
        }
    }

    boolean isLeftOut(TopicPartition partition, BackupRecord record) {
        ErasedUsers users = erased.get(partition);
        return users != null && users.isForgotten(record) || isNamed(partition, record);
    }

    /**
     * Users of one partition who were erased, with the offset of their last erasure. No remaining state depends on
     * their records before it. Keeps the application keys of users in memory, because the ledger refuses the erasure of a user
     * with keys that it does not name.
     */
    static final class ErasedUsers {

        private static final Pattern TYPE = Pattern.compile("\"(erase-user|issue-key|revoke-key|revoke-owned-key)\"");

        private static final byte[] NO_KEY = {};

        /** Offset of the last erasure by record key. */
        private final Map<ByteBuffer, Long> last = new HashMap<>();

        /** By record key, as the ledger has them at the record that is read. Without the times of use. */
        private final Map<ByteBuffer, List<IssuedKey>> keys = new HashMap<>();

        private final Map<UUID, ByteBuffer> owners = new HashMap<>();
        private final int partition;
        private final int partitions;

        /** @param partitions partitions of the log */
        ErasedUsers(int partition, int partitions) {
            this.partition = partition;
            this.partitions = partitions;
        }

        void scan(BackupRecord record) {
            byte[] value = record.value();
            if (value != null && TYPE.matcher(new String(value, ISO_8859_1)).find()) {
                apply(record, value);
            }
        }

        /** Parses the record, because the text may be part of a name, or the ledger may have refused the record. */
        private void apply(BackupRecord record, byte[] value) {
            byte[] key = record.key() == null ? NO_KEY : record.key();
            try {
                switch (CommandJson.read(value)) {
                    case RevokeOwnedKey revocation -> remove(revocation.id());
                    case EraseUser erasure
                    when isOf(erasure.user(), key) -> erase(ByteBuffer.wrap(key), record, erasure);
                    case KeyCommand command
                    when isOf(command.user(), key) && UserResourceIds.isOf(UserKey.parse(key), command.keyId()) ->
                        edit(ByteBuffer.wrap(key), command, record.timestampMs());
                    default -> {
                        // Another command that has the text in a value.
                    }
                }
            } catch (BadInputException | IllegalArgumentException _) {
                // The ledger has refused it, too.
            }
        }

        private boolean isOf(UserChange user, byte[] key) {
            return key.length > 0
                    && UserKey.parse(key).user().equals(user.id())
                    && Utils.toPositive(Utils.murmur2(key)) % partitions == partition;
        }

        private void erase(ByteBuffer user, BackupRecord record, EraseUser erasure) {
            List<UUID> issued = keys.getOrDefault(user, List.of()).stream()
                    .map(IssuedKey::id)
                    .toList();
            if (erasure.revokedKeys().containsAll(issued)) {
                issued.forEach(this::remove);
                last.put(user, record.offset());
            }
        }

        private void edit(ByteBuffer user, KeyCommand command, long atMs) {
            if (KeyEditor.apply(keys.getOrDefault(user, List.of()), command, atMs) instanceof Changed changed) {
                changed.removed().forEach(key -> remove(key.id()));
                if (changed.added() != null) {
                    keys.computeIfAbsent(user, _ -> new ArrayList<>()).add(changed.added());
                    owners.put(changed.added().id(), user);
                }
            }
        }

        private void remove(UUID key) {
            ByteBuffer user = owners.remove(key);
            if (user != null) {
                keys.computeIfPresent(user, (_, all) -> {
                    all.removeIf(each -> each.id().equals(key));
                    return all.isEmpty() ? null : all;
                });
            }
        }

        boolean isForgotten(BackupRecord record) {
            if (record.key() == null) {
                return false;
            }
            Long erasure = last.get(ByteBuffer.wrap(record.key()));
            return erasure != null && record.offset() <= erasure;
        }
    }
}
