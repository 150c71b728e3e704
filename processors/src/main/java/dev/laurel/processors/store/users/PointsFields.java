package dev.laurel.processors.store.users;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.user.PointsState.AppliedBoost;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.UserBoost;
import dev.laurel.processors.store.Fields;
import dev.laurel.processors.store.Form;
import java.io.IOException;
import java.util.List;

/** Writes and reads points, awards and boosts of users as parts of stored values. */
final class PointsFields {

    static final Form<List<UserBoost>> BOOSTS = Form.list(Form.of(UserBoost.class));

    private static final Form<List<AppliedBoost>> APPLIED = Form.list(Form.of(AppliedBoost.class));

    private PointsFields() {}

    static void writePoints(PointsState points, CodedOutputStream out) throws IOException {
        out.writeUInt64NoTag(points.total());
        out.writeUInt32NoTag(points.awards());
        writeAwards(points.newest(), out);
        Fields.writeMap(points.counts(), out, PointsFields::writeNumber);
        out.writeSInt32NoTag(points.day());
        out.writeSInt64NoTag(points.dayChange());
    }

    static PointsState readPoints(CodedInputStream in) throws IOException {
        return new PointsState(in.readUInt64(), in.readUInt32(), readAwards(in),
                Fields.readMap(in, CodedInputStream::readSInt64), in.readSInt32(), in.readSInt64());
    }

    static void writeNumber(Long number, CodedOutputStream out) throws IOException {
        out.writeSInt64NoTag(number);
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
            APPLIED.writer().write(award.boosts(), out);
            atMs = award.atMs();
        }
    }

    static List<Award> readAwards(CodedInputStream in) throws IOException {
        int size = Fields.readCount(in);
        if (size == 0) {
            return List.of();
        }
        if (size > PointsState.PAGE) {
            throw new IOException(
                    "a ledger page has " + size + " awards; at most " + PointsState.PAGE + " are allowed");
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
                    APPLIED.reader().read(in));
        }
        return List.of(awards);
    }
}
