package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.boards.ScoresCatchUpSource;
import dev.laurel.processors.ledger.KafkaTicks;
import dev.laurel.processors.stream.StartupCatchUp.TopicCatchUpSource;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Rulesets.RulesetOverlay;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.AsIf;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations on generations: the interface of this package for tools, beside {@link ShadowGeneration}, which builds a generation, and
 * {@link NodeGenerations}, which runs generations on a node. A generation comes into force in these steps, each of which can be
 * repeated; clients notice only the last one:
 * <ol>
 * <li>{@link #claim} reserves a number. A {@link ShadowGeneration} processes the log, and is closed when it has caught up.
 * <li>{@link #handToNodes} lets nodes continue from there, beside the generation in force; {@link #markEnds}, {@link #awaitFollowed}.
 * <li>{@link #promote} writes in one transaction the markers from which on it is in force and produces the output.
 * </ol>
 * One thread.
 */
public final class Generations {

    private static final Logger LOG = LoggerFactory.getLogger(Generations.class);

    /** A process that was killed remains a member for as long as {@link ShadowApplication#settings} says. */
    private static final Duration UNUSED_TIMEOUT = Duration.ofSeconds(90);

    private static final long CHECK_MS = 200;

    private final Map<String, Object> clientConfig;
    private final GenerationTable table;
    private final InstantSource clock;
    private final GenerationWriter writer;

    /**
     * @param table followed and caught up
     * @param clock gives the time of the markers
     */
    public Generations(Map<String, Object> clientConfig, GenerationTable table, InstantSource clock) {
        this.clientConfig = clientConfig;
        this.table = table;
        this.clock = clock;
        this.writer = new GenerationWriter(clientConfig, table);
    }

    /**
     * Reserves a number for a generation that is to be promoted.
     *
     * @param rules versions that apply from the beginning of the log
     * @throws IllegalStateException if another generation is in progress: it must be promoted or abandoned first
     */
    public GenerationRecord claim(List<AsIf> rules) throws InterruptedException {
        return writer.claim(_ -> claimed(rules));
    }

    /** Works like {@link #claim(List)} for a replay, by whose number other processes find the generation. */
    public GenerationRecord claim(List<AsIf> rules, int replay) throws InterruptedException {
        return writer.claim(_ -> claimed(rules).builtBy(replay));
    }

    private GenerationRecord claimed(List<AsIf> rules) {
        expectNoneInProgress();
        return claimed(new Generation(table.nextNumber(), table.inForce().log()), rules, null);
    }

    private static GenerationRecord claimed(Generation generation, List<AsIf> rules, @Nullable String copiedFrom) {
        return GenerationRecord.claimed(generation, rules, copiedFrom).inForm(StateForm.NUMBER);
    }

    /**
     * Reserves a number for a generation that brings a wider log. The log is created, and nodes begin to copy the present one
     * into it.
     *
     * @param partitions of the new log
     * @param replay the number of the replay that builds it
     * @throws IllegalArgumentException if the log cannot have this number of partitions
     * @throws IllegalStateException as {@link #claim} does, and if Kafka refuses
     */
    public GenerationRecord claimWider(List<AsIf> rules, int partitions, int replay) throws InterruptedException {
        return writer.claim(_ -> {
            expectNoneInProgress();
            Generation wider = Generation.wider(table.nextNumber());
            String former = table.inForce().log();
            new RepartitionedLog(clientConfig).create(former, wider, partitions);
            return claimed(wider, rules, former).builtBy(replay);
        });
    }

    private void expectNoneInProgress() {
        inProgress().findAny().ifPresent(other -> {
            throw new IllegalStateException("generation " + other.number() + " is in progress already");
        });
    }

    private Stream<GenerationRecord> inProgress() {
        return table.all().values().stream().filter(record -> record.state().isUnderWay());
    }

    /**
     * Makes sure that this release can continue the generation in force; called by each node before it starts. If an earlier release has
     * written the stores, the next generation comes into force, with the same log and rules, which nodes then fold from the first record
     * on, as after the restoration of a backup. It is silent up to where the former one has published. The first of several nodes decides.
     *
     * @return the generation in force
     * @throws IllegalStateException if a later release has written the stores, or the earlier one is still running
     */
    public GenerationRecord continued() throws InterruptedException {
        long deadlineNs = System.nanoTime() + UNUSED_TIMEOUT.toNanos();
        GenerationRecord known = table.inForce();
        while (StateForm.of(known, true) != StateForm.PRESENT) {
            if (StateForm.of(known, true) == StateForm.LATER) {
                throw new IllegalStateException("the state of generation " + known.number()
                        + " was written by a later release of Laurel: start that one");
            }
            try (var resources = new GenerationResources(clientConfig, known.generation(), TIMEOUT)) {
                if (!resources.haveMembers(known.generation().applications())) {
                    return takenOver(known, StateForm.of(known, resources.hasStores()), resources.published());
                }
            }
            if (System.nanoTime() - deadlineNs > 0) {
                throw new IllegalStateException(
                        "the state of generation " + known.number() + " was written by an earlier"
                                + " release of Laurel, of which nodes still run: stop them all, then start this one");
            }
            TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            known = table.inForce();
        }
        return known;
    }

    private GenerationRecord takenOver(GenerationRecord former, StateForm form, List<Long> published)
            throws InterruptedException {
        GenerationRecord next = writer.change(former.number(), (producer, known) -> {
            if (!former.equals(table.inForce())) {
                return table.inForce(); // Another node was first.
            }
            return form == StateForm.NONE ? known.inForm(StateForm.NUMBER) : successor(producer, known, published);
        });
        if (next.number() != former.number()) {
            LOG.warn(
                    "The state of generation {} was written by an earlier release; generation {} folds the log anew."
                            + " Webhooks and messages that waited to be sent again are not sent",
                    former.number(),
                    next.number());
        }
        return next;
    }

    /** @param published offsets up to which the former generation has published, by partition */
    private GenerationRecord successor(Producer<byte[], byte[]> producer, GenerationRecord former, List<Long> published)
            throws InterruptedException {
        if (table.hasPendingPromotion()) {
            throw new IllegalStateException("a generation with a wider log is promoted and not in force yet:"
                    + " start the earlier release once more, until it is");
        }
        inProgress().forEach(unfinished -> GenerationWriter.send(producer, unfinished.in(State.OVER)));
        GenerationWriter.send(producer, former.in(State.OVER));
        GenerationRecord next = claimed(new Generation(table.nextNumber(), former.log()), former.rules(), null);
        createTopics(next.generation());
        writeMarkers(producer, next.log(), next.number());
        return next.inForce(IntStream.range(0, published.size())
                .mapToObj(partition -> Math.max(published.get(partition), startOf(former, partition)))
                .toList());
    }

    /**
     * The rules of a generation.
     *
     * @throws IllegalStateException if it uses a version that was never published
     */
    public static Rulesets rulesOf(GenerationRecord generation, Rulesets published) throws InterruptedException {
        Rulesets rules = published;
        for (AsIf asIf : generation.rules()) {
            Ruleset version = published.await(asIf.tenant(), asIf.version(), TIMEOUT);
            if (version == null) {
                throw new IllegalStateException("generation " + generation.number() + " uses ruleset version "
                        + asIf.version() + " of tenant '" + asIf.tenant() + "', which was never published");
            }
            rules = RulesetOverlay.since(rules, version);
        }
        return rules;
    }

    /** The offset from which a generation in force publishes. */
    private static long startOf(GenerationRecord inForce, int partition) {
        List<Long> handover = inForce.handover();
        return handover == null ? 0 : handover.get(partition);
    }

    /** Creates those topics of a generation that are missing. */
    public void createTopics(Generation generation) throws InterruptedException {
        try (var resources = new GenerationResources(clientConfig, generation, TIMEOUT)) {
            resources.create();
        }
    }

    /** Waits until no process has a part of the shadow: one that was killed remains a member of its groups for some seconds. */
    public void awaitNotFolded(GenerationRecord built) throws InterruptedException {
        try (var resources = new GenerationResources(clientConfig, built.generation(), TIMEOUT)) {
            // Nodes may copy records into its log meanwhile.
            resources.awaitNoMembers(built.generation().applications(), UNUSED_TIMEOUT);
        }
    }

    /**
     * Lets nodes continue from the state of the shadow, which must be closed.
     *
     * @throws IllegalStateException if the generation was abandoned meanwhile
     */
    public GenerationRecord handToNodes(GenerationRecord built) throws InterruptedException {
        return writer.change(built.number(), (_, known) -> {
            if (known.state() != State.BUILDING && known.state() != State.FOLLOWED) {
                throw new IllegalStateException(
                        "generation " + known.number() + " is " + known.state() + ": it was abandoned meanwhile");
            }
            return known.in(State.FOLLOWED);
        });
    }

    /**
     * Appends a record that changes nothing to each partition, after everything that the shadow can have read; called once, before
     * {@link #awaitFollowed}. Otherwise, in partitions without new records, nodes would count as having followed while they still
     * restore the stores of the shadow.
     */
    public void markEnds(GenerationRecord followed) throws InterruptedException {
        try (var log = new KafkaTicks(clientConfig, table.inForce().generation(), true, clock);
                var scores = new ScoresCatchUpSource(clientConfig, followed.generation())) {
            var marks = new ArrayList<Future<?>>();
            for (TopicCatchUpSource topic : List.of(log, scores)) {
                for (int partition = 0; partition < topic.partitions(); partition++) {
                    marks.add(topic.appendMark(partition).toCompletableFuture());
                }
            }
            for (Future<?> mark : marks) {
                GenerationWriter.await(mark);
            }
        }
    }

    /**
     * Waits until this generation on the nodes has processed everything that is in the log now.
     *
     * @return false if the timeout expired
     */
    public boolean awaitFollowed(GenerationRecord followed, Duration timeout) throws InterruptedException {
        try (var progress =
                new GenerationProgress(clientConfig, followed.generation(), followed.copiedFrom(), TIMEOUT)) {
            return progress.await(timeout);
        }
    }

    /**
     * Puts a generation in force. Its markers and those of rulesets have the same order in every partition, because their writers fence
     * each other; the writer of rulesets tries again by itself. A generation that brings a wider log is only promoted by this; it is in
     * force when nodes have copied the markers, see {@link #finish}.
     *
     * @throws IllegalStateException if nodes do not follow the generation, or Kafka refused: nothing has changed then
     */
    public GenerationRecord promote(GenerationRecord followed) throws InterruptedException {
        return writer.change(followed.number(), (producer, known) -> {
            if (known.state() != State.FOLLOWED
                    || known.number() < table.inForce().number()) {
                throw new IllegalStateException(
                        "generation " + known.number() + " cannot be promoted: it is " + known.state());
            }
            String former = table.inForce().log();
            List<Long> markers = writeMarkers(producer, former, known.number());
            return known.log().equals(former) ? known.inForce(markers) : known.promoted(markers);
        });
    }

    /** @return the offsets of the markers, by partition */
    private List<Long> writeMarkers(Producer<byte[], byte[]> producer, String log, int number)
            throws InterruptedException {
        byte[] marker = CommandJson.write(new GenerationPromoted(number));
        int partitions = producer.partitionsFor(log).size();
        long nowMs = clock.millis();
        var sent = new ArrayList<Future<RecordMetadata>>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            sent.add(producer.send(new ProducerRecord<>(log, partition, nowMs, null, marker)));
        }
        producer.flush();
        var offsets = new ArrayList<Long>(partitions);
        for (Future<RecordMetadata> marked : sent) {
            offsets.add(GenerationWriter.await(marked).offset());
        }
        return offsets;
    }

    /**
     * Records the offsets of the markers of a promoted generation in its own log, which puts it in force. Any node may do this, any
     * number of times; the first call counts.
     */
    public void finish(GenerationRecord promoted, List<Long> markers) throws InterruptedException {
        writer.note(promoted.number(), known -> known.state() == State.PROMOTED ? known.inForce(markers) : known);
    }

    /** Ends the copying into the log that this generation has brought. Can be repeated. */
    public void endCopying(int number) throws InterruptedException {
        writer.note(number, GenerationRecord::notCopied);
    }

    /** Records that no process runs the generation any more. Can be repeated. */
    public void retire(int number) throws InterruptedException {
        writer.note(number, known -> known.in(State.OVER));
    }

    /**
     * Abandons a generation: nodes close it, and its topics and groups are deleted.
     *
     * @throws IllegalStateException if it is or was in force
     */
    public void abandon(GenerationRecord record) throws InterruptedException {
        writer.change(record.number(), (_, known) -> {
            if (known.hasBeenPromoted() || known.number() == Generation.FIRST.number()) {
                throw new IllegalStateException("generation " + known.number() + " has been in force");
            }
            return known.in(State.OVER);
        });
        try (var resources = new GenerationResources(clientConfig, record.generation(), TIMEOUT)) {
            resources.awaitNoMembers(record.generation().groups(), UNUSED_TIMEOUT); // Topics in use are not deleted.
            resources.delete();
        }
    }
}
