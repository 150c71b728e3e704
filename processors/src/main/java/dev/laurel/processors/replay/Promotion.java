package dev.laurel.processors.replay;

import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.stream.CatchUp;
import dev.laurel.processors.stream.KafkaTicks;
import dev.laurel.processors.stream.ScoresReach;
import dev.laurel.schemas.command.GenerationPromoted;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.AsIf;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The steps by which a generation comes into force, each of which can be repeated, and before the last of which nothing has
 * happened that anybody sees:
 * <ol>
 * <li>{@link #claim}: a number. A {@link Shadow} for promotion folds the log, and is closed when it has caught up.
 * <li>{@link #handToNodes}: they go on with what it has made, beside what is in force; {@link #markEnds}, {@link #awaitFollowed}.
 * <li>{@link #promote}: one transaction writes where in the log it comes into force. From there it tells, and no other.
 * </ol>
 * One thread.
 */
public final class Promotion {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Who was killed is a member for as long as {@link ShadowSettings} says. */
    private static final Duration UNUSED_PATIENCE = Duration.ofSeconds(90);

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_ATTEMPTS = 10;

    /** Id of who writes of all generations, and the beginning of the ids of those who write of one. */
    private static final String ALL = "laurel-generations";

    private final Map<String, Object> clientConfig;
    private final GenerationTable table;
    private final InstantSource clock;

    /**
     * @param table followed and caught up
     * @param clock gives the time of the markers
     */
    public Promotion(Map<String, Object> clientConfig, GenerationTable table, InstantSource clock) {
        this.clientConfig = clientConfig;
        this.table = table;
        this.clock = clock;
    }

    /**
     * Takes a number for a generation that is to be promoted.
     *
     * @param rules that hold for longer than they did
     * @throws IllegalStateException if another one is under way: it is gone on with, or given up, first
     */
    public GenerationRecord claim(List<AsIf> rules) throws InterruptedException {
        return claim(number -> GenerationRecord.claimed(new Generation(number, table.inForce().log()), rules, null));
    }

    /**
     * Likewise, for one that brings a wider log. The log is created, and nodes begin to copy the present one into it.
     *
     * @param partitions of the new log
     * @throws IllegalArgumentException if there cannot be so many
     * @throws IllegalStateException likewise, or if Kafka refuses
     */
    public GenerationRecord claimWider(List<AsIf> rules, int partitions) throws InterruptedException {
        return claim(number -> {
            Generation wider = Generation.wider(number);
            String former = table.inForce().log();
            new WideLog(clientConfig).create(former, wider, partitions);
            return GenerationRecord.claimed(wider, rules, former);
        });
    }

    /** What takes a number. */
    private interface Claim {

        GenerationRecord of(int number) throws InterruptedException;
    }

    /** One at a time, wherever they come from: who begins keeps those away that have begun before, and sees what they have done. */
    private GenerationRecord claim(Claim claim) throws InterruptedException {
        try {
            return alone(ALL, _ -> {
                expectNoneUnderWay();
                return claim.of(table.nextNumber());
            });
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw new IllegalStateException("another generation was begun at the same moment", e);
        }
    }

    private void expectNoneUnderWay() {
        table.all().values().stream().filter(record -> switch (record.state()) {
            case BUILDING, FOLLOWED, PROMOTED -> true;
            case IN_FORCE, OVER -> false;
        }).findAny().ifPresent(other -> {
            throw new IllegalStateException("generation " + other.number() + " is under way already");
        });
    }

    /**
     * The shadow is closed: nodes go on from where it has come to.
     *
     * @throws IllegalStateException if it was given up meanwhile
     */
    public GenerationRecord handToNodes(GenerationRecord built) throws InterruptedException {
        return change(built.number(), (_, known) -> {
            if (known.state() != State.BUILDING && known.state() != State.FOLLOWED) {
                throw new IllegalStateException(
                        "generation " + known.number() + " is " + known.state() + ": it was given up meanwhile");
            }
            return known.in(State.FOLLOWED);
        });
    }

    /**
     * Where nothing arrives the shadow has done all there is, and nodes could be taken to have followed that still restore what it has
     * made. So each partition gets a record that changes nothing, behind all it can have read: who has come to that one runs. Once,
     * before {@link #awaitFollowed}.
     */
    public void markEnds(GenerationRecord followed) throws InterruptedException {
        try (var log = new KafkaTicks(clientConfig, table.inForce().generation(), clock);
                var scores = new ScoresReach(clientConfig, followed.generation())) {
            var marks = new ArrayList<Future<?>>();
            CatchUp.Source unchanging = log.log(true);
            for (int partition = 0; partition < log.partitions(); partition++) {
                marks.add(unchanging.appendMark(partition).toCompletableFuture());
            }
            for (int partition = 0; partition < scores.partitions(); partition++) {
                marks.add(scores.appendMark(partition).toCompletableFuture());
            }
            for (Future<?> mark : marks) {
                await(mark);
            }
        }
    }

    /**
     * Waits until nodes have folded everything with it that is in the log now; then they show it as soon as it is in force.
     *
     * @return false if that took too long
     */
    public boolean awaitFollowed(GenerationRecord followed, Duration timeout) throws InterruptedException {
        try (var place = new GenerationPlace(clientConfig, followed.generation(), followed.copiedFrom(),
                PATIENCE)) {
            return place.await(timeout);
        }
    }

    /**
     * Puts it in force. The markers stand in the same order to those of rulesets in every partition, because who writes the
     * one keeps the writer of the other away meanwhile; that one tries again by itself. A generation that brings a wider log
     * is promoted by that, and in force when nodes have copied the markers, see {@link #finish}.
     *
     * @throws IllegalStateException if it is not followed by nodes, or Kafka refused: then nothing has changed
     */
    public GenerationRecord promote(GenerationRecord followed) throws InterruptedException {
        return change(followed.number(), (producer, known) -> {
            if (known == null || known.state() != State.FOLLOWED || known.number() < table.inForce().number()) {
                throw new IllegalStateException("generation " + followed.number() + " cannot be promoted: "
                        + (known == null ? "there is none" : "it is " + known.state()));
            }
            String former = table.inForce().log();
            List<Long> markers = mark(producer, former, known.number());
            return known.log().equals(former) ? known.inForce(markers) : known.promoted(markers);
        });
    }

    /** What becomes of a generation. */
    private interface Change {

        /**
         * @param known null if there is none
         * @return null: nothing
         * @throws IllegalStateException if that cannot be
         */
        GenerationRecord of(Producer<byte[], byte[]> producer, GenerationRecord known) throws InterruptedException;
    }

    /** One at a time, and none while rulesets are written. */
    private GenerationRecord change(int number, Change change) throws InterruptedException {
        return insist(RulesetWriter.TRANSACTIONAL_ID, number, change);
    }

    /** What anybody sees who looks: one after the other, and the first one counts. */
    private void note(int number, UnaryOperator<GenerationRecord> change) throws InterruptedException {
        insist(ALL + "-" + number, number, (_, known) -> {
            GenerationRecord changed = change.apply(known);
            return changed.equals(known) ? null : changed;
        });
    }

    /** Who comes second keeps the first one away, who tries again, and sees what the second has done. */
    private GenerationRecord insist(String id, int number, Change change) throws InterruptedException {
        for (int attempt = 1;; attempt++) {
            try {
                return alone(id, producer -> change.of(producer, table.find(number)));
            } catch (ProducerFencedException | InvalidProducerEpochException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new Unanswered("others wrote at the same moment, " + attempt + " times", e);
                }
            }
        }
    }

    private interface Step {

        /** @return null: nothing is written */
        GenerationRecord of(Producer<byte[], byte[]> producer) throws InterruptedException;
    }

    /**
     * One transaction of the one producer with this id, on what all before it have left.
     *
     * @throws ProducerFencedException if another one began meanwhile: nothing is written
     * @throws InvalidProducerEpochException likewise
     */
    private GenerationRecord alone(String id, Step step) throws InterruptedException {
        Producer<byte[], byte[]> producer = producer(id);
        try {
            producer.initTransactions();
            refresh();
            producer.beginTransaction();
            GenerationRecord changed = step.of(producer);
            if (changed != null) {
                send(producer, changed);
            }
            commit(producer);
            refresh();
            return changed;
        } finally {
            // Takes back what was not committed. One that was fenced meanwhile has nothing, and would try for half a minute.
            producer.close(CLOSE_TIMEOUT);
        }
    }

    /** A broker that is asked by the next one in the middle of it may fail, and does not say what has become of it. */
    private static void commit(Producer<byte[], byte[]> producer) {
        try {
            producer.commitTransaction();
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw e;
        } catch (KafkaException e) {
            throw new Unanswered("Kafka does not say whether it was written: " + e.getMessage(), e);
        }
    }

    /**
     * Says where in its own log the markers of a promoted generation stand, which puts it in force. Any node may, any number of
     * times, and the first one counts.
     */
    public void finish(GenerationRecord promoted, List<Long> markers) throws InterruptedException {
        note(promoted.number(), known -> known.state() == State.PROMOTED ? known.inForce(markers) : known);
    }

    /** Nothing is copied any more into the log that this generation has brought. Any number of times. */
    public void endCopying(int number) throws InterruptedException {
        note(number, GenerationRecord::notCopied);
    }

    /** Nobody runs it any more. Any number of times. */
    public void retire(int number) throws InterruptedException {
        note(number, known -> known.in(State.OVER));
    }

    /** @return the offsets of the markers, by partition */
    private List<Long> mark(Producer<byte[], byte[]> producer, String log, int number) throws InterruptedException {
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
            offsets.add(await(marked).offset());
        }
        return offsets;
    }

    /** Gives it up: nodes stop, and what it has made is deleted. One that is in force cannot be given up. */
    public void abandon(GenerationRecord record) throws InterruptedException {
        change(record.number(), (_, known) -> {
            if (known.hasBeenPromoted() || known.number() == Generation.FIRST.number()) {
                throw new IllegalStateException("generation " + known.number() + " has been in force");
            }
            return known.in(State.OVER);
        });
        try (var topics = new GenerationTopics(clientConfig, record.generation(), PATIENCE)) {
            topics.awaitUnused(UNUSED_PATIENCE);
            topics.delete();
        }
    }

    private static void send(Producer<byte[], byte[]> producer, GenerationRecord record) {
        var topic = Topics.GENERATIONS;
        producer.send(new ProducerRecord<>(topic.name(),
                topic.key().serializer().serialize(topic.name(), record.number()),
                topic.value().serializer().serialize(topic.name(), record)));
    }

    private Producer<byte[], byte[]> producer(String id) {
        var config = new HashMap<>(clientConfig);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static <T> T await(Future<T> sent) throws InterruptedException {
        try {
            return sent.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProducerFencedException
                    || e.getCause() instanceof InvalidProducerEpochException) {
                throw (ApiException) e.getCause();
            }
            throw new Unanswered("Kafka has not taken it: " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new Unanswered("Kafka has not taken it within " + PATIENCE.toSeconds() + " s", e);
        }
    }

    private void refresh() throws InterruptedException {
        if (!table.awaitNewest(PATIENCE)) {
            throw new Unanswered(
                    "could not read " + Topics.GENERATIONS.name() + " within " + PATIENCE.toSeconds() + " s",
                    null);
        }
    }
}
