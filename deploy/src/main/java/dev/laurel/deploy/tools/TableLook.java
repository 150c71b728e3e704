package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.AccessTable;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One look at a small topic, for commands that follow nothing. Blocks for a moment; the topic must exist.
 *
 * <p>All fail with {@link CommandFailed} if the topic cannot be read.
 */
public final class TableLook {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private TableLook() {}

    /** @param of takes what is wanted from the table, which has read everything that was there */
    public static <T> T atGenerations(KafkaAccess kafka, Function<GenerationTable, T> of) {
        return look(kafka, Topics.GENERATIONS.name(), onFault -> {
            try (var generations = new GenerationTable(kafka.clientProperties(), onFault)) {
                generations.start();
                generations.awaitCaughtUp(PATIENCE);
                return of.apply(generations);
            }
        });
    }

    /** @param of likewise */
    public static <T> T atAccess(KafkaAccess kafka, Function<AccessTable, T> of) {
        return look(kafka, Topics.ACCESS.name(), onFault -> {
            try (var access = new AccessTable(kafka.clientProperties(), onFault)) {
                access.start();
                access.awaitCaughtUp(PATIENCE);
                return of.apply(access);
            }
        });
    }

    private interface Reading<T> {

        T by(Consumer<Throwable> onFault) throws InterruptedException;
    }

    private static <T> T look(KafkaAccess kafka, String topic, Reading<T> reading) {
        var fault = new AtomicReference<Throwable>();
        try {
            return reading.by(fault::set);
        } catch (IllegalStateException e) {
            Throwable cause = fault.get() == null ? e : fault.get();
            throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " does not let " + topic + " be read: "
                    + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while reading " + topic, e);
        }
    }
}
