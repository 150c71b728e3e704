package dev.laurel.processors.store.boards;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * The records of {@code laurel.board-floors}. The boards application writes changed floors before its progress, so a reader of the
 * progress has read the floors. That holds within the life of a task, which each record names: a life that has ended never writes
 * the floors that were still to be written. Thread-safe.
 */
public final class FloorRecords {

    /** The subject of a record. */
    public sealed interface Key {

        /** The value is the group's floor, deleted while the group is not full. */
        record OfGroup(BoardGroup group) implements Key {}

        /** The value is the progress of this partition of the boards application. */
        record OfPartition(int boardPartition) implements Key {}
    }

    /**
     * The value that a newcomer to a full group must exceed.
     *
     * @param boardPartition that contains the group
     * @param life of the task that wrote it
     */
    public record Floor(int boardPartition, long life, BigDecimal value) {}

    /**
     * The position in the log up to which a partition of the boards application has processed scores.
     *
     * @param life of the task that wrote it; it says nothing about floors of other lives
     * @param offsets by partition of the log; -1 where none was processed
     */
    public record Progress(long life, long[] offsets) {}

    private static final int GROUP = 1;
    private static final int PARTITION = 2;

    private static final Codec<Key> KEYS = new Codec<>("floor key", 1, FloorRecords::writeKey, FloorRecords::readKey);

    private static final Codec<Floor> FLOORS = new Codec<>("floor", 1, (floor, out) -> {
        out.writeUInt32NoTag(floor.boardPartition());
        out.writeSInt64NoTag(floor.life());
        Fields.writeDecimal(floor.value(), out);
    }, in -> new Floor(in.readUInt32(), in.readSInt64(), Fields.readDecimal(in)));

    private static final Codec<Progress> PROGRESS = new Codec<>("list of offsets", 1, (progress, out) -> {
        out.writeSInt64NoTag(progress.life());
        out.writeUInt32NoTag(progress.offsets().length);
        for (long offset : progress.offsets()) {
            out.writeSInt64NoTag(offset);
        }
    }, in -> {
        long life = in.readSInt64();
        var offsets = new long[Fields.readCount(in)];
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] = in.readSInt64();
        }
        return new Progress(life, offsets);
    });

    private FloorRecords() {}

    private static void writeKey(Key key, CodedOutputStream out) throws IOException {
        switch (key) {
            case Key.OfGroup(BoardGroup group) -> {
                out.writeUInt32NoTag(GROUP);
                out.writeStringNoTag(group.tenant().value());
                out.writeUInt32NoTag(group.board());
                out.writeSInt32NoTag(group.run());
                Fields.writeList(group.values(), out, Fields::writeText);
            }
            case Key.OfPartition(int partition) -> {
                out.writeUInt32NoTag(PARTITION);
                out.writeUInt32NoTag(partition);
            }
        }
    }

    private static Key readKey(CodedInputStream in) throws IOException {
        int kind = in.readUInt32();
        return switch (kind) {
            case GROUP -> new Key.OfGroup(new BoardGroup(new TenantId(in.readString()), in.readUInt32(),
                    in.readSInt32(), Fields.readList(in, CodedInputStream::readString)));
            case PARTITION -> new Key.OfPartition(in.readUInt32());
            default -> throw new IOException("there is no floor key of kind " + kind);
        };
    }

    public static byte[] key(Key key) {
        return KEYS.encode(key);
    }

    public static Key readKey(byte[] bytes) {
        return KEYS.decode(bytes);
    }

    public static byte[] floor(Floor floor) {
        return FLOORS.encode(floor);
    }

    public static Floor readFloor(byte[] bytes) {
        return FLOORS.decode(bytes);
    }

    public static byte[] progress(Progress progress) {
        return PROGRESS.encode(progress);
    }

    public static Progress readProgress(byte[] bytes) {
        return PROGRESS.decode(bytes);
    }
}
