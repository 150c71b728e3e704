package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.StreakBlock;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** The small values beside the user's state. */
final class HistoryCodecs {

    /** Version 1 did not count events. */
    static final Codec<DayBucket> DAY = new Codec<>("day", 2) {
        @Override
        void write(DayBucket bucket, CodedOutputStream out) throws IOException {
            DayBuckets.write(bucket, out);
        }

        @Override
        DayBucket read(int writtenVersion, CodedInputStream in) throws IOException {
            return writtenVersion < 2 ? DayBuckets.readUncounted(in) : DayBuckets.read(in);
        }
    };

    static final Codec<BoardState> BOARD_RUN = new Codec<>("leaderboard run", 1) {
        @Override
        void write(BoardState state, CodedOutputStream out) throws IOException {
            BoardStates.write(state, 0, out);
        }

        @Override
        BoardState read(int writtenVersion, CodedInputStream in) throws IOException {
            return BoardStates.read(0, in);
        }
    };

    static final Codec<StreakBlock> STREAK_BLOCK = new Codec<>("streak block", 1) {
        @Override
        void write(StreakBlock block, CodedOutputStream out) throws IOException {
            Streaks.writeBlock(block, out);
        }

        @Override
        StreakBlock read(int writtenVersion, CodedInputStream in) throws IOException {
            return Streaks.readBlock(in);
        }
    };

    static final Codec<List<Award>> LEDGER_PAGE = new Codec<>("ledger page", 2) {
        @Override
        void write(List<Award> awards, CodedOutputStream out) throws IOException {
            Awards.write(awards, out);
        }

        @Override
        List<Award> read(int writtenVersion, CodedInputStream in) throws IOException {
            return Awards.read(in, writtenVersion >= 2);
        }
    };

    static final Codec<UUID> EVENT_ID = new Codec<>("event id", 1) {
        @Override
        void write(UUID id, CodedOutputStream out) throws IOException {
            out.writeFixed64NoTag(id.getMostSignificantBits());
            out.writeFixed64NoTag(id.getLeastSignificantBits());
        }

        @Override
        UUID read(int writtenVersion, CodedInputStream in) throws IOException {
            return new UUID(in.readFixed64(), in.readFixed64());
        }
    };

    static final Codec<Long> COUNT = new Codec<>("count", 1) {
        @Override
        void write(Long count, CodedOutputStream out) throws IOException {
            out.writeUInt64NoTag(count);
        }

        @Override
        Long read(int writtenVersion, CodedInputStream in) throws IOException {
            return in.readUInt64();
        }
    };

    private HistoryCodecs() {}
}
