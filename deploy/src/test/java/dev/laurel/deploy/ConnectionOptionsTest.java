package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.cli.ConnectionOptions;
import dev.laurel.deploy.cli.DataDir;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Tests which of option, data folder, variable and default a tool takes. */
final class ConnectionOptionsTest {

    private static final String KEPT_KEY = "keptkey1.0123456789abcdef";

    private final Map<String, String> environment = new HashMap<>();
    private final StringWriter err = new StringWriter();

    @TempDir
    private Path dir;

    @BeforeEach
    void keepAddresses() throws IOException {
        Files.writeString(dir.resolve("admin-key"), KEPT_KEY + "\n");
        Files.writeString(dir.resolve("kafka-address"), "127.0.0.1:21092\n");
        Files.writeString(dir.resolve("server-url"), "http://127.0.0.1:21080\n");
    }

    /** The address of the server, that of Kafka and the key; KEPT is what the data folder tells. */
    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
        -                           | --data-dir=DIR                          | KEPT                  | KEPT       | KEPT
        LAUREL_DATA_DIR=DIR         | -                                       | KEPT                  | KEPT       | KEPT
        -                           | --data-dir=DIR --url=http://127.0.0.1:1 | http://127.0.0.1:1    | -          | KEPT
        -                           | --data-dir=DIR --kafka=other:9092       | -                     | other:9092 | KEPT
        -                           | --data-dir=DIR --key=typed              | KEPT                  | KEPT       | typed
        VARIABLES                   | --data-dir=DIR                          | KEPT                  | KEPT       | KEPT
        VARIABLES LAUREL_DATA_DIR=DIR | -                                     | http://127.0.0.1:1    | other:9092 | set
        VARIABLES                   | --data-dir=DIR/empty                    | http://127.0.0.1:1    | other:9092 | set
        -                           | --data-dir=DIR/none                     | http://127.0.0.1:8080 | -          | -
        """)
    void shouldPreferWhatIsTypedToVariablesAndThemToADefaultFolder(
            String variables, String options, String url, String kafka, String key) throws IOException {
        Files.createDirectory(dir.resolve("empty"));
        pairs(variables).forEach(pair -> environment.put(pair[0], pair[1]));
        String[] arguments = pairs(options).flatMap(Stream::of).toArray(String[]::new);

        if (url != null) {
            assertEquals(url.equals("KEPT") ? "http://127.0.0.1:21080" : url, url(arguments));
        }
        if (kafka != null) {
            assertEquals(kafka.equals("KEPT") ? "127.0.0.1:21092" : kafka, kafka(arguments));
        }
        if (key != null) {
            assertEquals(key.equals("KEPT") ? KEPT_KEY : key, key(arguments));
        }
    }

    private Stream<String[]> pairs(String text) {
        return text == null
                ? Stream.empty()
                : Stream.of(text.replace(
                                        "VARIABLES",
                                        "LAUREL_URL=http://127.0.0.1:1 LAUREL_KAFKA=other:9092 LAUREL_KEY=set")
                                .replace("DIR/", dir + "/")
                                .replace("=DIR", "=" + dir)
                                .split(" "))
                        .map(pair -> pair.split("="));
    }

    @Test
    void shouldTakeAdminKeyUnderNameOfProcesses() {
        environment.put("LAUREL_ADMIN_KEY", "of-processes");

        assertEquals("of-processes", key());
        assertEquals("typed", key("--admin-key", "typed"));
        environment.put("LAUREL_KEY", "of-tools");
        assertEquals("of-tools", key());
    }

    @Test
    void shouldPreferTypedKeyFileToVariable() throws IOException {
        environment.put("LAUREL_KEY", "set");
        Path file = Files.writeString(dir.resolve("typed-key"), "from-file\n");

        assertEquals("from-file", key("--key-file", file.toString()));
        assertEquals("from-file", key("--admin-key-file", file.toString()));
    }

    @Test
    void shouldRefuseKafkaOfAnotherInstanceThanServer() {
        environment.put("LAUREL_DATA_DIR", dir.toString());

        assertEquals("", kafka("--url", "http://127.0.0.1:1"));
        assertTrue(err.toString().contains("give --kafka or --data-dir of that server too"), err.toString());
        assertEquals("127.0.0.1:21092", kafka("--url", "http://localhost:21080"));
    }

    @Test
    void shouldNotTakeServerOfDefaultFolderForNamedBrokers() {
        environment.put("LAUREL_DATA_DIR", dir.toString());

        assertEquals("http://127.0.0.1:8080", url("--kafka", "other:9092"));
    }

    @Test
    void shouldRefuseSeveralServersWhereOneIsNeeded() {
        assertEquals("", url("--url", "http://a:1,http://b:2"));
        assertEquals(
                "[http://a:1, http://b:2]",
                read(options -> options.urls().toString(), "--url", "http://a:1,http://b:2"));
    }

    @Test
    void shouldRefuseAddressThatIsNotHttp() {
        assertEquals("", url("--url", "ftp://a:1"));
        assertTrue(err.toString().contains("--url must be an http or https address, is ftp://a:1"), err.toString());
    }

    @Test
    void shouldRemoveOnlyOwnAddress() throws Exception {
        var folder = new DataDir(dir);
        AutoCloseable first = folder.showUrl("http://127.0.0.1:1");
        AutoCloseable second = folder.showUrl("http://127.0.0.1:2");

        first.close();
        assertEquals(URI.create("http://127.0.0.1:2"), folder.keptUrl());
        second.close();
        assertEquals(null, folder.keptUrl());
    }

    @Test
    void shouldHaveSameOptionsInEveryTool() {
        Set<String> names = Set.of(
                "--url",
                "--key",
                "--key-file",
                "--admin-key",
                "--admin-key-file",
                "--ca",
                "--kafka",
                "--kafka-config",
                "--data-dir");
        var incomplete = new TreeSet<String>();
        for (String tool : List.of(
                "doctor",
                "import",
                "replay",
                "ruleset apply",
                "ruleset diff",
                "ruleset export",
                "ruleset rollback",
                "report",
                "topics create",
                "topics describe",
                "topics backup",
                "topics restore")) {
            CommandLine command = new CommandLine(new LaurelMain());
            for (String word : tool.split(" ")) {
                command = command.getSubcommands().get(word);
            }
            if (!command.getCommandSpec().optionsMap().keySet().containsAll(names)) {
                incomplete.add(tool);
            }
        }

        assertEquals(Set.of(), incomplete);
    }

    private String url(String... arguments) {
        return read(options -> options.url().toString(), arguments);
    }

    private String kafka(String... arguments) {
        return read(options -> options.kafka().bootstrapServers(), arguments);
    }

    private String key(String... arguments) {
        return read(ConnectionOptions::key, arguments);
    }

    /** Returns an empty text if the command fails. */
    private String read(Function<ConnectionOptions, String> value, String... arguments) {
        var out = new StringWriter();
        CommandLine root =
                new CommandLine(new LaurelMain()).addSubcommand(new Probe(value, new PrintWriter(out, true)));
        var all = new ArrayList<>(List.of("probe"));
        all.addAll(List.of(arguments));
        LaurelMain.configure(root, environment, new PrintWriter(out), new PrintWriter(err, true))
                .execute(all.toArray(String[]::new));
        return out.toString().strip();
    }

    @Command(name = "probe")
    private static final class Probe implements Runnable {

        private final Function<ConnectionOptions, String> value;
        private final PrintWriter out;

        @Mixin
        private final ConnectionOptions connection = new ConnectionOptions();

        Probe(Function<ConnectionOptions, String> value, PrintWriter out) {
            this.value = value;
            this.out = out;
        }

        @Override
        public void run() {
            out.println(value.apply(connection));
        }
    }
}
