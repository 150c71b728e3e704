package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** One look at {@code laurel.generations}, for commands that follow nothing. */
public final class GenerationsLook {

    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private GenerationsLook() {}

    /**
     * Blocks for a moment.
     *
     * @param of takes what is wanted from the table, which has read everything that was there
     * @throws CommandFailed if the topic cannot be read; it must exist
     */
    public static <T> T at(KafkaAccess kafka, Function<GenerationTable, T> of) {
        var fault = new AtomicReference<Throwable>();
        try (var generations = new GenerationTable(kafka.clientProperties(), fault::set)) {
            generations.start();
            generations.awaitCaughtUp(PATIENCE);
            return of.apply(generations);
        } catch (IllegalStateException e) {
            Throwable cause = fault.get() == null ? e : fault.get();
            throw new CommandFailed("Kafka at " + kafka.bootstrapServers() + " does not tell which log is in force: "
                    + cause.getMessage(), cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while reading " + Topics.GENERATIONS.name(), e);
        }
    }
}
