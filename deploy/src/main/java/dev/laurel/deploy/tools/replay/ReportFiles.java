package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;
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

/** The files that a report is written to while it is made, none or some. */
final class ReportFiles implements AutoCloseable {

    private static final String STDOUT = "-";

    private final List<ReportSink> sinks = new ArrayList<>();

    /** @param name of a file, {@code -}: {@code out}, which stays open; null: none */
    void add(String name, PrintWriter out, Function<Writer, ReportSink> sink) {
        if (name == null) {
            return;
        }
        try {
            sinks.add(sink.apply(name.equals(STDOUT) ? new Unclosed(out) : Files.newBufferedWriter(Path.of(name))));
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
        sinks.forEach(ReportSink::close);
    }

    /** Standard output is the process's, not ours to close. */
    private static final class Unclosed extends FilterWriter {
        Unclosed(Writer out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
