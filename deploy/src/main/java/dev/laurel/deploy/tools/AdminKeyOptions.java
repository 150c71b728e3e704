package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.access.ApiKey;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The admin key that a process is started with. */
public final class AdminKeyOptions {

    private static final String NAME = "--admin-key";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(names = NAME, paramLabel = "KEY", description = "The admin key, the same for all processes: 8 letters or digits, a dot, a long random secret. A standalone that is given none makes one at its first start. Other users of this machine may see it here, but not what is in LAUREL_ADMIN_KEY or a file.")
    private String key;

    @Option(names = NAME + "-file", paramLabel = "FILE", description = "File with the admin key.")
    private Path file;

    /** @throws CommandFailed if it has not the form of a key; @throws ParameterException if none is given */
    public ApiKey required() {
        ApiKey given = key();
        if (given == null) {
            throw new ParameterException(command.commandLine(),
                    "Missing required option: '" + NAME + "=KEY' or '" + NAME + "-file=FILE'");
        }
        return given;
    }

    /** @return null if none is given; @throws CommandFailed if it has not the form of a key */
    public ApiKey key() {
        String given = SecretFile.either(NAME, key, file);
        if (given == null) {
            return null;
        }
        try {
            return ApiKey.givenAdminKey(given);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(NAME + (file == null ? "" : "-file") + ": " + e.getMessage(), e);
        }
    }
}
