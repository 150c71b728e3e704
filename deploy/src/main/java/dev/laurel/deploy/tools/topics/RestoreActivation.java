package dev.laurel.deploy.tools.topics;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.generation.Generations;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes a restored log that of a new generation, which comes into force at the end of the log: nodes fold the whole
 * log and send nothing, because the instance that was backed up has already sent everything. Webhooks, messages and
 * effects begin with the records after it. Each step can be repeated.
 */
final class RestoreActivation {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    private static final long POLL_INTERVAL_MS = 100;

    private RestoreActivation() {}

    /**
     * Returns the number of the generation in force.
     *
     * @param newest highest number in the backup, by which a second run recognizes what the first has done
     */
    static int putInForce(Map<String, Object> client, int newest) throws InterruptedException {
        try (var table = new GenerationTable(client, _ -> {})) {
            table.start();
            table.awaitCaughtUp(TIMEOUT);
            var generations = new Generations(client, table, InstantSource.system());
            if (table.inForce().number() <= newest) {
                retireUnfinished(table, generations);
                GenerationRecord claimed = generations.claim(table.inForce().rules());
                generations.createTopics(claimed.generation());
                generations.promote(generations.handToNodes(claimed));
            }
            GenerationRecord inForce = awaitInForce(table, newest);
            for (GenerationRecord record : table.all().values()) {
                if (record.number() != inForce.number()) {
                    generations.retire(record.number());
                    generations.endCopying(record.number());
                }
            }
            return inForce.number();
        } catch (IllegalStateException e) {
            throw new CommandFailed("all records are written, but not in force yet: " + e.getMessage()
                    + "; run the same command again", e);
        }
    }

    /** Retires generations that an interrupted run has left. */
    private static void retireUnfinished(GenerationTable table, Generations generations) throws InterruptedException {
        for (GenerationRecord record : table.all().values()) {
            if (record.state().isUnderWay()) {
                generations.retire(record.number());
            }
        }
    }

    private static GenerationRecord awaitInForce(GenerationTable table, int newest) throws InterruptedException {
        for (int attempt = 0; table.inForce().number() <= newest; attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException("Kafka does not show the new generation");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
        }
        return table.inForce();
    }
}
