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
        if (replication != null && replication < 1) {
            throw new ParameterException(mixee.commandLine(), "--replication must be at least 1");
        }
        short copies = replication != null ? replication : (short) Math.min(USUAL, KafkaAdmin.brokers(admin));
        int inSync = minInSync != null ? minInSync : Sizes.usualInSync(copies);
        if (inSync < 1 || inSync > copies) {
            throw new ParameterException(mixee.commandLine(),
                    "--min-in-sync must be at least 1 and at most the number of copies, which is " + copies);
        }
        return new Sizes(users, boards, gateways, copies, inSync);
    }
}
