package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.StreakState;
import java.io.IOException;

/** A user's streak inside the stored user. */
final class Streaks {

    private Streaks() {}

    static void write(StreakState streak, CodedOutputStream out) throws IOException {
        out.writeUInt32NoTag(streak.length());
    }

    static StreakState read(CodedInputStream in) throws IOException {
        in.readUInt32();
        return StreakState.NONE;
    }
}
