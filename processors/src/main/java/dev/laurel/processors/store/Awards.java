package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.Award;
import dev.laurel.processors.core.user.PointsState;
import java.io.IOException;
import java.util.List;

/**
 * Awards of one system that follow each other: the first in full, the others by what differs from the one before. An award
 * takes about ten bytes.
 */
final class Awards {

    private Awards() {}

    static void write(List<Award> awards, CodedOutputStream out) throws IOException {
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
            UserBoosts.writeApplied(award.boosts(), out);
            atMs = award.atMs();
        }
    }

    /** @param haveBoosts false for what was written before there were boosts */
    static List<Award> read(CodedInputStream in, boolean haveBoosts) throws IOException {
        int size = Codec.readCount(in);
        if (size == 0) {
            return List.of();
        }
        if (size < 0 || size > PointsState.PAGE) {
            throw new IOException("there are no pages of " + size + " awards");
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
                    haveBoosts ? UserBoosts.readApplied(in) : List.of());
        }
        return List.of(awards);
    }
}
