package dev.laurel.deploy;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Shows help. Picocli's own help command would define {@code --help} itself, which every command inherits here. */
@Command(name = "help", description = "Show the help of Laurel or of one command.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class HelpCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "COMMAND", description = "The command to explain.")
    private @Nullable String command;

    @Override
    public void run() {
        CommandLine root = spec.parent().commandLine();
        CommandLine explained = command == null ? root : root.getSubcommands().get(command);
        if (explained == null) {
            throw new ParameterException(root, "there is no command '" + command + "'");
        }
        explained.usage(spec.commandLine().getOut());
        spec.commandLine().getOut().flush();
    }
}
