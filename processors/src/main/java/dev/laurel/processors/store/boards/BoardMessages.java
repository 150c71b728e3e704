package dev.laurel.processors.store.boards;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.core.leaderboard.BoardMessage.GenerationBegan;
import dev.laurel.core.leaderboard.BoardMessage.Origin;
import dev.laurel.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.core.leaderboard.BoardMessage.Scored;
import dev.laurel.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.core.leaderboard.BoardMessage;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.util.List;

/** The values of {@code laurel.scores}: each message with the command that it follows from. Thread-safe. */
public final class BoardMessages {

    /** A message and the position in the log of the command that it follows from. */
    public record Sent(Origin origin, BoardMessage message) {}

    private static final int SCORED = 1;
    private static final int CLOCK_MOVED = 2;
    private static final int RULES_PUBLISHED = 3;
    private static final int USER_FORGOTTEN = 4;
    private static final int GENERATION_BEGAN = 5;

    private static final int HAS_NAME = 1;
    private static final int HAS_GROUP = 2;
    private static final int IS_CURRENT = 4;
    private static final int IS_SPREAD = 8;

    private static final Score.Kind[] KINDS = Score.Kind.values();
    private static final Codec<Sent> CODEC = new Codec<>("board message", 1, BoardMessages::write, BoardMessages::read);

    private BoardMessages() {}

    public static byte[] write(Origin origin, BoardMessage message) {
        return CODEC.encode(new Sent(origin, message));
    }

    /** @throws StoredFormatException if these are not the bytes of a message */
    public static Sent read(byte[] bytes) {
        return CODEC.decode(bytes);
    }

    private static void write(Sent sent, CodedOutputStream out) throws IOException {
        BoardMessage message = sent.message();
        out.writeUInt32NoTag(switch (message) {
            case Scored _ -> SCORED;
            case ClockMoved _ -> CLOCK_MOVED;
            case RulesPublished _ -> RULES_PUBLISHED;
            case UserForgotten _ -> USER_FORGOTTEN;
            case GenerationBegan _ -> GENERATION_BEGAN;
        });
        out.writeUInt32NoTag(sent.origin().partition());
        out.writeUInt64NoTag(sent.origin().offset());
        switch (message) {
            case Scored scored -> writeScored(scored, out);
            case ClockMoved(long nowMs) -> out.writeSInt64NoTag(nowMs);
            case RulesPublished(TenantId tenant, long version) -> {
                out.writeStringNoTag(tenant.value());
                out.writeUInt64NoTag(version);
            }
            case UserForgotten(TenantId tenant, UserId user) -> {
                out.writeStringNoTag(tenant.value());
                out.writeStringNoTag(user.value());
            }
            case GenerationBegan _ -> {
                // Has no fields.
            }
        }
    }

    static void writeScored(Scored scored, CodedOutputStream out) throws IOException {
        String name = scored.name();
        List<String> group = scored.group();
        out.writeStringNoTag(scored.tenant().value());
        out.writeUInt64NoTag(scored.rulesVersion());
        out.writeUInt32NoTag(scored.board());
        out.writeSInt32NoTag(scored.run());
        out.writeUInt32NoTag((name != null ? HAS_NAME : 0) | (group != null ? HAS_GROUP : 0)
                | (scored.isCurrent() ? IS_CURRENT : 0) | (scored.isSpread() ? IS_SPREAD : 0));
        out.writeStringNoTag(scored.user().value());
        if (name != null) {
            out.writeStringNoTag(name);
        }
        if (group != null) {
            Fields.writeList(group, out, Fields::writeText);
        }
        Fields.writeDecimal(scored.value(), out);
        out.writeSInt64NoTag(scored.changedMs());
        out.writeUInt32NoTag(scored.kind().ordinal());
        out.writeSInt64NoTag(scored.atMs());
    }

    private static Sent read(CodedInputStream in) throws IOException {
        int kind = in.readUInt32();
        var origin = new Origin(in.readUInt32(), in.readUInt64());
        return new Sent(origin, switch (kind) {
            case SCORED -> readScored(in);
            case CLOCK_MOVED -> new ClockMoved(in.readSInt64());
            case RULES_PUBLISHED -> new RulesPublished(new TenantId(in.readString()), in.readUInt64());
            case USER_FORGOTTEN -> new UserForgotten(new TenantId(in.readString()), new UserId(in.readString()));
            case GENERATION_BEGAN -> new GenerationBegan();
            default -> throw new IOException("there is no message of kind " + kind);
        });
    }

    static Scored readScored(CodedInputStream in) throws IOException {
        var tenant = new TenantId(in.readString());
        long version = in.readUInt64();
        int board = in.readUInt32();
        int run = in.readSInt32();
        int flags = in.readUInt32();
        var user = new UserId(in.readString());
        String name = (flags & HAS_NAME) != 0 ? in.readString() : null;
        List<String> group = (flags & HAS_GROUP) != 0 ? Fields.readList(in, CodedInputStream::readString) : null;
        return new Scored(tenant, version, board, run, (flags & IS_CURRENT) != 0, user, name, group,
                Fields.readDecimal(in), in.readSInt64(), Fields.readConstant(KINDS, in), in.readSInt64(),
                (flags & IS_SPREAD) != 0);
    }
}
