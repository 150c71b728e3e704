package dev.laurel.processors.publish;

import dev.laurel.platform.kafka.ArchivedVersions.Move;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves earlier versions of rulesets to {@code laurel.ruleset-archive}, some at a time, each move in one Kafka transaction. Used on the
 * thread of the {@link RulesetWriter}.
 */
final class VersionArchiver {

    private static final Logger LOG = LoggerFactory.getLogger(VersionArchiver.class);
    private static final Duration TABLE_TIMEOUT = Duration.ofSeconds(30);

    /** Tenants that are looked at between two polls, one search each. */
    private static final int MAX_LOOKED_AT = 500;

    private final RulesetTable table;
    private final int keptVersions;
    private final AtomicLong archived;

    /** Tenants of which it is known that they have versions to archive. */
    private final Set<TenantId> waiting = new LinkedHashSet<>();

    /** The last tenant that was looked at; null before the first one. */
    private @Nullable TenantId lookedAt;
    private boolean areAllLookedAt;

    /**
     * @param keptVersions how many of the newest versions of each tenant are not archived; 0: all, so nothing is ever moved
     * @param archived counts the moved versions
     */
    VersionArchiver(RulesetTable table, int keptVersions, AtomicLong archived) {
        this.table = table;
        this.keptVersions = keptVersions;
        this.archived = archived;
    }

    /** Takes notice of new versions of tenants. */
    void edited(Collection<TenantId> tenants) {
        if (keptVersions > 0) {
            tenants.stream().filter(tenant -> table.hasMove(tenant, keptVersions)).forEach(waiting::add);
        }
    }

    /** Takes notice that another node may write from now on. */
    void forget() {
        waiting.clear();
        lookedAt = null;
        areAllLookedAt = false;
    }

    /**
     * Returns the next tenant with versions to archive; null if none is known now.
     *
     * @param isIdle whether there is time to look at tenants that were not edited
     */
    @Nullable
    TenantId next(boolean isIdle) {
        if (keptVersions > 0 && isIdle && waiting.isEmpty() && !areAllLookedAt) {
            List<TenantId> next = table.tenantsAfter(lookedAt, MAX_LOOKED_AT);
            edited(next);
            areAllLookedAt = next.size() < MAX_LOOKED_AT;
            lookedAt = next.isEmpty() ? lookedAt : next.getLast();
        }
        Iterator<TenantId> first = waiting.iterator();
        return first.hasNext() ? first.next() : null;
    }

    /**
     * Moves versions of a tenant, as many as a record holds.
     *
     * @param writer of the node that writes rulesets now
     * @throws TimeoutException if the table does not get to know its newest records, which may be another move
     */
    void archive(TenantId tenant, KafkaProducer<byte[], byte[]> writer) throws InterruptedException {
        waiting.remove(tenant);
        if (!table.awaitNewest(TABLE_TIMEOUT)) {
            throw new TimeoutException("could not read the newest rulesets");
        }
        Move move = table.nextMove(tenant, keptVersions);
        if (move == null) {
            return;
        }
        writer.beginTransaction();
        long offset = offsetOf(writer, new ProducerRecord<>(Topics.RULESET_ARCHIVE.name(),
                RulesetWriter.bytes(move.chunkKey()), move.chunk()));
        RulesetWriter.write(writer, move.indexKey(), move.index(offset));
        move.deleted().forEach(version -> RulesetWriter.write(writer, new RulesetKey(tenant, version), null));
        writer.commitTransaction();
        archived.addAndGet(move.last() - move.first() + 1);
        waiting.add(tenant); // there may be more
        LOG.info("Moved versions {} to {} of the ruleset of tenant '{}' to {}; later ones stay, {} at least",
                move.first(), move.last(), tenant, Topics.RULESET_ARCHIVE.name(), keptVersions);
    }

    private static long offsetOf(KafkaProducer<byte[], byte[]> writer, ProducerRecord<byte[], byte[]> record)
            throws InterruptedException {
        try {
            return writer.send(record).get().offset();
        } catch (ExecutionException e) {
            throw new KafkaException("cannot write to " + record.topic() + ": " + e.getCause(), e.getCause());
        }
    }
}
