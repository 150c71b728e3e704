package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.sending.MessageDelivery.Attempt;
import dev.laurel.processors.core.sending.MessageDelivery.Ended;
import dev.laurel.processors.core.sending.MessageDelivery.Ending;
import dev.laurel.processors.core.sending.MessageDelivery.State;
import dev.laurel.processors.core.sending.MessageDelivery.Waiting;
import dev.laurel.processors.core.sending.MessageDelivery;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.NotificationChannel;
import dev.laurel.schemas.ruleset.NotificationType;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The values in the store of messages. */
final class MessageCodecs {

    static final Codec<MessageDelivery> DELIVERY = new Codec<>("message", 1) {
        @Override
        void write(MessageDelivery delivery, CodedOutputStream out) throws IOException {
            writeId(delivery.id(), out);
            out.writeStringNoTag(delivery.user().text());
            out.writeSInt64NoTag(delivery.at().toEpochMilli());
            out.writeUInt64NoTag(delivery.rulesVersion());
            out.writeUInt32NoTag(delivery.type().ordinal());
            out.writeUInt32NoTag(delivery.copy().channel().ordinal());
            writeId(delivery.copy().template(), out);
            out.writeUInt32NoTag(delivery.copy().variation());
            writeText(delivery.facts(), out);
            out.writeSInt64NoTag(delivery.createdMs());
            writeState(delivery.state(), out);
            out.writeUInt32NoTag(delivery.attempts().size());
            for (Attempt attempt : delivery.attempts()) {
                out.writeSInt64NoTag(attempt.atMs());
                writeText(attempt.problem(), out);
            }
        }

        @Override
        MessageDelivery read(int writtenVersion, CodedInputStream in) throws IOException {
            UUID id = readId(in);
            UserKey user = UserKey.parse(in.readString());
            Instant at = Instant.ofEpochMilli(in.readSInt64());
            long rulesVersion = in.readUInt64();
            NotificationType type = constant(NotificationType.values(), in.readUInt32());
            var copy = new MessageCopy(constant(NotificationChannel.values(), in.readUInt32()), readId(in),
                    in.readUInt32());
            String facts = readText(in);
            long createdMs = in.readSInt64();
            State state = readState(in);
            int count = readCount(in);
            List<Attempt> attempts = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                attempts.add(new Attempt(in.readSInt64(), readText(in)));
            }
            return new MessageDelivery(id, user, at, rulesVersion, type, copy, facts, createdMs, state, attempts);
        }
    };

    /** The life of a task, in a mark. */
    static final Codec<UUID> LIFE = Codec.ofId("mark");

    private MessageCodecs() {}

    private static void writeState(State state, CodedOutputStream out) throws IOException {
        out.writeBoolNoTag(state instanceof Ended);
        switch (state) {
            case Waiting(int attempt, long dueMs) -> {
                out.writeUInt32NoTag(attempt);
                out.writeSInt64NoTag(dueMs);
            }
            case Ended(Ending how, String reason, long atMs) -> {
                out.writeUInt32NoTag(how.ordinal());
                writeText(reason, out);
                out.writeSInt64NoTag(atMs);
            }
        }
    }

    private static State readState(CodedInputStream in) throws IOException {
        return in.readBool()
                ? new Ended(Codec.constant(Ending.values(), in.readUInt32()), readText(in), in.readSInt64())
                : new Waiting(in.readUInt32(), in.readSInt64());
    }

    /** Distinguishes null from the empty text. */
    private static void writeText(String text, CodedOutputStream out) throws IOException {
        out.writeBoolNoTag(text != null);
        if (text != null) {
            out.writeStringNoTag(text);
        }
    }

    private static String readText(CodedInputStream in) throws IOException {
        return in.readBool() ? in.readString() : null;
    }
}
