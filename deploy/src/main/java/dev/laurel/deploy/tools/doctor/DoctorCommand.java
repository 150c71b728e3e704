package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.deploy.cli.DataDirOption;
import dev.laurel.deploy.cli.KafkaOptions;
import dev.laurel.deploy.cli.SecretFile;
import dev.laurel.deploy.cli.TrustOption;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.platform.kafka.KafkaAccess;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Examines a deployment from outside: collects facts, evaluates them, and prints the findings. */
@Command(name = "doctor", description = {"Examine a deployment and show what to fix.",
        "One line for each check: ok, warn or fail, and the command or setting that fixes it. Exit code 1 if one failed."})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DoctorCommand implements Callable<Integer> {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", split = ",", description = "Addresses of nodes, gateways and deliveries to check as well; separated by commas, or repeat the option.")
    private List<URI> urls = List.of();

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder, if there is one). Other users of this machine can see it on the command line: use --key-file or LAUREL_KEY to avoid that.")
    private @Nullable String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the admin key.")
    private @Nullable Path keyFile;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the findings as JSON to FILE, or to stdout with '-' instead of the lines.")
    private @Nullable String json;

    @Option(names = "--read-only", fallbackValue = "true", description = "Do not check the clocks of brokers, for which a topic is created and deleted.")
    private boolean readOnly;

    @Mixin
    private final TrustOption trust = new TrustOption();

    @Mixin
    private final KafkaOptions kafka = new KafkaOptions();

    @Mixin
    private final DataDirOption dataDir = new DataDirOption();

    @Override
    public Integer call() {
        KafkaAccess access = kafka.access(dataDir.path());
        ClusterInspector.Inspection cluster = new ClusterInspector(access, readOnly).gather();
        String adminKey = key();
        var facts = new Facts(cluster.facts(), servers(adminKey), adminKey == null ? null : Facts.KeyFacts.of(adminKey),
                DirectoryInspector.gather(dataDir.path()),
                new RepairCommands(access.bootstrapServers(),
                        kafka.configFile() == null ? null : kafka.configFile().toString()));
        Diagnosis diagnosis = Diagnosis.of(facts, cluster.findings(), InstantSource.system());
        report(diagnosis);
        return diagnosis.status() == Status.fail ? 1 : 0;
    }

    private List<Facts.ServerFacts> servers(@Nullable String adminKey) {
        var servers = new ArrayList<Facts.ServerFacts>();
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).sslContext(trust.tls())
                .build()) {
            var inspector = new ServerInspector(http, adminKey);
            for (URI url : urls) {
                if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                    throw new CommandFailed("--url must have http or https addresses, one is " + url);
                }
                servers.add(inspector.gather(url));
            }
            http.shutdownNow();
        }
        return servers;
    }

    /** Returns null if there is no key. */
    private @Nullable String key() {
        if (key != null) {
            return key;
        }
        if (keyFile != null) {
            return SecretFile.read("--key-file", keyFile);
        }
        Path kept = dataDir.path().resolve("admin-key");
        try {
            return Files.isReadable(kept) ? Files.readString(kept).strip() : null;
        } catch (IOException e) {
            throw new CommandFailed("cannot read " + kept + ": " + e.getMessage(), e);
        }
    }

    private void report(Diagnosis diagnosis) {
        PrintWriter out = spec.commandLine().getOut();
        if ("-".equals(json)) {
            out.println(diagnosis.json());
        } else {
            out.print(diagnosis.lines());
            if (json != null) {
                write(Path.of(json), diagnosis.json() + "\n");
            }
        }
        out.flush();
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
