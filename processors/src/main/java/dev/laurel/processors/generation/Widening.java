package dev.laurel.processors.generation;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.command.Command.LogCommand;
import dev.laurel.schemas.command.Command.OwnedCommand;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.OwnedIds;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Assigns the records of a log to the partitions of a wider copy. The copy has a multiple of the partitions, so all users of a wide
 * partition come from the same narrow one and keep their order: hash mod narrow equals (hash mod wide) mod narrow.
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

    /** The partition from which everything in a partition of the wide log is copied. */
    public int sourceOf(int widePartition) {
        return widePartition % narrow;
    }

    /**
     * The partitions of the wide log into which a record is copied, at least one. A marker is copied into all partitions that are copied
     * from its partition. A record that is rejected, because it is no command or is in the wrong partition, is copied into a partition
     * in which it is rejected again.
     */
    public Set<Integer> targetsOf(int partition, byte @Nullable [] key, byte @Nullable [] value) {
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
        return IntStream.iterate(partition, copy -> copy < wide, copy -> copy + narrow).boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Null if the value is no command. */
    private static @Nullable Command read(byte @Nullable [] value) {
        if (value == null) {
            return null;
        }
        try {
            return CommandJson.read(value);
        } catch (BadInputException _) {
            return null; // The tasks reject it.
        }
    }
}
