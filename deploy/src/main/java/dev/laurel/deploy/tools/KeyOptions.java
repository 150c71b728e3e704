package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The admin key to call a server with. */
public final class KeyOptions {

    private static final String KEY_FILE = "admin-key";

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder). Other users of this machine may see it here: --key-file and LAUREL_KEY do not show it.")
    private String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the admin key.")
    private Path keyFile;

    /** @param dataDir where a standalone keeps its key, if none was given */
    public String in(Path dataDir) {
        String given = SecretFile.either("--key", key, keyFile);
        if (given != null) {
            return given;
        }
        Path file = dataDir.resolve(KEY_FILE);
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new CommandFailed(
                    "no admin key: give --key, --key-file, or --data-dir of a standalone; there is no " + file, e);
        }
    }

    /** For a command line that people paste: a key from a file stays in its file. */
    String forShell(Path dataDir) {
        Path file = keyFile != null ? keyFile : dataDir.resolve(KEY_FILE);
        return key != null ? "$LAUREL_KEY" : "$(cat " + file + ")";
    }
}
