package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.throttle.GroupNotificationState.Ranks;
import dev.laurel.processors.core.throttle.GroupNotificationState;
import dev.laurel.processors.core.throttle.RankBaseline.RankMove;
import dev.laurel.processors.core.throttle.RankDiff.NotifiedRank;
import dev.laurel.processors.store.ThrottleStore.OutboxEvent;
import dev.laurel.processors.store.ThrottleStore.PointsWindow;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing.HookEvent;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The values in the store of throttled events. Events have the same form as in the outbox. */
final class ThrottleCodecs {

    static final Codec<PointsWindow> POINTS = new Codec<>("window of points", 1) {
        @Override
        void write(PointsWindow window, CodedOutputStream out) throws IOException {
            out.writeSInt64NoTag(window.endMs());
            out.writeSInt64NoTag(window.heardOffset());
            out.writeSInt64NoTag(window.sentOffset());
            out.writeBoolNoTag(window.merged() != null);
            if (window.merged() != null) {
                writeEvent(window.merged(), out);
            }
        }

        @Override
        PointsWindow read(int writtenVersion, CodedInputStream in) throws IOException {
            return new PointsWindow(in.readSInt64(), in.readSInt64(), in.readSInt64(),
                    in.readBool() ? readEvent(in) : null);
        }
    };

    static final Codec<GroupNotificationState> WATCH = new Codec<>("watch of a leaderboard", 1) {
        @Override
        void write(GroupNotificationState watch, CodedOutputStream out) throws IOException {
            out.writeUInt64NoTag(watch.rulesVersion());
            out.writeSInt64NoTag(watch.runStart().toEpochDay());
            out.writeBoolNoTag(watch.runEnd() != null);
            if (watch.runEnd() != null) {
                out.writeSInt64NoTag(watch.runEnd().toEpochDay());
            }
            out.writeBoolNoTag(watch.isOver());
            out.writeBoolNoTag(watch.isChanged());
            out.writeSInt64NoTag(watch.notifiedMs());
            Ranks ranks = watch.ranks();
            out.writeBoolNoTag(ranks.hasBaseline());
            out.writeBoolNoTag(ranks.haveChanged());
            out.writeSInt64NoTag(ranks.nextMs());
            out.writeUInt32NoTag(ranks.moves().size());
            for (RankMove move : ranks.moves()) {
                writeId(move.news(), out);
                out.writeStringNoTag(move.user().value());
                writeRank(move.previousRank(), move.previousValue(), out);
            }
            out.writeSInt64NoTag(watch.dueMs());
        }

        @Override
        GroupNotificationState read(int writtenVersion, CodedInputStream in) throws IOException {
            long rulesVersion = in.readUInt64();
            var runStart = LocalDate.ofEpochDay(in.readSInt64());
            LocalDate runEnd = in.readBool() ? LocalDate.ofEpochDay(in.readSInt64()) : null;
            boolean isOver = in.readBool();
            boolean isChanged = in.readBool();
            long notifiedMs = in.readSInt64();
            var ranks = new Ranks(in.readBool(), in.readBool(), in.readSInt64(), readMoves(in));
            return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, isChanged, notifiedMs, ranks,
                    in.readSInt64());
        }

        private static List<RankMove> readMoves(CodedInputStream in) throws IOException {
            int count = readCount(in);
            var moves = new ArrayList<RankMove>(count);
            for (int i = 0; i < count; i++) {
                UUID news = readId(in);
                var user = new UserId(in.readString());
                int rank = in.readUInt32();
                moves.add(new RankMove(news, user, rank, readValue(rank, in)));
            }
            return moves;
        }
    };

    static final Codec<NotifiedRank> TOLD = new Codec<>("told rank", 1) {
        @Override
        void write(NotifiedRank told, CodedOutputStream out) throws IOException {
            writeRank(told.rank(), told.value(), out);
            out.writeSInt64NoTag(told.notifiedMs());
        }

        @Override
        NotifiedRank read(int writtenVersion, CodedInputStream in) throws IOException {
            int rank = in.readUInt32();
            return new NotifiedRank(rank, readValue(rank, in), in.readSInt64());
        }
    };

    static final Codec<List<String>> VALUES = new Codec<>("list of breakdown values", 1) {
        @Override
        void write(List<String> values, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(values.size());
            for (String value : values) {
                out.writeStringNoTag(value);
            }
        }

        @Override
        List<String> read(int writtenVersion, CodedInputStream in) throws IOException {
            int count = readCount(in);
            var values = new ArrayList<String>(count);
            for (int i = 0; i < count; i++) {
                values.add(in.readString());
            }
            return values;
        }
    };

    static final Codec<OutboxEvent> HANDED = new Codec<>("event for webhooks", 1) {
        @Override
        void write(OutboxEvent handed, CodedOutputStream out) throws IOException {
            out.writeByteArrayNoTag(handed.key());
            writeEvent(handed.event(), out);
        }

        @Override
        OutboxEvent read(int writtenVersion, CodedInputStream in) throws IOException {
            return new OutboxEvent(in.readByteArray(), readEvent(in));
        }
    };

    private ThrottleCodecs() {}

    private static void writeRank(int rank, BigDecimal value, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(rank);
        if (rank > 0) {
            Decimals.write(value, out);
        }
    }

    private static BigDecimal readValue(int rank, CodedInputStream in) throws IOException {
        return rank == 0 ? null : Decimals.read(in);
    }

    private static void writeEvent(HookEvent event, CodedOutputStream out) throws IOException {
        out.writeByteArrayNoTag(Json.write(event));
    }

    private static HookEvent readEvent(CodedInputStream in) throws IOException {
        return (HookEvent) Json.read(in.readByteArray(), Outgoing.class);
    }
}
