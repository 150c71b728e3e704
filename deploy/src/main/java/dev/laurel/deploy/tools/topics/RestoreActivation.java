package dev.laurel.deploy.tools.topics;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.processors.generation.Condition;
import dev.laurel.processors.generation.Generations;
import dev.laurel.schemas.topic.GenerationRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * Makes a restored log that of a new generation, which comes into force at the end of the log: nodes fold the whole
 * log and send nothing, because the instance that was backed up has already sent everything. Webhooks, messages and
 * effects begin with the records after it. Each step can be repeated.
 */
final class RestoreActivation {

    private static final Duration SHOWN_TIMEOUT = Duration.ofSeconds(10);
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
                for (GenerationRecord record : table.all().values()) {
                    if (record.state().isUnderWay()) {
                        generations.retire(record.number());
                    }
                }
                GenerationRecord claimed = generations.claim(table.inForce().rules());
                generations.createTopics(claimed.generation());
                generations.promote(generations.handToNodes(claimed));
            }
            if (!Condition.await(
                    SHOWN_TIMEOUT, POLL_INTERVAL_MS, () -> table.inForce().number() > newest)) {
                throw new IllegalStateException("Kafka does not show the new generation");
            }
            GenerationRecord inForce = table.inForce();
            for (GenerationRecord record : table.all().values()) {
                if (record.number() != inForce.number()) {
                    generations.retire(record.number());
                    generations.endCopying(record.number());
                }
            }
            return inForce.number();
        } catch (IllegalStateException | CommandFailed e) {
            throw new CommandFailed(
                    "all records are written, but not in force yet: " + e.getMessage() + "; run the same command again",
                    e);
        }
    }
}
