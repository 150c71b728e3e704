package dev.laurel.deploy.cli;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for topics that a command creates if they are missing. */
public final class TopicOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description =
                    "Partitions of users, when their topics are created (default: 12; standalone: 4). They determine"
                            + " which users share a partition; 'replay --promote --partitions' can multiply them later.")
    private @Nullable Integer partitions;

    @Option(
            names = "--audit-retention",
            paramLabel = "DURATION",
            defaultValue = "P400D",
            description = "How long the audit log keeps its records, when its topic is created, such as P400D (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration auditRetention;

    public int partitions(int usual) {
        return partitions == null ? usual : partitions;
    }

    /** @throws ParameterException if it is less than a day */
    public Duration auditRetention() {
        if (auditRetention.compareTo(Duration.ofDays(1)) < 0) {
            throw new ParameterException(command.commandLine(), "--audit-retention must be at least a day, P1D");
        }
        return auditRetention;
    }
}
