package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.math.BigDecimal;

/**
 * The records of {@code laurel.board-floors}. Leaderboards write the floors that have changed first and then how far they
 * had heard: whoever has read the second has read the first. Thread-safe.
 */
public final class FloorRecords {

    /** What a record is about. */
    public sealed interface Key {

        /** The value is the group's floor, deleted while the group is not full. */
        record OfGroup(BoardGroup group) implements Key {}

        /** The value is how far the leaderboards of this partition have heard. */
        record OfPartition(int boardPartition) implements Key {}
    }

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

    private static final Codec<BigDecimal> FLOORS = new Codec<>("floor", 1) {
        @Override
        void write(BigDecimal floor, CodedOutputStream out) throws IOException {
            Decimals.write(floor, out);
        }

        @Override
        BigDecimal read(int writtenVersion, CodedInputStream in) throws IOException {
            return Decimals.read(in);
        }
    };

    private static final Codec<long[]> HEARD = new Codec<>("list of offsets", 1) {
        @Override
        void write(long[] offsets, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(offsets.length);
            for (long offset : offsets) {
                out.writeSInt64NoTag(offset);
            }
        }

        @Override
        long[] read(int writtenVersion, CodedInputStream in) throws IOException {
            var offsets = new long[readCount(in)];
            for (int i = 0; i < offsets.length; i++) {
                offsets[i] = in.readSInt64();
            }
            return offsets;
        }
    };

    private FloorRecords() {}

    public static byte[] key(Key key) {
        return KEYS.encode(key);
    }

    public static Key readKey(byte[] bytes) {
        return KEYS.decode(bytes);
    }

    public static byte[] floor(BigDecimal floor) {
        return FLOORS.encode(floor);
    }

    public static BigDecimal readFloor(byte[] bytes) {
        return FLOORS.decode(bytes);
    }

    /** @param offsets by partition of the log, -1 where nothing was heard */
    public static byte[] heard(long[] offsets) {
        return HEARD.encode(offsets);
    }

    public static long[] readHeard(byte[] bytes) {
        return HEARD.decode(bytes);
    }
}
