package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.DataDirOption;
import dev.laurel.deploy.tools.TableLook;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.KafkaAccess;
import java.io.PrintWriter;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "describe", description = "Show the topics: sizes, retention, and where they differ from what Laurel creates.")
final class TopicsDescribeCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private DataDirOption dataDir;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        KafkaAccess access = kafka.access(dataDir.path());
        try (Admin admin = KafkaAdmin.connect(access)) {
            var report = TopicsReport.of(admin);
            out.print(report.table());
            if (report.hasWiderLogs()) {
                out.println("The log in force is "
                        + TableLook.atGenerations(access, generations -> generations.inForce().log()) + ".");
            }
            out.flush();
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }
}
