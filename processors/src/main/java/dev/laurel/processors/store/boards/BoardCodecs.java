package dev.laurel.processors.store.boards;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.leaderboard.DayClose;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import dev.laurel.processors.store.boards.BoardStores.LogPosition;
import dev.laurel.processors.store.boards.BoardStores.OpenGroup;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codecs of the values in the stores of leaderboards. */
public final class BoardCodecs {

    /** A place without its group, which is in its key. */
    record StoredPlace(boolean isIn, long offset, int previousRank) {}

    /** A day end without its day, which is in its key. @param rank null, as is {@code value}, if the user took no part */
    record StoredDayEnd(@Nullable Integer rank, @Nullable BigDecimal value) {}

    public static final Codec<Participant> PARTICIPANT = new Codec<>("participant", 2, BoardCodecs::write,
            in -> new Participant(readStanding(in), in.readSInt64(), in.readUInt32(), in.readBool()),
            in -> new Participant(readStanding(in), in.readSInt64(), in.readUInt32(), false));

    static final Codec<StoredPlace> PLACE = new Codec<>("place", 1, (place, out) -> {
        out.writeBoolNoTag(place.isIn());
        out.writeSInt64NoTag(place.offset());
        out.writeUInt32NoTag(place.previousRank());
    }, in -> new StoredPlace(in.readBool(), in.readSInt64(), in.readUInt32()));

    public static final Codec<LogPosition> LOG_POSITION = new Codec<>("position in the log", 1, (position, out) -> {
        out.writeSInt64NoTag(position.offset());
        out.writeSInt64NoTag(position.clockMs());
    }, in -> new LogPosition(in.readSInt64(), in.readSInt64()));

    static final Codec<long[]> VERSIONS = new Codec<>("list of versions", 1, (versions, out) -> {
        out.writeUInt32NoTag(versions.length);
        for (long version : versions) {
            out.writeUInt64NoTag(version);
        }
    }, in -> {
        var versions = new long[Fields.readCount(in)];
        for (int i = 0; i < versions.length; i++) {
            versions[i] = in.readUInt64();
        }
        return versions;
    });

    static final Codec<OpenGroup> OPEN_GROUP = new Codec<>("group", 1, (group, out) -> {
        out.writeSInt32NoTag(group.closedDay());
        out.writeBoolNoTag(group.hasChanged());
        out.writeUInt32NoTag(group.maxParticipants());
    }, in -> new OpenGroup(in.readSInt32(), in.readBool(), in.readUInt32()));

    static final Codec<Integer> RUN = new Codec<>("run", 1, (run, out) -> out.writeSInt32NoTag(run),
            CodedInputStream::readSInt32);

    static final Codec<StoredDayEnd> DAY_END = new Codec<>("day end", 1,
            (end, out) -> Fields.writeRank(end.rank() == null ? 0 : end.rank(), end.value(), out), in -> {
                int rank = in.readUInt32();
                return new StoredDayEnd(rank == 0 ? null : rank, Fields.readRankedValue(rank, in));
            });

    static final Codec<List<DayClose.RankedUser>> LAST_CLOSE = new Codec<>("list of participants", 1,
            (users, out) -> Fields.writeList(users, out, (user, to) -> {
                to.writeStringNoTag(user.user().value());
                to.writeUInt32NoTag(user.rank());
                Fields.writeDecimal(user.value(), to);
            }),
            in -> Fields.readList(in, from -> new DayClose.RankedUser(new UserId(from.readString()), from.readUInt32(),
                    Fields.readDecimal(from))));

    private BoardCodecs() {}

    private static void write(Participant participant, CodedOutputStream out) throws IOException {
        Standing standing = participant.standing();
        out.writeStringNoTag(standing.user().value());
        Fields.writeOptional(standing.name(), out, Fields::writeText);
        Fields.writeDecimal(standing.value(), out);
        out.writeSInt64NoTag(standing.changedMs());
        out.writeSInt64NoTag(participant.offset());
        out.writeUInt32NoTag(participant.previousRank());
        out.writeBoolNoTag(participant.hasChangedRank());
    }

    private static Standing readStanding(CodedInputStream in) throws IOException {
        var user = new UserId(in.readString());
        String name = Fields.readOptional(in, CodedInputStream::readString);
        return new Standing(user, name, Fields.readDecimal(in), in.readSInt64());
    }
}
