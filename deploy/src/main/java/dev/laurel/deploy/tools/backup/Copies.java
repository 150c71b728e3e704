package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.topics.KafkaAdmin;
import dev.laurel.schemas.topic.TopicCreation.Sizes;

/**
 * How many copies the topics of a restored instance get.
 *
 * @param replication null: three, or as many as there are brokers
 * @param minInSync null: two of three and more, else one
 */
record Copies(Short replication, Integer minInSync) {

    private static final int USUAL = 3;

    /** With the partitions that there were. */
    Sizes of(Manifest manifest, Source source) {
        short copies = replication != null
                ? replication
                : (short) Math.min(USUAL, KafkaAdmin.brokers(source.admin()));
        try {
            return new Sizes(manifest.users(), manifest.boards(),
                    manifest.gateways(), copies, minInSync == null ? Sizes.usualInSync(copies) : minInSync);
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }
}
