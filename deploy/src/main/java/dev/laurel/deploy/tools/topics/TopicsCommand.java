package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.cli.ReplicationOptions;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.deploy.cli.TopicOptions;
import dev.laurel.deploy.tools.backup.TopicsBackupCommand;
import dev.laurel.deploy.tools.backup.TopicsRestoreCommand;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import dev.laurel.schemas.topic.Topics;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "topics", description = "Create, describe, back up and restore the Kafka topics of Laurel.", synopsisSubcommandLabel = "COMMAND", subcommands = {
        TopicsCommand.Create.class, TopicsCommand.Describe.class, TopicsBackupCommand.class,
        TopicsRestoreCommand.class})
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class TopicsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }

    @Command(name = "create", description = "Create the topics that are missing. Existing topics are not changed.")
    static final class Create extends ToolCommand {
        @Mixin
        private TopicOptions topics;

        @Option(names = "--board-partitions", paramLabel = "N", defaultValue = "4", description = "Partitions of leaderboards (default: ${DEFAULT-VALUE}).")
        private int boardPartitions;

        @Option(names = "--gateway-partitions", paramLabel = "N", defaultValue = "8", description = "Partitions of replies, at least one per gateway (default: ${DEFAULT-VALUE}).")
        private int gatewayPartitions;

        @Option(names = "--direct", paramLabel = "TENANT", description = "Also create the topic for direct producers of this tenant, a customer id: only its users count there. May be given several times.")
        private List<String> direct = List.of();

        @Mixin
        private final ReplicationOptions copies = new ReplicationOptions();

        @Override
        protected int work() {
            int partitions = topics.partitions(12);
            expect(Math.min(Math.min(partitions, boardPartitions), gatewayPartitions) >= 1,
                    "partitions must be at least 1");
            List<Topic<?, ?>> wanted = Stream
                    .concat(Topics.withAuditRetention(topics.auditRetention()).stream(), ofTenants()).toList();
            try (Admin admin = KafkaClients.admin(connection.kafka())) {
                report(TopicCreation.createMissing(admin,
                        copies.sizes(partitions, boardPartitions, gatewayPartitions, admin), wanted));
                return 0;
            }
        }

        private Stream<Topic<?, ?>> ofTenants() {
            try {
                return direct.stream().<Topic<?, ?>>map(DirectTopics::of).toList().stream();
            } catch (IllegalArgumentException e) {
                throw misuse("--direct: " + e.getMessage(), e);
            }
        }

        private void report(List<String> created) {
            PrintWriter out = out();
            created.forEach(name -> out.println("created " + name));
            out.println(created.isEmpty() ? "nothing to do: all topics exist" : created.size() + " topics created");
        }
    }

    @Command(name = "describe", description = "Show the topics: sizes, retention, and differences from what Laurel creates.")
    static final class Describe extends ToolCommand {
        @Override
        protected int work() {
            KafkaAccess access = connection.kafka();
            try (Admin admin = KafkaClients.admin(access)) {
                var report = TopicsReport.of(admin);
                out().print(report.table());
                if (report.hasWiderLogs()) {
                    out().println("The log in force is "
                            + GenerationTable.read(access, generations -> generations.inForce().log()) + ".");
                }
                return 0;
            }
        }
    }
}
