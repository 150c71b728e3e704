package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.BoardState;
import dev.laurel.processors.core.user.DayBucket;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.processors.core.user.StreakBlock;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** The codecs of the small values beside the user's state. */
final class HistoryCodecs {

    static final Codec<DayBucket> DAY = new Codec<>("day", 2, 2) {
        @Override
        void write(DayBucket bucket, CodedOutputStream out) throws IOException {
            MetricFields.writeBucket(bucket, out);
        }

        @Override
        DayBucket read(int writtenVersion, CodedInputStream in) throws IOException {
            return MetricFields.readBucket(in);
        }
    };

    static final Codec<BoardState> BOARD_RUN = new Codec<>("leaderboard run", 1) {
        @Override
        void write(BoardState state, CodedOutputStream out) throws IOException {
            UserStateCodec.writeBoard(state, 0, out);
        }

        @Override
        BoardState read(int writtenVersion, CodedInputStream in) throws IOException {
            return UserStateCodec.readBoard(0, in);
        }
    };

    static final Codec<StreakBlock> STREAK_BLOCK = new Codec<>("streak block", 1) {
        @Override
        void write(StreakBlock block, CodedOutputStream out) throws IOException {
            StreakFields.writeBlock(block, out);
        }

        @Override
        StreakBlock read(int writtenVersion, CodedInputStream in) throws IOException {
            return StreakFields.readBlock(in);
        }
    };

    static final Codec<List<Award>> LEDGER_PAGE = new Codec<>("ledger page", 2, 2) {
        @Override
        void write(List<Award> awards, CodedOutputStream out) throws IOException {
            PointsFields.writeAwards(awards, out);
        }

        @Override
        List<Award> read(int writtenVersion, CodedInputStream in) throws IOException {
            return PointsFields.readAwards(in);
        }
    };

    static final Codec<UUID> EVENT_ID = Codec.ofId("event id");

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
