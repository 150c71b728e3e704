package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Utils;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

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
                throw new IllegalArgumentException("'" + name
                        + "' must be topic-partition@offset of a log, such as laurel.commands-3@1234");
            }
            named.computeIfAbsent(new TopicPartition(parts.group(1), Integer.parseInt(parts.group(2))),
                    _ -> new HashSet<>()).add(Long.parseLong(parts.group(3)));
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
            erased.computeIfAbsent(partition, _ -> new ErasedUsers(partition.partition(), partitions)).scan(record);
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
     * their records before it.
     */
    static final class ErasedUsers {

        private static final String TYPE = "\"erase-user\"";

        /** Offset of the last erasure by record key. */
        private final Map<ByteBuffer, Long> last = new HashMap<>();
        private final int partition;
        private final int partitions;

        /** @param partitions partitions of the log */
        ErasedUsers(int partition, int partitions) {
            this.partition = partition;
            this.partitions = partitions;
        }

        void scan(BackupRecord record) {
            byte[] key = record.key();
            byte[] value = record.value();
            if (key != null && value != null && new String(value, ISO_8859_1).contains(TYPE) && isErasure(key, value)) {
                last.put(ByteBuffer.wrap(key), record.offset());
            }
        }

        /** Parses the record, because the text may be part of a name, or the ledger may have refused the record. */
        private boolean isErasure(byte[] key, byte[] value) {
            try {
                return CommandJson.read(value) instanceof EraseUser erasure
                        && UserKey.parse(key).user().equals(erasure.user().id())
                        && Utils.toPositive(Utils.murmur2(key)) % partitions == partition;
            } catch (BadInputException | IllegalArgumentException _) {
                return false;
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
