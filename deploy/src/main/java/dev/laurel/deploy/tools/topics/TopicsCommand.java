package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.tools.backup.TopicsBackupCommand;
import dev.laurel.deploy.tools.backup.TopicsRestoreCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "topics", description = "Create, describe, back up and restore the Kafka topics of Laurel.", synopsisSubcommandLabel = "COMMAND", subcommands = {
        TopicsCreateCommand.class, TopicsDescribeCommand.class, TopicsBackupCommand.class, TopicsRestoreCommand.class})
public final class TopicsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }
}
