package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.access.ApiKey;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The admin key that a process is started with. */
public final class AdminKeyOptions {

    private static final String NAME = "--admin-key";

    @Option(names = NAME, paramLabel = "KEY", description = "The admin key; by default one is made at the first start and kept in the data directory. Other users of this machine may see it here: --admin-key-file and LAUREL_ADMIN_KEY do not show it.")
    private String key;

    @Option(names = NAME + "-file", paramLabel = "FILE", description = "File with the admin key.")
    private Path file;

    /** @return null if none is given; @throws CommandFailed if it has not the form of a key */
    public String text() {
        String given = SecretFile.either(NAME, key, file);
        if (given == null) {
            return null;
        }
        try {
            return ApiKey.givenAdminKey(given).text();
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(NAME + (file == null ? "" : "-file") + ": " + e.getMessage(), e);
        }
    }

    public boolean isGiven() {
        return key != null || file != null;
    }
}
