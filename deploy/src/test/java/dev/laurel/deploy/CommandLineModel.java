package dev.laurel.deploy;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Parses command lines of the program without running anything. */
public final class CommandLineModel {

    private CommandLineModel() {}

    /**
     * Returns the problems of a start: arguments or values that the program would refuse, and variables that the
     * command ignores; empty if there are none.
     *
     * @param environment all variables that begin with {@code LAUREL_} are checked
     */
    public static List<String> problems(List<String> arguments, Map<String, String> environment) {
        var silent = new PrintWriter(Writer.nullWriter());
        CommandLine root = LaurelMain.configure(new CommandLine(new LaurelMain()), environment, silent, silent);
        CommandLine command = root;
        try {
            var parsed = root.parseArgs(arguments.toArray(String[]::new));
            while (parsed.hasSubcommand()) {
                parsed = parsed.subcommand();
                command = parsed.commandSpec().commandLine();
            }
        } catch (ParameterException e) {
            return List.of(arguments + ": " + e.getMessage());
        }
        if (command == root) {
            return List.of(arguments + ": names no command");
        }
        Set<String> known = command.getCommandSpec().options().stream()
                .map(EnvironmentDefaults::variableOf)
                .collect(Collectors.toSet());
        var problems = new ArrayList<String>();
        environment.keySet().stream()
                .filter(name -> name.startsWith("LAUREL_") && !known.contains(name))
                .sorted()
                .forEach(name -> problems.add(arguments + ": has no option for " + name));
        return problems;
    }
}
