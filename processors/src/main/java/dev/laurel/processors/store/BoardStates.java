package dev.laurel.processors.store;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import dev.laurel.processors.core.user.BoardState;
import java.io.IOException;

/** What users have come to on leaderboards, inside other stored values. */
final class BoardStates {

    private BoardStates() {}

    /** @param nearMs a time known to the reader, the nearer to that of the change the shorter the form */
    static void write(BoardState state, long nearMs, CodedOutputStream out) throws IOException {
        out.writeSInt32NoTag(state.run());
        Decimals.write(state.value(), out);
        out.writeSInt64NoTag(state.changedMs() - nearMs);
        out.writeSInt64NoTag(state.changedOffset());
    }

    static BoardState read(long nearMs, CodedInputStream in) throws IOException {
        return new BoardState(in.readSInt32(), Decimals.read(in), nearMs + in.readSInt64(), in.readSInt64());
    }
}
