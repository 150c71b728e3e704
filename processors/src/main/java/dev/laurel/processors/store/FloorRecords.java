package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * The records of {@code laurel.board-floors}. Leaderboards write the floors that have changed first and then how far they
 * had heard: whoever has read the second has read the first. That holds within the life of a task, which each record names:
 * what a task had yet to tell when it ended is never told. Thread-safe.
 */
public final class FloorRecords {

    /** What a record is about. */
    public sealed interface Key {

        /** The value is the group's floor, deleted while the group is not full. */
        record OfGroup(BoardGroup group) implements Key {}

        /** The value is how far the leaderboards of this partition have heard. */
        record OfPartition(int boardPartition) implements Key {}
    }

    /**
     * What a newcomer to a full group must exceed.
     *
     * @param boardPartition that holds the group
     * @param life of the task that told it
     */
    public record Floor(int boardPartition, long life, BigDecimal value) {}

    /**
     * How far the leaderboards of a partition have heard.
     *
     * @param life of the task that told it; floors told in another one say nothing of it
     * @param offsets by partition of the log, -1 where nothing was heard
     */
    public record Heard(long life, long[] offsets) {}

    private static final int GROUP = 1;
    private static final int PARTITION = 2;

    private static final Codec<Key> KEYS = new Codec<>("floor key", 1) {
        @Override
        void write(Key key, CodedOutputStream out) throws IOException {
            switch (key) {
                case Key.OfGroup(BoardGroup group) -> {
                    out.writeUInt32NoTag(GROUP);
                    out.writeStringNoTag(group.tenant().value());
                    out.writeUInt32NoTag(group.board());
                    out.writeSInt32NoTag(group.run());
                    BoardMessages.writeTexts(group.values(), out);
                }
                case Key.OfPartition(int partition) -> {
                    out.writeUInt32NoTag(PARTITION);
                    out.writeUInt32NoTag(partition);
                }
            }
        }

        @Override
        Key read(int writtenVersion, CodedInputStream in) throws IOException {
            int kind = in.readUInt32();
            return switch (kind) {
                case GROUP -> new Key.OfGroup(new BoardGroup(new TenantId(in.readString()), in.readUInt32(),
                        in.readSInt32(), BoardMessages.readTexts(in)));
                case PARTITION -> new Key.OfPartition(in.readUInt32());
                default -> throw new IOException("there is no floor key of kind " + kind);
            };
        }
    };

    private static final Codec<Floor> FLOORS = new Codec<>("floor", 1) {
        @Override
        void write(Floor floor, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(floor.boardPartition());
            out.writeSInt64NoTag(floor.life());
            Decimals.write(floor.value(), out);
        }

        @Override
        Floor read(int writtenVersion, CodedInputStream in) throws IOException {
            return new Floor(in.readUInt32(), in.readSInt64(), Decimals.read(in));
        }
    };

    private static final Codec<Heard> HEARD = new Codec<>("list of offsets", 1) {
        @Override
        void write(Heard heard, CodedOutputStream out) throws IOException {
            out.writeSInt64NoTag(heard.life());
            out.writeUInt32NoTag(heard.offsets().length);
            for (long offset : heard.offsets()) {
                out.writeSInt64NoTag(offset);
            }
        }

        @Override
        Heard read(int writtenVersion, CodedInputStream in) throws IOException {
            long life = in.readSInt64();
            var offsets = new long[readCount(in)];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = in.readSInt64();
            }
            return new Heard(life, offsets);
        }
    };

    private FloorRecords() {}

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

    public static byte[] heard(Heard heard) {
        return HEARD.encode(heard);
    }

    public static Heard readHeard(byte[] bytes) {
        return HEARD.decode(bytes);
    }
}
