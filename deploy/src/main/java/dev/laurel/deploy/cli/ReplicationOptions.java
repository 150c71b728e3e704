package dev.laurel.deploy.cli;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation.Sizes;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options for the replication of the topics that a command creates. */
public final class ReplicationOptions {
    private static final int USUAL = 3;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec mixee;

    @Option(
            names = "--replication",
            paramLabel = "N",
            description = "Copies of each partition (default: 3, or as many as there are brokers).")
    private @Nullable Short replication;

    @Option(
            names = "--min-in-sync",
            paramLabel = "N",
            description = "Copies that must have a record before it is acknowledged (default: 2 with 3 and more copies,"
                    + " otherwise 1).")
    private @Nullable Integer minInSync;

    /**
     * Returns the sizes of topics with these numbers of partitions.
     *
     * @param admin reports the number of brokers
     * @throws ParameterException naming the option that is out of range
     */
    public Sizes sizes(int users, int boards, int gateways, Admin admin) {
        if (replication != null && replication < 1) {
            throw new ParameterException(mixee.commandLine(), "--replication must be at least 1");
        }
        short copies = replication != null
                ? replication
                : (short) Math.min(
                        USUAL, KafkaClients.get(admin.describeCluster().nodes()).size());
        int inSync = minInSync != null ? minInSync : Sizes.defaultInSync(copies);
        if (inSync < 1 || inSync > copies) {
            throw new ParameterException(
                    mixee.commandLine(),
                    "--min-in-sync must be at least 1 and at most the number of copies, which is " + copies);
        }
        return new Sizes(users, boards, gateways, copies, inSync);
    }
}
