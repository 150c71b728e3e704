package dev.laurel.processors.generation;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;

/**
 * Writes {@code laurel.generations}, one change at a time across all processes. Each change is a transaction under an id that all
 * writers of such changes share: a writer that begins fences the one before it, which tries again and sees what the other has
 * written. One thread.
 *
 * @param table followed and caught up
 */
record GenerationWriter(Map<String, Object> clientConfig, GenerationTable table) {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_ATTEMPTS = 10;

    /** Transactional id of the writer of all generations, and prefix of the ids of the writers of one. */
    private static final String ALL = "laurel-generations";

    /** Makes the next record of a generation in a transaction, to which it may add records. */
    interface Change {

        /** @throws IllegalStateException if the change is not possible */
        GenerationRecord apply(Producer<byte[], byte[]> producer, GenerationRecord known) throws InterruptedException;
    }

    /** Makes a record in a transaction. */
    interface Step {

        GenerationRecord run(Producer<byte[], byte[]> producer) throws InterruptedException;
    }

    /** Writes a new generation. @throws IllegalStateException if another process writes one at the same moment */
    GenerationRecord claim(Step claim) throws InterruptedException {
        try {
            return write(ALL, claim);
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw new IllegalStateException("another process claimed a generation at the same moment", e);
        }
    }

    /** Changes a generation while no ruleset is written. */
    GenerationRecord change(int number, Change change) throws InterruptedException {
        return retry(RulesetWriter.TRANSACTIONAL_ID, number, change);
    }

    /** Applies a change that several processes may make, any number of times; the first one counts. */
    void note(int number, UnaryOperator<GenerationRecord> change) throws InterruptedException {
        retry(ALL + "-" + number, number, (_, known) -> change.apply(known));
    }

    private GenerationRecord retry(String id, int number, Change change) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return write(id, producer -> change.apply(producer, table.get(number)));
            } catch (ProducerFencedException | InvalidProducerEpochException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new KafkaUnavailableException(
                            "other processes wrote at the same moment " + attempt + " times", e);
                }
            }
        }
    }

    /**
     * Runs one transaction of the only producer with this id, after everything that earlier ones have written is known. Writes the
     * record if it differs from the known one.
     *
     * @throws ProducerFencedException if another producer began meanwhile: nothing is written
     * @throws InvalidProducerEpochException in the same case
     */
    private GenerationRecord write(String id, Step step) throws InterruptedException {
        Producer<byte[], byte[]> producer = KafkaClients.producer(
                clientConfig,
                Map.of(
                        ProducerConfig.ACKS_CONFIG,
                        "all",
                        ProducerConfig.LINGER_MS_CONFIG,
                        0,
                        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
                        id));
        try {
            producer.initTransactions();
            refresh();
            producer.beginTransaction();
            GenerationRecord changed = step.run(producer);
            if (!changed.equals(table.find(changed.number()))) {
                send(producer, changed);
            }
            commit(producer);
            refresh();
            return changed;
        } finally {
            // Aborts what was not committed. A fenced producer has nothing to abort, and would try for half a minute.
            producer.close(CLOSE_TIMEOUT);
        }
    }

    /** Commits. If the next producer interrupts the commit, its outcome may remain unknown. */
    private static void commit(Producer<byte[], byte[]> producer) {
        try {
            producer.commitTransaction();
        } catch (ProducerFencedException | InvalidProducerEpochException e) {
            throw e;
        } catch (KafkaException e) {
            throw new KafkaUnavailableException("the outcome of the commit is unknown: " + e.getMessage(), e);
        }
    }

    /** Adds a record to the transaction of a producer. */
    static void send(Producer<byte[], byte[]> producer, GenerationRecord record) {
        var topic = Topics.GENERATIONS;
        producer.send(new ProducerRecord<>(topic.name(), topic.keyBytes(record.number()), topic.valueBytes(record)));
    }

    /** Waits for the result of a send. If another producer has fenced this one, throws the exception of the producer. */
    static <T> T await(Future<T> sent) throws InterruptedException {
        try {
            return sent.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ProducerFencedException
                    || e.getCause() instanceof InvalidProducerEpochException) {
                throw (ApiException) e.getCause();
            }
            throw KafkaUnavailableException.of("Kafka did not store a record", e);
        } catch (TimeoutException e) {
            throw new KafkaUnavailableException("Kafka did not store a record within " + TIMEOUT.toSeconds() + " s", e);
        }
    }

    private void refresh() throws InterruptedException {
        if (!table.awaitNewest(TIMEOUT)) {
            throw new KafkaUnavailableException(
                    "could not read " + Topics.GENERATIONS.name() + " within " + TIMEOUT.toSeconds() + " s");
        }
    }
}
