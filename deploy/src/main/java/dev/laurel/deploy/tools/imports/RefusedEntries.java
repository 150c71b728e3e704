package dev.laurel.deploy.tools.imports;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.serde.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

/**
 * Reports entries that cannot be imported: the first ones on the terminal, all of them in a file if there is one, as
 * JSON objects with {@code line}, {@code reason} and {@code text}. After a crash the file may contain the last lines
 * twice. Used by one thread.
 */
final class RefusedEntries implements AutoCloseable {

    private static final int SHOWN = 20;

    private final PrintWriter err;
    private final @Nullable BufferedOutputStream file;
    private long count;

    private RefusedEntries(PrintWriter err, @Nullable BufferedOutputStream file) {
        this.err = err;
        this.file = file;
    }

    /** @param rejects file for all entries; null: only the terminal */
    static RefusedEntries to(PrintWriter err, @Nullable Path rejects) {
        try {
            return new RefusedEntries(err,
                    rejects == null ? null : new BufferedOutputStream(Files.newOutputStream(rejects, CREATE, APPEND)));
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + rejects + ": " + e.getMessage(), e);
        }
    }

    void add(ImportSource.Entry.Refused refused) throws IOException {
        count++;
        if (count <= SHOWN) {
            err.println("line " + refused.number() + ": " + refused.reason());
        } else if (count == SHOWN + 1) {
            err.println("more lines are refused" + (file == null ? "; --rejects FILE keeps them all" : ""));
        }
        if (file != null) {
            var line = Json.mapperForTools().createObjectNode().put("line", refused.number())
                    .put("reason", refused.reason()).put("text", refused.text());
            // Not by a writer, which would fail at half of a surrogate pair.
            file.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Must be called before progress past these entries is saved. */
    void flush() throws IOException {
        if (file != null) {
            file.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }
}
