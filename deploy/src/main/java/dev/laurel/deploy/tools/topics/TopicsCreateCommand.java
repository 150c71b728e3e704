package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.TopicCreation;
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

    @Mixin
    private CopiesOptions copies;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        if (Math.min(Math.min(partitions, boardPartitions), gatewayPartitions) < 1) {
            throw new ParameterException(spec.commandLine(), "partitions must be at least 1");
        }
        try (Admin admin = KafkaAdmin.connect(kafka.access(dataDir.path()))) {
            tell(TopicCreation.createMissing(admin,
                    copies.sizes(partitions, boardPartitions, gatewayPartitions, admin)));
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    private void tell(List<String> created) {
        PrintWriter out = spec.commandLine().getOut();
        created.forEach(name -> out.println("created " + name));
        out.println(created.isEmpty() ? "nothing to do: all topics exist" : created.size() + " topics created");
        out.flush();
    }
}
