package dev.laurel.processors.store.users;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState.SentMessage.CountedMessage;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.MessageState;
import dev.laurel.processors.store.Fields;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;

/** The fields of a user's messages in {@link UserCodecs#USER}. */
final class MessageFields {

    private static final int HAS_REACTIVATION = 1;
    private static final int HAS_REMINDER = 2;
    private static final int HAS_RECAP_DAY = 4;
    private static final int HAS_RECAPPED = 8;
    private static final int HAS_WAITING = 16;
    private static final int HAS_SENT = 32;

    private static final int IS_RETURNED = 1;
    private static final int IS_OPENED = 2;
    private static final int IS_CLICKED = 4;

    private MessageFields() {}

    /** Writes one byte for most users. @param newestMs the time of the user's newest command */
    static void write(MessageState messages, long newestMs, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag((messages.reactivatedDays() != 0 ? HAS_REACTIVATION : 0)
                | (messages.remindedTo() != MessageState.NONE_YET ? HAS_REMINDER : 0)
                | (messages.recapDay() != MessageState.NONE_YET ? HAS_RECAP_DAY : 0)
                | (messages.recappedTo() != MessageState.NONE_YET ? HAS_RECAPPED : 0)
                | (messages.waiting().isEmpty() ? 0 : HAS_WAITING) | (messages.sent().isEmpty() ? 0 : HAS_SENT));
        if (messages.reactivatedDays() != 0) {
            out.writeUInt32NoTag(messages.reactivatedDays());
        }
        writeUnlessNone(messages.remindedTo(), out);
        writeUnlessNone(messages.recapDay(), out);
        writeUnlessNone(messages.recappedTo(), out);
        if (!messages.waiting().isEmpty()) {
            out.writeSInt64NoTag(messages.windowMs() - newestMs);
            Fields.writeList(messages.waiting(), out, (achievement, to) -> to.writeUInt32NoTag(achievement));
        }
        if (!messages.sent().isEmpty()) {
            Fields.writeList(messages.sent(), out, (sent, to) -> writeSent(sent, newestMs, to));
        }
    }

    private static void writeSent(SentMessage sent, long newestMs, CodedOutputStream out) throws IOException {
        out.writeFixed64NoTag(sent.id());
        out.writeSInt64NoTag(sent.dueMs() - newestMs);
        out.writeSInt32NoTag(sent.counted().day() - LocalDays.dayOf(sent.dueMs(), ZoneOffset.UTC));
        out.writeUInt32NoTag(sent.counted().emailTemplate());
        out.writeUInt32NoTag(sent.counted().pushTemplate());
        out.writeUInt32NoTag((sent.isReturned() ? IS_RETURNED : 0) | (sent.isOpened() ? IS_OPENED : 0)
                | (sent.isClicked() ? IS_CLICKED : 0));
    }

    private static SentMessage readSent(long newestMs, CodedInputStream in) throws IOException {
        long id = in.readFixed64();
        long dueMs = newestMs + in.readSInt64();
        var counted = new CountedMessage(LocalDays.dayOf(dueMs, ZoneOffset.UTC) + in.readSInt32(), in.readUInt32(),
                in.readUInt32());
        int flags = in.readUInt32();
        return new SentMessage(id, dueMs, counted, (flags & IS_RETURNED) != 0, (flags & IS_OPENED) != 0,
                (flags & IS_CLICKED) != 0);
    }

    private static void writeUnlessNone(int value, CodedOutputStream out) throws IOException {
        if (value != MessageState.NONE_YET) {
            out.writeSInt32NoTag(value);
        }
    }

    /** @param newestMs the time of the user's newest command */
    static MessageState read(long newestMs, CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        if (flags == 0) {
            return MessageState.NONE;
        }
        int reactivatedDays = (flags & HAS_REACTIVATION) != 0 ? in.readUInt32() : 0;
        int remindedTo = (flags & HAS_REMINDER) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        int recapDay = (flags & HAS_RECAP_DAY) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        int recappedTo = (flags & HAS_RECAPPED) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        boolean hasWaiting = (flags & HAS_WAITING) != 0;
        long windowMs = hasWaiting ? newestMs + in.readSInt64() : 0;
        List<Integer> waiting = hasWaiting ? Fields.readList(in, CodedInputStream::readUInt32) : List.of();
        List<SentMessage> sent = (flags & HAS_SENT) != 0
                ? Fields.readList(in, from -> readSent(newestMs, from))
                : List.of();
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, windowMs, waiting, sent);
    }
}
