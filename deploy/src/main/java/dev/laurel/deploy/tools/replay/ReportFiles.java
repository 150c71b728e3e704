package dev.laurel.deploy.tools.replay;

import dev.laurel.core.compare.UserComparison;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.platform.command.CommandFailed;
import java.io.Closeable;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files that receive a report while it is created; there may be none. */
final class ReportFiles implements AutoCloseable {

    private static final String STDOUT = "-";

    private final List<Sink> sinks = new ArrayList<>();
    private final long maxUsers;
    private long users;

    /** @param maxUsers number of differing users that the files have; a note says that there are more */
    ReportFiles(long maxUsers) {
        this.maxUsers = maxUsers;
    }

    /** @param name name of a file; {@code -} for {@code out}, which stays open; null: not requested */
    void add(@Nullable String name, PrintWriter out, SinkFactory factory) {
        if (name == null) {
            return;
        }
        if (!name.equals(STDOUT)) {
            add(Path.of(name), factory);
            return;
        }
        CommandFailed.attempt(
                "cannot write to standard output",
                () -> sinks.add(factory.create(new FilterWriter(Terminal.forDocument(out)) {
                    @Override
                    public void close() throws IOException {
                        flush();
                    }
                })));
    }

    void add(Path file, SinkFactory factory) {
        CommandFailed.attempt("cannot write " + file, () -> sinks.add(factory.create(Files.newBufferedWriter(file))));
    }

    void add(UserComparison comparison) {
        if (users++ >= maxUsers) {
            return;
        }
        forEach(sink -> sink.add(comparison));
    }

    void end(ReplayReport report) {
        forEach(sink -> sink.end(report));
    }

    /** Notes of the report about users that the files do not have. */
    List<String> notes() {
        return users <= maxUsers
                ? List.of()
                : List.of("The report has the first " + maxUsers + " of " + users
                        + " users with differences; the totals are of all.");
    }

    @Override
    public void close() {
        forEach(Sink::close);
    }

    private void forEach(SinkAction action) {
        CommandFailed.attempt("cannot write the report", () -> {
            for (Sink sink : sinks) {
                action.apply(sink);
            }
        });
    }

    private interface SinkAction {
        void apply(Sink sink) throws IOException;
    }

    /** Creates a sink that closes the writer with itself. */
    interface SinkFactory {
        Sink create(Writer out) throws IOException;
    }

    /** Receives each difference as it is found. */
    interface Sink extends Closeable {

        void add(UserComparison comparison) throws IOException;

        /** Called after all users. */
        void end(ReplayReport report) throws IOException;
    }
}
