package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.ReplicationOptions;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.deploy.cli.TopicOptions;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.topic.Topic;
import dev.laurel.schemas.topic.Topics;
import dev.laurel.schemas.topic.Topics.DirectTopics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "topics",
        description = "Create, describe, back up and restore the Kafka topics of Laurel.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            TopicsCommand.Create.class,
            TopicsCommand.Describe.class,
            TopicsCommand.Backup.class,
            TopicsCommand.Restore.class
        })
public final class TopicsCommand {

    @Command(name = "create", description = "Create the topics that are missing. Existing topics are not changed.")
    static final class Create extends ToolCommand {
        @Mixin
        private TopicOptions topics;

        @Option(
                names = "--board-partitions",
                paramLabel = "N",
                defaultValue = "4",
                description = "Partitions of leaderboards (default: ${DEFAULT-VALUE}).")
        private int boardPartitions;

        @Option(
                names = "--gateway-partitions",
                paramLabel = "N",
                defaultValue = "8",
                description = "Partitions of replies, at least one per gateway (default: ${DEFAULT-VALUE}).")
        private int gatewayPartitions;

        @Option(
                names = "--direct",
                paramLabel = "TENANT",
                description = "Also create the topic for direct producers of this tenant, a customer id: only its users"
                        + " count there. May be given several times.")
        private List<String> direct = List.of();

        @Mixin
        private final ReplicationOptions copies = new ReplicationOptions();

        @Override
        protected int work() {
            int partitions = topics.partitions(12);
            expect(
                    Math.min(Math.min(partitions, boardPartitions), gatewayPartitions) >= 1,
                    "partitions must be at least 1");
            List<Topic<?, ?>> wanted = Stream.concat(
                            Topics.withAuditRetention(topics.auditRetention()).stream(), ofTenants())
                    .toList();
            try (Admin admin = KafkaClients.admin(connection.kafka())) {
                report(TopicCreation.createMissing(
                        admin, copies.sizes(partitions, boardPartitions, gatewayPartitions, admin), wanted));
                return 0;
            }
        }

        private Stream<Topic<?, ?>> ofTenants() {
            return valid(
                    "--direct: ",
                    () -> direct.stream().<Topic<?, ?>>map(DirectTopics::of).toList())
                    .stream();
        }

        private void report(List<String> created) {
            PrintWriter out = out();
            created.forEach(name -> out.println("created " + name));
            out.println(created.isEmpty() ? "nothing to do: all topics exist" : created.size() + " topics created");
        }
    }

    @Command(
            name = "describe",
            description = "Show the topics: sizes, retention, and differences from what Laurel creates.")
    static final class Describe extends ToolCommand {
        @Override
        protected int work() {
            KafkaAccess access = connection.kafka();
            try (Admin admin = KafkaClients.admin(access)) {
                var report = TopicsReport.of(admin);
                out().print(report.table());
                if (report.hasWiderLogs()) {
                    out().println("The log in force is "
                            + GenerationTable.read(
                                    access, generations -> generations.inForce().log()) + ".");
                }
                return 0;
            }
        }
    }

    /** Copies the topics that cannot be computed from others to a folder. */
    @Command(
            name = "backup",
            description =
                    "Copy the log, rulesets, access and generations to a folder while the instance runs. If the folder"
                            + " has a backup, only records since then are copied.")
    static final class Backup extends ToolCommand {
        @Parameters(paramLabel = "DIR", description = "Folder of the backup; created if it does not exist.")
        private Path dir;

        @Override
        protected int work() throws InterruptedException {
            long startedNs = System.nanoTime();
            try (var source = new SourceCluster(connection.kafka());
                    var folder = BackupFolder.open(dir);
                    var progress = new ProgressReporter(err())) {
                var run = new TopicsBackup(source, folder, progress);
                Manifest manifest = run.run();
                out().printf(
                                Locale.ROOT,
                                "%,d records copied in %.1f s; %s has everything up to %s.%n",
                                run.records(),
                                (System.nanoTime() - startedNs) / 1e9,
                                dir,
                                manifest.taken());
            }
            return 0;
        }
    }

    /** Restores a backup to a cluster without an instance. */
    @Command(
            name = "restore",
            description =
                    "Restore a backup to a Kafka cluster without an instance, each record of the log at its offset. An"
                            + " interrupted run is continued.")
    static final class Restore extends ToolCommand {
        @Parameters(paramLabel = "DIR", description = "Folder of the backup.")
        private Path dir;

        @Option(
                names = "--check",
                fallbackValue = "true",
                description = "Only read the whole backup and check that it is complete. Needs no Kafka.")
        private boolean checkOnly;

        @Option(
                names = "--forget-erased",
                fallbackValue = "true",
                description = "Leave out records of users who were erased later.")
        private boolean forgetErased;

        @Option(
                names = "--leave-out",
                paramLabel = "RECORD",
                description = "Leave out this record, such as laurel.commands-3@1234; may be given more than once.")
        private List<String> leaveOut = List.of();

        @Mixin
        private final ReplicationOptions copies = new ReplicationOptions();

        @Override
        protected int work() throws InterruptedException {
            PrintWriter out = out();
            try (var progress = new ProgressReporter(err())) {
                var run = new TopicsRestore(
                        BackupFolder.at(dir), progress, valid("", () -> new RecordFilter(forgetErased, leaveOut)));
                long startedNs = System.nanoTime();
                out.printf(
                        Locale.ROOT,
                        "The backup of %s is complete: %,d records.%n",
                        run.manifest().taken(),
                        run.check());
                out.flush();
                if (checkOnly) {
                    return 0;
                }
                int generation = run.run(connection.kafka(), copies);
                out.printf(
                        Locale.ROOT,
                        "%,d records written in %.1f s.%n",
                        run.written(),
                        (System.nanoTime() - startedNs) / 1e9);
                if (run.leftOut() > 0) {
                    out.printf(Locale.ROOT, "%,d records were replaced by blank ones.%n", run.leftOut());
                }
                out.printf("Generation %d is in force: start nodes and gateways, they fold the log.%n", generation);
                return 0;
            } catch (IllegalStateException e) {
                throw new CommandFailed(e.getMessage(), e);
            }
        }
    }
}
