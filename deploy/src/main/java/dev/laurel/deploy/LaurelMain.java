package dev.laurel.deploy;

import dev.laurel.deploy.broker.BrokerCommand;
import dev.laurel.deploy.cli.ProgramVersion;
import dev.laurel.deploy.cli.Terminal;
import dev.laurel.deploy.roles.DeliveryCommand;
import dev.laurel.deploy.roles.GatewayCommand;
import dev.laurel.deploy.roles.NodeCommand;
import dev.laurel.deploy.roles.StandaloneCommand;
import dev.laurel.deploy.roles.WarmUpCommand;
import dev.laurel.deploy.tools.doctor.DoctorCommand;
import dev.laurel.deploy.tools.imports.ImportCommand;
import dev.laurel.deploy.tools.replay.ReplayCommand;
import dev.laurel.deploy.tools.ruleset.RulesetCommand;
import dev.laurel.deploy.tools.stats.ReportCommand;
import dev.laurel.deploy.tools.sync.SyncCommand;
import dev.laurel.deploy.tools.topics.TopicsCommand;
import dev.laurel.platform.command.CommandFailed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of Laurel. A subcommand is a class, a {@code Callable<Integer>} or {@code Runnable}, named in the
 * list below; it inherits the options of this class, and each of its own options can also be set in the environment.
 *
 * <p>Exit codes: 0 done, 1 failed (the first line on stderr is the reason), 2 wrong usage. Stack traces appear with
 * {@code --verbose} only. Commands write results to the {@code out} of their picocli command line, a {@link Terminal},
 * never to {@code System.out}, and throw {@link CommandFailed} for failures that they expect. A flag declares {@code fallbackValue =
 * "true"}; without it, picocli lets a flag on the command line negate the same flag in the environment.
 *
 * <p>Some commands are not shipped: they are in modules of their own, which {@code deploy/laurel} adds to the class path in a checkout,
 * and found as a service, {@link CheckoutCommand}.
 */
@Command(
        name = "laurel",
        description = "A self-hosted gamification service on Kafka Streams.",
        versionProvider = ProgramVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            BrokerCommand.class, DeliveryCommand.class, DoctorCommand.class, GatewayCommand.class,
            ImportCommand.class, NodeCommand.class, ReplayCommand.class, ReportCommand.class,
            RulesetCommand.class, StandaloneCommand.class, SyncCommand.class, TopicsCommand.class,
            WarmUpCommand.class
        })
public final class LaurelMain {

    /** The folders in a checkout of the modules of commands that are not shipped. */
    static final Map<String, String> CHECKOUT_FOLDERS = Map.of("bench", "bench", "import-git", "examples/git-import");

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help.")
    private boolean help;

    @Option(names = "--version", versionHelp = true, description = "Print the versions of Laurel, Java and Kafka.")
    private boolean version;

    @Option(
            names = "--verbose",
            scope = ScopeType.INHERIT,
            fallbackValue = "true",
            description = "Log more, and show stack traces.")
    private boolean verbose;

    @Option(
            names = "--log",
            scope = ScopeType.INHERIT,
            paramLabel = "FORMAT",
            defaultValue = "plain",
            description = "Log lines as ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private LogFormat log;

    public static void main(String[] arguments) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(System.getenv(), out, err, arguments));
    }

    /**
     * Runs one command to its end and returns the exit code. Flushes {@code out} and {@code err} but does not close
     * them.
     */
    static int run(Map<String, String> environment, PrintWriter out, PrintWriter err, String... arguments) {
        return configure(new CommandLine(new LaurelMain()), environment, out, err)
                .execute(arguments);
    }

    /**
     * Configures a command line whose root is a {@code LaurelMain} as described above, with the commands that are not shipped if they
     * are on the class path. Further subcommands must have been added.
     */
    static CommandLine configure(CommandLine root, Map<String, String> environment, PrintWriter out, PrintWriter err) {
        LaurelMain main = root.getCommand();
        ServiceLoader.load(CheckoutCommand.class).forEach(root::addSubcommand);
        return root.setOut(new Terminal(out))
                .setErr(new Terminal(err))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setDefaultValueProvider(new EnvironmentDefaults(environment))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(main::execute)
                .setExecutionExceptionHandler(main::failed)
                .setParameterExceptionHandler(LaurelMain::misused);
    }

    private int execute(ParseResult parsed) {
        configureLogging();
        return new RunLast().execute(parsed);
    }

    /** Sets the properties that log4j2.xml reads when the first logger is created; no class has created one so far. */
    private void configureLogging() {
        System.setProperty("java.util.logging.manager", "org.apache.logging.log4j.jul.LogManager");
        System.setProperty("laurel.log", verbose && log == LogFormat.plain ? "stacks" : log.name());
        if (verbose) {
            System.setProperty("laurel.log.level", "debug");
        }
    }

    private int failed(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof CommandFailed expected) {
            err.println("laurel: " + expected.getMessage());
        } else {
            err.println("laurel: unexpected failure: " + failure);
            if (!verbose) {
                err.println("Run the command with --verbose to see the stack trace.");
            }
        }
        if (verbose) {
            var trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            err.print(trace);
        }
        err.flush();
        return ExitCode.SOFTWARE;
    }

    private static int misused(ParameterException misuse, String[] arguments) {
        CommandLine command = misuse.getCommandLine();
        PrintWriter err = command.getErr();
        if (misuse instanceof UnmatchedArgumentException unmatched
                && CHECKOUT_FOLDERS.containsKey(unmatched.getUnmatched().getFirst())) {
            String name = unmatched.getUnmatched().getFirst();
            err.println("laurel: '" + name + "' is not shipped: it is in the folder " + CHECKOUT_FOLDERS.get(name)
                    + " of a checkout, where deploy/laurel finds it once 'mvn -DskipTests package' has built it");
        } else {
            err.println("laurel: " + misuse.getMessage());
            UnmatchedArgumentException.printSuggestions(misuse, err);
            err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        }
        err.flush();
        return ExitCode.USAGE;
    }

    /** A command of a module that is not shipped, with the annotations of picocli. */
    public interface CheckoutCommand extends Callable<Integer> {}

    /** Formats of log lines; each event is one line. */
    enum LogFormat {
        plain,
        json
    }
}
