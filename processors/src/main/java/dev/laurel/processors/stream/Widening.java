package dev.laurel.processors.stream;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.LogCommand;
import dev.laurel.schemas.command.OwnedCommand;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.OwnedIds;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the records of a log lie in a wider one that is a copy of it. The wider one has a multiple of partitions, so all
 * users of one wide partition come from the same narrow one, in the order that they have there: a key's hash modulo the
 * narrow number is that of its hash modulo the wide one.
 *
 * @param narrow partitions of the log
 * @param wide partitions of the copy
 */
public record Widening(int narrow, int wide) {

    public Widening {
        if (narrow < 1 || wide <= narrow || wide % narrow != 0) {
            throw new IllegalArgumentException(
                    "a log of " + narrow + " partitions can be copied into one of a multiple of them, not of " + wide);
        }
    }

    /** From where all comes that is copied into a partition of the wide log. */
    public int sourceOf(int widePartition) {
        return widePartition % narrow;
    }

    /**
     * The partitions of the wide log into which a record is copied, one at least. What concerns a whole partition comes into
     * all that come from it, in place. What is rejected where it stands, since it is no command or lies in a partition that
     * is not its key's, comes into one in which it is rejected again.
     */
    public Set<Integer> placesOf(int partition, byte[] key, byte[] value) {
        return switch (read(value)) {
            case LogCommand _ -> allFrom(partition);
            case OwnedCommand owned -> Set.of(ifFrom(partition, OwnedIds.partitionOf(owned.id(), wide)));
            case UserCommand _ -> Set.of(key == null ? partition : ifFrom(partition, wide(key)));
            case null -> Set.of(partition);
        };
    }

    private int wide(byte[] key) {
        return new LogLayout(wide).partitionOf(key);
    }

    private int ifFrom(int partition, int widePartition) {
        return sourceOf(widePartition) == partition ? widePartition : partition;
    }

    private Set<Integer> allFrom(int partition) {
        var all = new TreeSet<Integer>();
        for (int copy = partition; copy < wide; copy += narrow) {
            all.add(copy);
        }
        return all;
    }

    /** Null if it is no command. */
    private static Command read(byte[] value) {
        if (value == null) {
            return null;
        }
        try {
            return CommandJson.read(value);
        } catch (BadInputException _) {
            return null; // it is rejected where it is processed
        }
    }
}
