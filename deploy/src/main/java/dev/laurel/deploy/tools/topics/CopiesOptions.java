package dev.laurel.deploy.tools.topics;

import dev.laurel.schemas.topic.TopicCreation.Sizes;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How many copies the topics of a deployment get, as options of a command that creates them. */
public final class CopiesOptions {
    private static final int USUAL = 3;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec mixee;

    @Option(names = "--replication", paramLabel = "N", description = "Copies of each partition (default: 3, or as many as there are brokers).")
    private Short replication;

    @Option(names = "--min-in-sync", paramLabel = "N", description = "Copies that must have a record before it counts (default: 2 of 3 and more copies, else 1).")
    private Integer minInSync;

    /**
     * With so many partitions.
     *
     * @param admin is asked how many brokers there are
     * @throws ParameterException saying what is out of its range
     */
    public Sizes sizes(int users, int boards, int gateways, Admin admin) {
        short copies = replication != null ? replication : (short) Math.min(USUAL, KafkaAdmin.brokers(admin));
        try {
            return new Sizes(users, boards, gateways, copies,
                    minInSync != null ? minInSync : Sizes.usualInSync(copies));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(mixee.commandLine(), e.getMessage(), e);
        }
    }
}
