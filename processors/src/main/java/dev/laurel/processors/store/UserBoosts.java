package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.AppliedBoost;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.schemas.ruleset.Rounding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Boosts of users inside other stored values. */
final class UserBoosts {

    private static final Rounding[] ROUNDINGS = Rounding.values();

    private UserBoosts() {}

    static void write(List<UserBoost> boosts, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(boosts.size());
        for (UserBoost boost : boosts) {
            write(boost, out);
        }
    }

    private static void write(UserBoost boost, CodedOutputStream out) throws IOException {
        out.writeFixed64NoTag(boost.id().getMostSignificantBits());
        out.writeFixed64NoTag(boost.id().getLeastSignificantBits());
        out.writeUInt32NoTag(boost.system());
        out.writeStringNoTag(boost.name());
        out.writeSInt32NoTag(boost.start());
        out.writeSInt32NoTag(boost.end());
        Decimals.write(boost.multiplier(), out);
        out.writeUInt32NoTag(boost.rounding().ordinal());
        out.writeSInt64NoTag(boost.createdMs());
    }

    static List<UserBoost> read(CodedInputStream in) throws IOException {
        int size = Codec.readCount(in);
        if (size == 0) {
            return List.of();
        }
        var boosts = new ArrayList<UserBoost>(size);
        for (int i = 0; i < size; i++) {
            boosts.add(readOne(in));
        }
        return boosts;
    }

    private static UserBoost readOne(CodedInputStream in) throws IOException {
        return new UserBoost(new UUID(in.readFixed64(), in.readFixed64()), in.readUInt32(), in.readString(),
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
                    write(boost, out);
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
            boosts[i] = number == 0 ? new AppliedBoost.OfUser(readOne(in)) : new AppliedBoost.OfRuleset(number);
        }
        return List.of(boosts);
    }
}
