package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.command.CommandFailed;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

final class LaurelMainTest {
    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void shouldPrintVersions() {
        assertEquals(0, run("--version"));

        List<String> lines = out.toString().lines().toList();
        assertTrue(lines.get(0).matches("laurel \\d+\\.\\d+\\.\\d+.*"), lines.get(0));
        assertTrue(lines.get(1).startsWith("java " + Runtime.version().feature()), lines.get(1));
        assertTrue(lines.get(2).matches("kafka 4\\..*"), lines.get(2));
        assertEquals("", err.toString());
    }

    /** What the command writes to its output, or as an error. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        -                      | --help                     | 0 | Usage: laurel
        -                      | probe --help               | 0 | Usage: laurel probe
        -                      | probe --help               | 0 | --swim-lanes
        -                      | -                          | 2 | laurel: Missing required subcommand
        -                      | fly                        | 2 | laurel: Unmatched argument at index 0: 'fly'
        -                      | probe --swim-lanes many    | 2 | Try 'laurel probe --help'.
        -                      | probe --fail expected      | 1 | laurel: the pool is closed
        LAUREL_SWIM_LANES=6    | probe                      | 0 | lanes 6 heated false
        LAUREL_SWIM_LANES=6    | probe --swim-lanes 3       | 0 | lanes 3 heated false
        LAUREL_SWIM_LANES=     | probe                      | 0 | lanes 8 heated false
        LAUREL_HEATED=true     | probe                      | 0 | lanes 8 heated true
        LAUREL_HEATED=true     | probe --heated             | 0 | lanes 8 heated true
        LAUREL_VERBOSE=true    | probe --fail expected      | 1 | at dev.laurel
        LAUREL_SWIM_LANES=many | probe                      | 2 | --swim-lanes
        LAUREL_SWIM_LANES=many | probe                      | 2 | many
        """)
    void shouldAnswer(String variable, String arguments, int exitCode, String text) {
        if (variable != null) {
            String[] pair = variable.split("=", 2);
            environment.put(pair[0], pair[1]);
        }

        assertEquals(exitCode, run(arguments == null ? new String[0] : arguments.split(" ")));
        assertTrue((exitCode == 0 ? out : err).toString().contains(text), out + "" + err);
    }

    @Test
    void shouldSayWhereACommandIsThatIsNotShipped() {
        assertEquals(2, run("bench", "--http"));
        assertEquals(2, run("import-git"));

        List<String> lines = err.toString().lines().toList();
        assertEquals(
                "laurel: 'bench' is not shipped: it is in the folder bench of a checkout, where deploy/laurel finds it"
                        + " once 'mvn -DskipTests package' has built it",
                lines.getFirst());
        assertTrue(lines.get(1).contains("in the folder examples/git-import of a checkout"), err.toString());
    }

    @Test
    void shouldHideStackTraceOfUnexpectedFailure() {
        assertEquals(1, run("probe", "--fail", "unexpected"));

        assertEquals(
                "laurel: unexpected failure: java.lang.IllegalStateException: no water",
                err.toString().lines().findFirst().orElseThrow());
        assertFalse(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void shouldShowStackTraceWhenVerbose() {
        assertEquals(1, run("probe", "--verbose", "--fail", "expected"));

        assertTrue(err.toString().startsWith("laurel: the pool is closed"), err.toString());
        assertTrue(err.toString().contains("\tat "), err.toString());
    }

    @Test
    void shouldDeclareFallbackOfEveryFlag() {
        List<String> undeclared = optionsOf(new CommandLine(new LaurelMain()))
                .filter(option -> option.type() == boolean.class && !option.usageHelp() && !option.versionHelp())
                .filter(option -> !"true".equals(option.fallbackValue()))
                .map(OptionSpec::longestName)
                .toList();

        assertEquals(List.of(), undeclared);
    }

    /** An option that several commands have is declared once. Tools of a checkout do not count. */
    @Test
    void shouldStayWithinTheBudgetOfOptionsAndCommands() {
        var options = new HashSet<Object>();
        var commands = new TreeSet<String>();
        count(new CommandLine(new LaurelMain()), options, commands);

        assertTrue(options.size() <= 115, options.size() + " options: " + options);
        assertTrue(commands.size() <= 22, commands.size() + " commands: " + commands);
    }

    private static void count(CommandLine command, Set<Object> options, Set<String> commands) {
        Class<?> type = command.getCommand().getClass();
        if (type.getPackageName().endsWith(".bench") || type.getSimpleName().equals("ImportGitCommand")) {
            return;
        }
        if (command.getParent() != null) {
            commands.add(command.getCommandSpec().qualifiedName());
        }
        command.getCommandSpec().options().forEach(option -> options.add(option.userObject()));
        command.getSubcommands().values().forEach(sub -> count(sub, options, commands));
    }

    private int run(String... arguments) {
        CommandLine root = new CommandLine(new LaurelMain()).addSubcommand(new Probe());
        return LaurelMain.configure(root, environment, new PrintWriter(out), new PrintWriter(err))
                .execute(arguments);
    }

    private static Stream<OptionSpec> optionsOf(CommandLine command) {
        return Stream.concat(
                command.getCommandSpec().options().stream(),
                command.getSubcommands().values().stream().flatMap(LaurelMainTest::optionsOf));
    }

    @Command(name = "probe")
    private static final class Probe implements Runnable {
        @Spec
        private CommandSpec spec;

        @Option(
                names = {"-n", "--swim-lanes"},
                defaultValue = "8")
        private int swimLanes;

        @Option(names = "--heated", fallbackValue = "true")
        private boolean heated;

        @Option(names = "--fail", defaultValue = "no")
        private String fail;

        @Override
        public void run() {
            switch (fail) {
                case "expected" -> throw new CommandFailed("the pool is closed");
                case "unexpected" -> throw new IllegalStateException("no water");
                default -> spec.commandLine().getOut().println("lanes " + swimLanes + " heated " + heated);
            }
        }
    }
}
