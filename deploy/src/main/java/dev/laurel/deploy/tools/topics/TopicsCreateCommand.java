package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.TopicCreation;
import dev.laurel.schemas.topic.TopicCreation.Sizes;
import java.io.PrintWriter;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "create", description = "Create the topics that are missing. Those that exist are left as they are.")
final class TopicsCreateCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(names = "--partitions", paramLabel = "N", defaultValue = "12", description = "Partitions of users (default: ${DEFAULT-VALUE}). They fix which users share a partition; 'replay --promote --partitions' makes them a multiple later.")
    private int partitions;

    @Option(names = "--board-partitions", paramLabel = "N", defaultValue = "4", description = "Partitions of leaderboards (default: ${DEFAULT-VALUE}).")
    private int boardPartitions;

    @Option(names = "--gateway-partitions", paramLabel = "N", defaultValue = "8", description = "Partitions of replies, at least one per gateway (default: ${DEFAULT-VALUE}).")
    private int gatewayPartitions;

    @Option(names = "--replication", paramLabel = "N", description = "Copies of each partition (default: 3, or as many as there are brokers).")
    private Short replication;

    @Option(names = "--min-in-sync", paramLabel = "N", description = "Copies that must have a record before it counts (default: 2 of 3 and more copies, else 1).")
    private Integer minInSync;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        if (Math.min(Math.min(partitions, boardPartitions), gatewayPartitions) < 1
                || replication != null && replication < 1) {
            throw new ParameterException(spec.commandLine(), "partitions and replication must be at least 1");
        }
        try (Admin admin = KafkaAdmin.connect(kafka.access(dataDir.path()))) {
            short copies = replication != null ? replication : (short) Math.min(3, KafkaAdmin.brokers(admin));
            tell(TopicCreation.createMissing(admin, sizes(copies)));
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    private Sizes sizes(short copies) {
        int inSync = minInSync != null ? minInSync : Sizes.usualInSync(copies);
        if (inSync < 1 || inSync > copies) {
            throw new ParameterException(spec.commandLine(),
                    "--min-in-sync must be at least 1 and at most the number of copies, which is " + copies);
        }
        return new Sizes(partitions, boardPartitions, gatewayPartitions, copies, inSync);
    }

    private void tell(List<String> created) {
        PrintWriter out = spec.commandLine().getOut();
        created.forEach(name -> out.println("created " + name));
        out.println(created.isEmpty() ? "nothing to do: all topics exist" : created.size() + " topics created");
        out.flush();
    }
}
