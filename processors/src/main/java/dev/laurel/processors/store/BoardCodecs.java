package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.leaderboard.Participant;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.store.BoardStores.Heard;
import dev.laurel.processors.store.BoardStores.OpenGroup;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;

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
            writeStanding(standing, out);
            out.writeBoolNoTag(standing.name() != null);
            if (standing.name() != null) {
                out.writeStringNoTag(standing.name());
            }
            out.writeSInt64NoTag(participant.offset());
            out.writeUInt32NoTag(participant.previousRank());
        }

        @Override
        Participant read(int writtenVersion, CodedInputStream in) throws IOException {
            Standing nameless = readStanding(in);
            String name = in.readBool() ? in.readString() : null;
            var standing = new Standing(nameless.user(), name, nameless.value(), nameless.changedMs());
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

    /** Without names: only ranks and values are compared. */
    static final Codec<Ranking> LAST_CLOSE = new Codec<>("ranking", 1) {
        @Override
        void write(Ranking ranking, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(ranking.size());
            for (int rank = 1; rank <= ranking.size(); rank++) {
                writeStanding(ranking.at(rank), out);
            }
        }

        @Override
        Ranking read(int writtenVersion, CodedInputStream in) throws IOException {
            int size = readCount(in);
            var standings = new ArrayList<Standing>(size);
            for (int i = 0; i < size; i++) {
                standings.add(readStanding(in));
            }
            return Ranking.of(standings);
        }
    };

    private BoardCodecs() {}

    private static void writeStanding(Standing standing, CodedOutputStream out) throws IOException {
        out.writeStringNoTag(standing.user().value());
        Decimals.write(standing.value(), out);
        out.writeSInt64NoTag(standing.changedMs());
    }

    private static Standing readStanding(CodedInputStream in) throws IOException {
        return new Standing(new UserId(in.readString()), null, Decimals.read(in), in.readSInt64());
    }
}
