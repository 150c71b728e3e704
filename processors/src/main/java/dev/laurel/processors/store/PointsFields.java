package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.IntKeyedMap;
import dev.laurel.processors.core.user.PointsState.AppliedBoost;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.schemas.ruleset.Rounding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads points, awards and boosts of users as parts of stored values. */
final class PointsFields {

    private PointsFields() {}

    private static final Rounding[] ROUNDINGS = Rounding.values();

    static void writePoints(IntKeyedMap<PointsState> points, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(points.size());
        for (int i = 0; i < points.size(); i++) {
            PointsState system = points.valueAt(i);
            out.writeUInt32NoTag(points.numberAt(i));
            out.writeUInt64NoTag(system.total());
            out.writeUInt32NoTag(system.awards());
            writeAwards(system.newest(), out);
            writeNumbers(system.counts(), out);
            out.writeSInt32NoTag(system.day());
            out.writeSInt64NoTag(system.dayChange());
        }
    }

    static void writeNumbers(IntKeyedMap<Long> values, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(values.size());
        for (int i = 0; i < values.size(); i++) {
            out.writeUInt32NoTag(values.numberAt(i));
            out.writeSInt64NoTag(values.valueAt(i));
        }
    }

    static IntKeyedMap<PointsState> readPoints(CodedInputStream in) throws IOException {
        return Codec.readMap(in, () -> readSystem(in));
    }

    private static PointsState readSystem(CodedInputStream in) throws IOException {
        return new PointsState(in.readUInt64(), in.readUInt32(), readAwards(in), Codec.readMap(in, in::readSInt64),
                in.readSInt32(), in.readSInt64());
    }

    /**
     * Writes awards of one system that follow each other: the first in full, the others by their difference from the one
     * before. An award takes about ten bytes.
     */
    static void writeAwards(List<Award> awards, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(awards.size());
        long atMs = 0;
        long total = 0;
        for (int i = 0; i < awards.size(); i++) {
            Award award = awards.get(i);
            if (i == 0) {
                out.writeUInt32NoTag(award.system());
                out.writeUInt32NoTag(award.sequence());
                total = award.total() - award.awarded();
                out.writeUInt64NoTag(total);
            }
            out.writeSInt64NoTag(award.atMs() - atMs);
            out.writeSInt64NoTag(award.awarded());
            out.writeUInt32NoTag(award.trigger());
            out.writeUInt64NoTag(award.rulesetVersion());
            writeApplied(award.boosts(), out);
            atMs = award.atMs();
        }
    }

    static List<Award> readAwards(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        if (size == 0) {
            return List.of();
        }
        if (size < 0 || size > PointsState.PAGE) {
            throw new IOException(
                    "a ledger page has " + size + " awards, at most " + PointsState.PAGE + " are allowed");
        }
        var awards = new Award[size];
        int system = in.readUInt32();
        int sequence = in.readUInt32();
        long total = in.readUInt64();
        long atMs = 0;
        for (int i = 0; i < size; i++) {
            atMs += in.readSInt64();
            long awarded = in.readSInt64();
            total += awarded;
            awards[i] = new Award(system, sequence + i, atMs, awarded, total, in.readUInt32(), in.readUInt64(),
                    readApplied(in));
        }
        return List.of(awards);
    }

    static void writeBoosts(List<UserBoost> boosts, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(boosts.size());
        for (UserBoost boost : boosts) {
            writeBoost(boost, out);
        }
    }

    private static void writeBoost(UserBoost boost, CodedOutputStream out) throws IOException {
        Codec.writeId(boost.id(), out);
        out.writeUInt32NoTag(boost.system());
        out.writeStringNoTag(boost.name());
        out.writeSInt32NoTag(boost.start());
        out.writeSInt32NoTag(boost.end());
        Decimals.write(boost.multiplier(), out);
        out.writeUInt32NoTag(boost.rounding().ordinal());
        out.writeSInt64NoTag(boost.createdMs());
    }

    static List<UserBoost> readBoosts(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        if (size == 0) {
            return List.of();
        }
        var boosts = new ArrayList<UserBoost>(size);
        for (int i = 0; i < size; i++) {
            boosts.add(readBoost(in));
        }
        return boosts;
    }

    private static UserBoost readBoost(CodedInputStream in) throws IOException {
        return new UserBoost(Codec.readId(in), in.readUInt32(), in.readString(),
                in.readSInt32(), in.readSInt32(), Decimals.read(in), Codec.constant(ROUNDINGS, in.readUInt32()),
                in.readSInt64());
    }

    /** Those of an award: numbers of the ruleset's are positive, a 0 stands before one of the user's own. */
    static void writeApplied(List<AppliedBoost> boosts, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(boosts.size());
        for (AppliedBoost applied : boosts) {
            switch (applied) {
                case AppliedBoost.OfRuleset(int number) -> out.writeUInt32NoTag(number);
                case AppliedBoost.OfUser(UserBoost boost) -> {
                    out.writeUInt32NoTag(0);
                    writeBoost(boost, out);
                }
            }
        }
    }

    static List<AppliedBoost> readApplied(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        if (size == 0) {
            return List.of();
        }
        var boosts = new AppliedBoost[size];
        for (int i = 0; i < size; i++) {
            int number = in.readUInt32();
            boosts[i] = number == 0 ? new AppliedBoost.OfUser(readBoost(in)) : new AppliedBoost.OfRuleset(number);
        }
        return List.of(boosts);
    }
}
