package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.access.ApiKey;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the admin key that a process is started with. */
public final class AdminKeyOptions {

    static final String NAME = "--admin-key";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = NAME,
            paramLabel = "KEY",
            description =
                    "The admin key, the same for all processes: 8 letters or digits, a dot, a long random secret. A"
                            + " standalone without one creates it at its first start. Tools take it, too, after --key."
                            + " Other users of this machine can see it on the command line: use --admin-key-file or"
                            + " LAUREL_ADMIN_KEY to avoid that.")
    @Nullable
    String key;

    @Option(names = NAME + "-file", paramLabel = "FILE", description = "File with the admin key.")
    @Nullable
    Path file;

    /**
     * @throws CommandFailed if the key is malformed
     * @throws ParameterException if none is given
     */
    public ApiKey required() {
        ApiKey given = key();
        if (given == null) {
            throw new ParameterException(
                    command.commandLine(), "Missing required option: '" + NAME + "=KEY' or '" + NAME + "-file=FILE'");
        }
        return given;
    }

    /**
     * Returns null if no key is given.
     *
     * @throws CommandFailed if the key is malformed
     */
    public @Nullable ApiKey key() {
        String given = SecretFile.either(NAME, key, file);
        return given == null
                ? null
                : CommandFailed.attempt(NAME + (file == null ? "" : "-file"), () -> ApiKey.givenAdminKey(given));
    }
}
