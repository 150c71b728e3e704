package dev.laurel.processors.ledger;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Times;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Reads the records of one partition of the log as commands, and rejects or refuses all others. One task, one thread. */
final class CommandParser {

    private static final long MAX_TIME_MS = Times.MAX.toEpochMilli();

    private final int partition;
    private final LogLayout layout;
    private final LedgerOutput output;

    CommandParser(int partition, LogLayout layout, LedgerOutput output) {
        this.partition = partition;
        this.layout = layout;
        this.output = output;
    }

    /** @return null if the record is no command: it has been rejected, or refused if a client waits */
    @Nullable
    Command parse(Record<byte[], byte[]> record) {
        String fault = faultOf(record);
        if (fault != null) {
            output.reject(record, fault);
            return null;
        }
        try {
            return CommandJson.read(record.value());
        } catch (BadInputException e) {
            output.refuse(record, e.refusal());
            return null;
        }
    }

    private static @Nullable String faultOf(Record<byte[], byte[]> record) {
        if (record.timestamp() <= 0) {
            return "the record has no timestamp: it is the time of the command";
        }
        if (record.timestamp() > MAX_TIME_MS) {
            return "the record's timestamp is beyond the year 9999: it is in milliseconds since 1970";
        }
        return record.value() == null ? "the record has no value" : null;
    }

    /** @return null if the record's key is not that of the command's user in this partition: the record has been rejected */
    @Nullable
    UserKey userOf(Record<byte[], byte[]> record, UserCommand command) {
        try {
            return keyOf(record, command);
        } catch (IllegalArgumentException e) {
            output.reject(record, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private UserKey keyOf(Record<byte[], byte[]> record, UserCommand command) {
        if (record.key() == null) {
            throw new IllegalArgumentException("the record has no key: it is the user's id");
        }
        UserKey user = UserKey.parse(record.key());
        if (!user.user().equals(command.user().id())) {
            throw new IllegalArgumentException("the record's key does not name the same user as user.id; for '"
                    + command.user().id() + "' it is '" + new UserKey(user.tenant(), command.user().id()) + "'");
        }
        int partitionOfKey = layout.partitionOf(record.key());
        if (partition != partitionOfKey) {
            throw new IllegalArgumentException("the record lies in partition " + partition + ", its key belongs to "
                    + partitionOfKey + ": produce with Kafka's own partitioner (murmur2 of the key)");
        }
        return user;
    }
}
