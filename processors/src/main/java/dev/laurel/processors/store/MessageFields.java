package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.MessageState;
import dev.laurel.processors.core.user.UserState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes and reads the message state of a user: two bytes if there is nothing but the newest event. */
final class MessageFields {

    private static final int HAS_REACTIVATION = 1;
    private static final int HAS_REMINDER = 2;
    private static final int HAS_RECAP_DAY = 4;
    private static final int HAS_RECAPPED = 8;
    private static final int HAS_WAITING = 16;

    private MessageFields() {}

    static void write(UserState user, CodedOutputStream out) throws IOException {
        // Never after the newest command.
        out.writeUInt64NoTag(user.lastEventMs() == UserState.NO_EVENT ? 0 : user.newestMs() - user.lastEventMs() + 1);
        MessageState messages = user.messages();
        out.writeUInt32NoTag((messages.reactivatedDays() != 0 ? HAS_REACTIVATION : 0)
                | (messages.remindedTo() != MessageState.NONE_YET ? HAS_REMINDER : 0)
                | (messages.recapDay() != MessageState.NONE_YET ? HAS_RECAP_DAY : 0)
                | (messages.recappedTo() != MessageState.NONE_YET ? HAS_RECAPPED : 0)
                | (messages.waiting().isEmpty() ? 0 : HAS_WAITING));
        if (messages.reactivatedDays() != 0) {
            out.writeUInt32NoTag(messages.reactivatedDays());
        }
        writeUnlessNone(messages.remindedTo(), out);
        writeUnlessNone(messages.recapDay(), out);
        writeUnlessNone(messages.recappedTo(), out);
        if (!messages.waiting().isEmpty()) {
            out.writeSInt64NoTag(messages.windowMs() - user.newestMs());
            out.writeUInt32NoTag(messages.waiting().size());
            for (int achievement : messages.waiting()) {
                out.writeUInt32NoTag(achievement);
            }
        }
    }

    private static void writeUnlessNone(int value, CodedOutputStream out) throws IOException {
        if (value != MessageState.NONE_YET) {
            out.writeSInt32NoTag(value);
        }
    }

    static long readLastEvent(long newestMs, CodedInputStream in) throws IOException {
        long before = in.readUInt64();
        return before == 0 ? UserState.NO_EVENT : newestMs - before + 1;
    }

    static MessageState read(long newestMs, CodedInputStream in) throws IOException {
        int flags = in.readUInt32();
        if (flags == 0) {
            return MessageState.NONE;
        }
        int reactivatedDays = (flags & HAS_REACTIVATION) != 0 ? in.readUInt32() : 0;
        int remindedTo = (flags & HAS_REMINDER) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        int recapDay = (flags & HAS_RECAP_DAY) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        int recappedTo = (flags & HAS_RECAPPED) != 0 ? in.readSInt32() : MessageState.NONE_YET;
        if ((flags & HAS_WAITING) == 0) {
            return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, 0, List.of());
        }
        long windowMs = newestMs + in.readSInt64();
        var waiting = new ArrayList<Integer>();
        for (int left = Codec.readCount(in); left > 0; left--) {
            waiting.add(in.readUInt32());
        }
        return new MessageState(reactivatedDays, remindedTo, recapDay, recappedTo, windowMs, waiting);
    }
}
