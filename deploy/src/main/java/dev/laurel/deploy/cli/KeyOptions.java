package dev.laurel.deploy.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the admin key with which a command calls a server. */
public final class KeyOptions {

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder). Other users of this machine can see it on the command line: use --key-file or LAUREL_KEY to avoid that.")
    private @Nullable String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the admin key.")
    private @Nullable Path keyFile;

    /**
     * Returns the given key, or the one that a standalone keeps in {@code dataDir}.
     *
     * @throws CommandFailed if there is neither
     */
    public String in(Path dataDir) {
        String given = SecretFile.either("--key", key, keyFile);
        if (given != null) {
            return given;
        }
        Path file = new DataDir(dataDir).keyFile();
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed(
                    "no admin key: give --key, --key-file, or --data-dir of a standalone; there is no " + file, e);
        }
    }

    /** Returns a shell expression for the key, for command lines to be pasted; a key from a file is not shown. */
    String forShell(Path dataDir) {
        Path file = keyFile != null ? keyFile : new DataDir(dataDir).keyFile();
        return key != null ? "$LAUREL_KEY" : "$(cat " + file + ")";
    }
}
