package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.leaderboard.BoardMessage.ClockMoved;
import dev.laurel.processors.core.leaderboard.BoardMessage.GenerationBegan;
import dev.laurel.processors.core.leaderboard.BoardMessage.Origin;
import dev.laurel.processors.core.leaderboard.BoardMessage.RulesPublished;
import dev.laurel.processors.core.leaderboard.BoardMessage.Scored;
import dev.laurel.processors.core.leaderboard.BoardMessage.UserForgotten;
import dev.laurel.processors.core.leaderboard.BoardMessage;
import dev.laurel.processors.core.leaderboard.Score;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The values of {@code laurel.scores}: each message with where it comes from. Thread-safe. */
public final class BoardMessages {

    /** A message and the place in the log that it follows from. */
    public record Sent(Origin origin, BoardMessage message) {}

    private static final int SCORED = 1;
    private static final int CLOCK_MOVED = 2;
    private static final int RULES_PUBLISHED = 3;
    private static final int USER_FORGOTTEN = 4;
    private static final int GENERATION_BEGAN = 5;

    private static final int HAS_NAME = 1;
    private static final int HAS_GROUP = 2;
    private static final int IS_CURRENT = 4;

    private static final Score.Kind[] KINDS = Score.Kind.values();

    private static final Codec<Sent> CODEC = new SentCodec();

    private BoardMessages() {}

    public static byte[] write(Origin origin, BoardMessage message) {
        return CODEC.encode(new Sent(origin, message));
    }

    /** @throws StoredFormatException if these are not the bytes of a message */
    public static Sent read(byte[] bytes) {
        return CODEC.decode(bytes);
    }

    private static final class SentCodec extends Codec<Sent> {

        SentCodec() {
            super("board message", 1);
        }

        @Override
        void write(Sent sent, CodedOutputStream out) throws IOException {
            switch (sent.message()) {
                case Scored scored -> {
                    head(SCORED, sent.origin(), out);
                    writeScored(scored, out);
                }
                case ClockMoved(long nowMs) -> {
                    head(CLOCK_MOVED, sent.origin(), out);
                    out.writeSInt64NoTag(nowMs);
                }
                case RulesPublished(TenantId tenant, long version) -> {
                    head(RULES_PUBLISHED, sent.origin(), out);
                    out.writeStringNoTag(tenant.value());
                    out.writeUInt64NoTag(version);
                }
                case GenerationBegan _ -> head(GENERATION_BEGAN, sent.origin(), out);
                case UserForgotten(TenantId tenant, UserId user) -> {
                    head(USER_FORGOTTEN, sent.origin(), out);
                    out.writeStringNoTag(tenant.value());
                    out.writeStringNoTag(user.value());
                }
            }
        }

        private static void head(int kind, Origin origin, CodedOutputStream out) throws IOException {
            out.writeUInt32NoTag(kind);
            out.writeUInt32NoTag(origin.partition());
            out.writeUInt64NoTag(origin.offset());
        }

        private static void writeScored(Scored scored, CodedOutputStream out) throws IOException {
            out.writeStringNoTag(scored.tenant().value());
            out.writeUInt64NoTag(scored.rulesVersion());
            out.writeUInt32NoTag(scored.board());
            out.writeSInt32NoTag(scored.run());
            out.writeUInt32NoTag((scored.name() != null ? HAS_NAME : 0) | (scored.group() != null ? HAS_GROUP : 0)
                    | (scored.isCurrent() ? IS_CURRENT : 0));
            out.writeStringNoTag(scored.user().value());
            if (scored.name() != null) {
                out.writeStringNoTag(scored.name());
            }
            if (scored.group() != null) {
                writeTexts(scored.group(), out);
            }
            Decimals.write(scored.value(), out);
            out.writeSInt64NoTag(scored.changedMs());
            out.writeUInt32NoTag(scored.kind().ordinal());
            out.writeSInt64NoTag(scored.atMs());
        }

        @Override
        Sent read(int writtenVersion, CodedInputStream in) throws IOException {
            int kind = in.readUInt32();
            var origin = new Origin(in.readUInt32(), in.readUInt64());
            return new Sent(origin, switch (kind) {
                case SCORED -> readScored(in);
                case CLOCK_MOVED -> new ClockMoved(in.readSInt64());
                case RULES_PUBLISHED -> new RulesPublished(new TenantId(in.readString()), in.readUInt64());
                case GENERATION_BEGAN -> new GenerationBegan();
                case USER_FORGOTTEN -> new UserForgotten(new TenantId(in.readString()), new UserId(in.readString()));
                default -> throw new IOException("there is no message of kind " + kind);
            });
        }

        private static Scored readScored(CodedInputStream in) throws IOException {
            var tenant = new TenantId(in.readString());
            long version = in.readUInt64();
            int board = in.readUInt32();
            int run = in.readSInt32();
            int flags = in.readUInt32();
            var user = new UserId(in.readString());
            String name = (flags & HAS_NAME) != 0 ? in.readString() : null;
            List<String> group = (flags & HAS_GROUP) != 0 ? readTexts(in) : null;
            return new Scored(tenant, version, board, run, (flags & IS_CURRENT) != 0, user, name, group,
                    Decimals.read(in), in.readSInt64(), constant(KINDS, in.readUInt32()), in.readSInt64());
        }
    }

    static void writeTexts(List<String> texts, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(texts.size());
        for (String text : texts) {
            out.writeStringNoTag(text);
        }
    }

    static List<String> readTexts(CodedInputStream in) throws IOException {
        int count = Codec.readCount(in);
        if (count == 0) {
            return List.of();
        }
        var texts = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            texts.add(in.readString());
        }
        return texts;
    }
}
