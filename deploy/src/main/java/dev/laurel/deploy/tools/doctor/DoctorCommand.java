package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.SecretFile;
import dev.laurel.deploy.tools.TrustOption;
import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.deploy.tools.doctor.facts.ClusterFacts;
import dev.laurel.deploy.tools.doctor.facts.Facts;
import dev.laurel.deploy.tools.doctor.facts.KafkaTools;
import dev.laurel.deploy.tools.doctor.facts.KeyFacts;
import dev.laurel.deploy.tools.doctor.facts.ServerFacts;
import dev.laurel.deploy.tools.doctor.gather.ClusterGathering;
import dev.laurel.deploy.tools.doctor.gather.DirectoryGathering;
import dev.laurel.deploy.tools.doctor.gather.Gathered;
import dev.laurel.deploy.tools.doctor.gather.ServerGathering;
import dev.laurel.schemas.topic.KafkaAccess;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Looks at a deployment from outside: first gathers, then judges, then tells. */
@Command(name = "doctor", description = {"Check a deployment, and say what to fix.",
        "One line for each check: ok, warn or fail, and the command or setting that mends it. Exit code 1 if one failed."})
public final class DoctorCommand implements Callable<Integer> {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    @Spec
    private CommandSpec spec;

    @Option(names = "--url", paramLabel = "URL", split = ",", description = "Addresses of nodes, gateways and deliveries to ask, too; several by commas, or the option again.")
    private List<URI> urls = List.of();

    @Option(names = "--key", paramLabel = "KEY", description = "Admin key (default: that of the standalone in the data folder, if there is one). Other users of this machine may see it here: --key-file and LAUREL_KEY do not show it.")
    private String key;

    @Option(names = "--key-file", paramLabel = "FILE", description = "File with the admin key.")
    private Path keyFile;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the findings as JSON to FILE, or to stdout with '-' instead of the lines.")
    private String json;

    @Option(names = "--read-only", fallbackValue = "true", description = "Do not ask brokers for the time: that takes a topic, which is made and deleted.")
    private boolean readOnly;

    @Mixin
    private TrustOption trust;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public Integer call() {
        KafkaAccess access = kafka.access(dataDir.path());
        Gathered<ClusterFacts> cluster = new ClusterGathering(access, readOnly).gather();
        String adminKey = key();
        var facts = new Facts(cluster.facts(), servers(adminKey), adminKey == null ? null : KeyFacts.of(adminKey),
                DirectoryGathering.gather(dataDir.path()),
                new KafkaTools(access.bootstrapServers(),
                        kafka.configFile() == null ? null : kafka.configFile().toString()));
        Diagnosis diagnosis = Diagnosis.of(facts, cluster.findings(), InstantSource.system());
        tell(diagnosis);
        return diagnosis.status() == Status.fail ? 1 : 0;
    }

    private List<ServerFacts> servers(String adminKey) {
        var servers = new ArrayList<ServerFacts>();
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).sslContext(trust.tls())
                .build()) {
            var gathering = new ServerGathering(http, adminKey);
            for (URI url : urls) {
                if (url.getHost() == null || !("http".equals(url.getScheme()) || "https".equals(url.getScheme()))) {
                    throw new CommandFailed("--url must be http or https addresses, one is " + url);
                }
                servers.add(gathering.gather(url));
            }
            http.shutdownNow();
        }
        return servers;
    }

    /** Null if there is none to be found. */
    private String key() {
        if (key != null || keyFile != null) {
            return key != null ? key : SecretFile.read("--key-file", keyFile);
        }
        Path kept = dataDir.path().resolve("admin-key");
        try {
            return Files.isReadable(kept) ? Files.readString(kept).strip() : null;
        } catch (IOException e) {
            throw new CommandFailed("cannot read " + kept + ": " + e.getMessage(), e);
        }
    }

    private void tell(Diagnosis diagnosis) {
        PrintWriter out = spec.commandLine().getOut();
        if ("-".equals(json)) {
            out.println(diagnosis.json());
        } else {
            out.print(diagnosis.lines());
            write(diagnosis);
        }
        out.flush();
    }

    private void write(Diagnosis diagnosis) {
        if (json == null) {
            return;
        }
        try {
            Files.writeString(Path.of(json), diagnosis.json() + "\n");
        } catch (IOException e) {
            throw new CommandFailed("cannot write " + json + ": " + e.getMessage(), e);
        }
    }
}
