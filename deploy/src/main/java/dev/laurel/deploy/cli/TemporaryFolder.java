package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.nio.file.Files;
import java.nio.file.Path;

/** A new folder that is deleted with its contents when it is closed. */
public record TemporaryFolder(Path path) implements AutoCloseable {

    /** Creates one in the folder for temporary files of this system. */
    public static TemporaryFolder create(String prefix) {
        return in(Path.of(System.getProperty("java.io.tmpdir")), prefix);
    }

    /** @param parent created if it does not exist */
    public static TemporaryFolder in(Path parent, String prefix) {
        Path folder = parent.toAbsolutePath();
        return CommandFailed.attempt(
                "cannot create a folder in " + folder,
                () -> new TemporaryFolder(Files.createTempDirectory(Files.createDirectories(folder), prefix)));
    }

    @Override
    public void close() {
        CommandFailed.attempt("cannot delete " + path, () -> LocalFiles.delete(path));
    }
}
