package dev.laurel.deploy.tools.backup;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.EraseUser;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Which users' records of one partition are before their last erasure: nothing that is left follows from those. */
final class Erased {

    private static final byte[] TYPE = "\"erase-user\"".getBytes(UTF_8);

    /** By key, the offset of the last erasure. */
    private final Map<ByteBuffer, Long> last = new HashMap<>();
    private final int partition;
    private final int partitions;

    /** @param partitions how many the log has */
    Erased(int partition, int partitions) {
        this.partition = partition;
        this.partitions = partitions;
    }

    void look(BackedUp record) {
        if (record.key() != null && record.value() != null && contains(record.value(), TYPE) && isErasure(record)) {
            last.put(ByteBuffer.wrap(record.key()), record.offset());
        }
    }

    /** What looks like it may be somebody's name, or a record that the ledger has refused. */
    private boolean isErasure(BackedUp record) {
        try {
            return CommandJson.read(record.value()) instanceof EraseUser erasure
                    && UserKey.parse(record.key()).user().equals(erasure.user().id())
                    && Utils.toPositive(Utils.murmur2(record.key())) % partitions == partition;
        } catch (BadInputException | IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean contains(byte[] text, byte[] part) {
        for (int at = 0; at + part.length <= text.length; at++) {
            int same = 0;
            while (same < part.length && text[at + same] == part[same]) {
                same++;
            }
            if (same == part.length) {
                return true;
            }
        }
        return false;
    }

    boolean covers(BackedUp record) {
        if (record.key() == null) {
            return false;
        }
        Long erasure = last.get(ByteBuffer.wrap(record.key()));
        return erasure != null && record.offset() <= erasure;
    }

    int users() {
        return last.size();
    }
}
