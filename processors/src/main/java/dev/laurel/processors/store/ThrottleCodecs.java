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
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

/** The codecs of the values in the store of throttled events. Events have the same form as in the outbox. */
final class ThrottleCodecs {

    static final Codec<PointsWindow> POINTS = new Codec<>("window of points", 1, (window, out) -> {
        out.writeSInt64NoTag(window.endMs());
        out.writeSInt64NoTag(window.newestOffset());
        out.writeSInt64NoTag(window.sentOffset());
        Fields.writeOptional(window.merged(), out, ThrottleCodecs::writeEvent);
    }, in -> new PointsWindow(in.readSInt64(), in.readSInt64(), in.readSInt64(),
            Fields.readOptional(in, ThrottleCodecs::readEvent)));

    static final Codec<GroupNotificationState> GROUP = new Codec<>("group of a leaderboard", 1,
            ThrottleCodecs::writeGroup,
            ThrottleCodecs::readGroup);

    static final Codec<NotifiedRank> RANK = new Codec<>("notified rank", 1, (rank, out) -> {
        Fields.writeRank(rank.rank(), rank.value(), out);
        out.writeSInt64NoTag(rank.notifiedMs());
    }, in -> {
        int rank = in.readUInt32();
        return new NotifiedRank(rank, Fields.readRankedValue(rank, in), in.readSInt64());
    });

    static final Codec<List<String>> VALUES = new Codec<>("list of breakdown values", 1,
            (values, out) -> Fields.writeList(values, out, Fields::writeText),
            in -> Fields.readList(in, CodedInputStream::readString));

    static final Codec<OutboxEvent> EVENT = new Codec<>("event for webhooks", 1, (event, out) -> {
        out.writeByteArrayNoTag(event.key());
        writeEvent(event.event(), out);
    }, in -> new OutboxEvent(in.readByteArray(), readEvent(in)));

    private ThrottleCodecs() {}

    private static void writeGroup(GroupNotificationState group, CodedOutputStream out) throws IOException {
        out.writeUInt64NoTag(group.rulesVersion());
        writeDate(group.runStart(), out);
        Fields.writeOptional(group.runEnd(), out, ThrottleCodecs::writeDate);
        out.writeBoolNoTag(group.isOver());
        out.writeBoolNoTag(group.isChanged());
        out.writeSInt64NoTag(group.notifiedMs());
        Ranks ranks = group.ranks();
        out.writeBoolNoTag(ranks.hasBaseline());
        out.writeBoolNoTag(ranks.haveChanged());
        out.writeSInt64NoTag(ranks.nextMs());
        Fields.writeList(ranks.moves(), out, (move, to) -> {
            Fields.writeId(move.eventId(), to);
            to.writeStringNoTag(move.user().value());
            Fields.writeRank(move.previousRank(), move.previousValue(), to);
        });
        out.writeSInt64NoTag(group.dueMs());
    }

    private static GroupNotificationState readGroup(CodedInputStream in) throws IOException {
        long rulesVersion = in.readUInt64();
        LocalDate runStart = readDate(in);
        LocalDate runEnd = Fields.readOptional(in, ThrottleCodecs::readDate);
        boolean isOver = in.readBool();
        boolean isChanged = in.readBool();
        long notifiedMs = in.readSInt64();
        var ranks = new Ranks(in.readBool(), in.readBool(), in.readSInt64(),
                Fields.readList(in, ThrottleCodecs::readMove));
        return new GroupNotificationState(rulesVersion, runStart, runEnd, isOver, isChanged, notifiedMs, ranks,
                in.readSInt64());
    }

    private static RankMove readMove(CodedInputStream in) throws IOException {
        UUID event = Fields.readId(in);
        var user = new UserId(in.readString());
        int rank = in.readUInt32();
        return new RankMove(event, user, rank, Fields.readRankedValue(rank, in));
    }

    private static void writeDate(LocalDate date, CodedOutputStream out) throws IOException {
        out.writeSInt64NoTag(date.toEpochDay());
    }

    private static LocalDate readDate(CodedInputStream in) throws IOException {
        return LocalDate.ofEpochDay(in.readSInt64());
    }

    private static void writeEvent(HookEvent event, CodedOutputStream out) throws IOException {
        out.writeByteArrayNoTag(Json.write(event));
    }

    private static HookEvent readEvent(CodedInputStream in) throws IOException {
        return (HookEvent) Json.read(in.readByteArray(), Outgoing.class);
    }
}
