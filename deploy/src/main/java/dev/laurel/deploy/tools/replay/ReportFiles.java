package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.processors.core.compare.UserComparison;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The files that receive a report while it is created; there may be none. */
final class ReportFiles implements AutoCloseable {

    private static final String STDOUT = "-";

    private final List<Sink> sinks = new ArrayList<>();

    /** @param name name of a file; {@code -} for {@code out}, which stays open; null: not requested */
    void add(@Nullable String name, PrintWriter out, Function<Writer, Sink> sink) {
        if (name == null) {
            return;
        }
        try {
            sinks.add(sink.apply(name.equals(STDOUT) ? new NonClosing(out) : Files.newBufferedWriter(Path.of(name))));
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + name + ": " + e.getMessage(), e);
        }
    }

    void add(UserComparison comparison) {
        sinks.forEach(sink -> sink.add(comparison));
    }

    void end(ReplayReport report) {
        sinks.forEach(sink -> sink.end(report));
    }

    @Override
    public void close() {
        sinks.forEach(Sink::close);
    }

    /** Standard output, which is not closed. */
    private static final class NonClosing extends FilterWriter {
        NonClosing(Writer out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }

    /** Receives each difference as it is found. Throws unchecked exceptions if it cannot be written. */
    interface Sink extends AutoCloseable {

        void add(UserComparison comparison);

        /** Called after all users. */
        void end(ReplayReport report);

        @Override
        void close();
    }
}
