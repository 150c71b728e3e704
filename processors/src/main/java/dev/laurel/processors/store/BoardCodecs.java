package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.leaderboard.DayClose;
import dev.laurel.processors.core.leaderboard.Ranking.Participant;
import dev.laurel.processors.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.store.BoardStores.Heard;
import dev.laurel.processors.store.BoardStores.OpenGroup;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** The values in the stores of leaderboards. */
final class BoardCodecs {

    /** A place without its group, which is in its key. */
    record StoredPlace(boolean isIn, long offset, int previousRank) {}

    /** A day end without its day, which is in its key. */
    record StoredDayEnd(Integer rank, BigDecimal value) {}

    static final Codec<Participant> PARTICIPANT = new Codec<>("participant", 1) {
        @Override
        void write(Participant participant, CodedOutputStream out) throws IOException {
            Standing standing = participant.standing();
            out.writeStringNoTag(standing.user().value());
            out.writeBoolNoTag(standing.name() != null);
            if (standing.name() != null) {
                out.writeStringNoTag(standing.name());
            }
            Decimals.write(standing.value(), out);
            out.writeSInt64NoTag(standing.changedMs());
            out.writeSInt64NoTag(participant.offset());
            out.writeUInt32NoTag(participant.previousRank());
        }

        @Override
        Participant read(int writtenVersion, CodedInputStream in) throws IOException {
            var user = new UserId(in.readString());
            String name = in.readBool() ? in.readString() : null;
            var standing = new Standing(user, name, Decimals.read(in), in.readSInt64());
            return new Participant(standing, in.readSInt64(), in.readUInt32());
        }
    };

    static final Codec<StoredPlace> PLACE = new Codec<>("place", 1) {
        @Override
        void write(StoredPlace place, CodedOutputStream out) throws IOException {
            out.writeBoolNoTag(place.isIn());
            out.writeSInt64NoTag(place.offset());
            out.writeUInt32NoTag(place.previousRank());
        }

        @Override
        StoredPlace read(int writtenVersion, CodedInputStream in) throws IOException {
            return new StoredPlace(in.readBool(), in.readSInt64(), in.readUInt32());
        }
    };

    static final Codec<Heard> HEARD = new Codec<>("place in the log", 1) {
        @Override
        void write(Heard heard, CodedOutputStream out) throws IOException {
            out.writeSInt64NoTag(heard.offset());
            out.writeSInt64NoTag(heard.clockMs());
        }

        @Override
        Heard read(int writtenVersion, CodedInputStream in) throws IOException {
            return new Heard(in.readSInt64(), in.readSInt64());
        }
    };

    static final Codec<long[]> VERSIONS = new Codec<>("list of versions", 1) {
        @Override
        void write(long[] versions, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(versions.length);
            for (long version : versions) {
                out.writeUInt64NoTag(version);
            }
        }

        @Override
        long[] read(int writtenVersion, CodedInputStream in) throws IOException {
            var versions = new long[readCount(in)];
            for (int i = 0; i < versions.length; i++) {
                versions[i] = in.readUInt64();
            }
            return versions;
        }
    };

    static final Codec<OpenGroup> OPEN_GROUP = new Codec<>("group", 1) {
        @Override
        void write(OpenGroup group, CodedOutputStream out) throws IOException {
            out.writeSInt32NoTag(group.closedDay());
            out.writeBoolNoTag(group.hasChanged());
            out.writeUInt32NoTag(group.maxParticipants());
        }

        @Override
        OpenGroup read(int writtenVersion, CodedInputStream in) throws IOException {
            return new OpenGroup(in.readSInt32(), in.readBool(), in.readUInt32());
        }
    };

    static final Codec<Integer> RUN = new Codec<>("run", 1) {
        @Override
        void write(Integer run, CodedOutputStream out) throws IOException {
            out.writeSInt32NoTag(run);
        }

        @Override
        Integer read(int writtenVersion, CodedInputStream in) throws IOException {
            return in.readSInt32();
        }
    };

    static final Codec<StoredDayEnd> DAY_END = new Codec<>("day end", 1) {
        @Override
        void write(StoredDayEnd end, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(end.rank() == null ? 0 : end.rank());
            if (end.rank() != null) {
                Decimals.write(end.value(), out);
            }
        }

        @Override
        StoredDayEnd read(int writtenVersion, CodedInputStream in) throws IOException {
            int rank = in.readUInt32();
            return rank == 0 ? new StoredDayEnd(null, null) : new StoredDayEnd(rank, Decimals.read(in));
        }
    };

    static final Codec<List<DayClose.RankedUser>> LAST_CLOSE = new Codec<>("list of participants", 1) {
        @Override
        void write(List<DayClose.RankedUser> participants, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(participants.size());
            for (DayClose.RankedUser user : participants) {
                out.writeStringNoTag(user.user().value());
                out.writeUInt32NoTag(user.rank());
                Decimals.write(user.value(), out);
            }
        }

        @Override
        List<DayClose.RankedUser> read(int writtenVersion, CodedInputStream in) throws IOException {
            int size = readCount(in);
            var participants = new ArrayList<DayClose.RankedUser>(size);
            for (int i = 0; i < size; i++) {
                participants
                        .add(new DayClose.RankedUser(new UserId(in.readString()), in.readUInt32(), Decimals.read(in)));
            }
            return participants;
        }
    };

    private BoardCodecs() {}
}
