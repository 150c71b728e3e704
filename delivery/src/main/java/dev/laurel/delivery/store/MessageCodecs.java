package dev.laurel.delivery.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.sending.MessageDelivery.Attempt;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.core.sending.MessageDelivery.State;
import dev.laurel.core.sending.MessageDelivery.Waiting;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.Fields;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The codecs of the values in the store of messages. */
final class MessageCodecs {

    static final Codec<MessageDelivery> DELIVERY = new Codec<>("message", 1, MessageCodecs::write, MessageCodecs::read);

    /** The life of a task, in a mark. */
    static final Codec<UUID> LIFE = new Codec<>("mark", 1, Fields::writeId, Fields::readId);

    private MessageCodecs() {}

    private static void write(MessageDelivery delivery, CodedOutputStream out) throws IOException {
        Fields.writeId(delivery.id(), out);
        out.writeStringNoTag(delivery.user().text());
        out.writeSInt64NoTag(delivery.at().toEpochMilli());
        out.writeUInt64NoTag(delivery.rulesVersion());
        out.writeUInt32NoTag(delivery.type().ordinal());
        out.writeUInt32NoTag(delivery.copy().channel().ordinal());
        Fields.writeId(delivery.copy().template(), out);
        out.writeUInt32NoTag(delivery.copy().variation());
        Fields.writeOptional(delivery.facts(), out, Fields::writeText);
        out.writeSInt64NoTag(delivery.createdMs());
        writeState(delivery.state(), out);
        Fields.writeList(delivery.attempts(), out, (attempt, to) -> {
            to.writeSInt64NoTag(attempt.atMs());
            Fields.writeOptional(attempt.problem(), to, Fields::writeText);
        });
    }

    private static MessageDelivery read(CodedInputStream in) throws IOException {
        UUID id = Fields.readId(in);
        UserKey user = UserKey.parse(in.readString());
        Instant at = Instant.ofEpochMilli(in.readSInt64());
        long rulesVersion = in.readUInt64();
        NotificationType type = Fields.readConstant(NotificationType.values(), in);
        var copy = new MessageCopy(Fields.readConstant(NotificationChannel.values(), in), Fields.readId(in),
                in.readUInt32());
        String facts = Fields.readOptional(in, CodedInputStream::readString);
        long createdMs = in.readSInt64();
        State state = readState(in);
        List<Attempt> attempts = Fields.readList(in, from -> new Attempt(from.readSInt64(),
                Fields.readOptional(from, CodedInputStream::readString)));
        return new MessageDelivery(id, user, at, rulesVersion, type, copy, facts, createdMs, state, attempts);
    }

    private static void writeState(State state, CodedOutputStream out) throws IOException {
        out.writeBoolNoTag(state instanceof Ended);
        switch (state) {
            case Waiting(int attempt, long dueMs) -> {
                out.writeUInt32NoTag(attempt);
                out.writeSInt64NoTag(dueMs);
            }
            case Ended(Ending how, String reason, long atMs) -> {
                out.writeUInt32NoTag(how.ordinal());
                Fields.writeOptional(reason, out, Fields::writeText);
                out.writeSInt64NoTag(atMs);
            }
        }
    }

    private static State readState(CodedInputStream in) throws IOException {
        return in.readBool()
                ? new Ended(Fields.readConstant(Ending.values(), in),
                        Fields.readOptional(in, CodedInputStream::readString), in.readSInt64())
                : new Waiting(in.readUInt32(), in.readSInt64());
    }
}
