package dev.laurel.deploy.broker;

import dev.laurel.deploy.cli.ProcessLifecycle;
import dev.laurel.deploy.cli.SecretFile;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs an embedded broker, alone or as a node of a quorum. */
@Command(
        name = "broker",
        description =
                "Run a Kafka broker and controller until SIGTERM: a single one, or one of a cluster of three or more.")
public final class BrokerCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--node-id",
            paramLabel = "ID",
            defaultValue = "1",
            description = "Id of this broker in its cluster, from 1 on (default: ${DEFAULT-VALUE}).")
    private int nodeId;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on, also given to clients (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "9092",
            description = "Port for clients; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--controller-port",
            paramLabel = "PORT",
            defaultValue = "0",
            description =
                    "Port for the controllers of the cluster (default: the one in --quorum; without --quorum any free"
                            + " one).")
    private int controllerPort;

    @Option(
            names = "--quorum",
            paramLabel = "ID@HOST:PORT,…",
            description = "All controllers of the cluster, including this one; the same for all brokers:"
                    + " 1@127.0.0.1:9193,2@… (default: this one alone).")
    private @Nullable String quorum;

    @Option(
            names = "--cluster-id",
            paramLabel = "ID",
            description =
                    "Id of the cluster, the same for all brokers (default: derived from --quorum). Used at the first"
                            + " start only.")
    private @Nullable String clusterId;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Further settings of a Kafka broker, as properties: listeners with TLS and logins, for example."
                            + " They override the settings of this command.")
    private @Nullable Path config;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "./laurel-broker",
            description = "Folder for all data; each broker has its own (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    @Override
    public Integer call() throws InterruptedException {
        long startedNs = System.nanoTime();
        BrokerSettings settings = settings();
        ProcessLifecycle.of(lifetime -> printStart(lifetime.parts().add(EmbeddedBroker.start(settings)), startedNs));
        return 0;
    }

    private BrokerSettings settings() {
        try {
            return new BrokerSettings(
                    dataDir,
                    host,
                    port,
                    controllerPort,
                    nodeId,
                    quorum == null ? new TreeMap<>() : BrokerSettings.parseQuorum(quorum),
                    clusterId,
                    config == null ? Map.of() : SecretFile.readProperties("--config", config));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void printStart(EmbeddedBroker broker, long startedNs) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Broker %d is ready after %.1f s.%n", nodeId, (System.nanoTime() - startedNs) / 1e9);
        out.printf("Kafka is at %s, data in %s. Stop with Ctrl-C.%n", broker.bootstrapServers(), dataDir);
        out.flush();
    }
}
