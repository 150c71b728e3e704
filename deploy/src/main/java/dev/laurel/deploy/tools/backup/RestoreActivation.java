package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.cli.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.processors.generation.Generations;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.Topics;
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

    private final Map<String, Object> client;
    private final int newest;

    /** @param newest highest number in the backup, by which a second run recognises what the first has done */
    private RestoreActivation(Map<String, Object> client, int newest) {
        this.client = client;
        this.newest = newest;
    }

    static RestoreActivation of(KafkaAccess kafka, BackupFolder folder, Manifest manifest) {
        return new RestoreActivation(kafka.clientProperties(), KnownGenerations
                .of(folder, manifest.topics().get(Topics.GENERATIONS.name()).partitions().getFirst()).newest());
    }

    /** Returns the number of the generation in force. */
    int bringIntoForce() throws InterruptedException {
        try (var table = new GenerationTable(client, _ -> {})) {
            table.start();
            table.awaitCaughtUp(TIMEOUT);
            var promotion = new Generations(client, table, InstantSource.system());
            if (table.inForce().number() <= newest) {
                giveUpHalfway(table, promotion);
                GenerationRecord claimed = promotion.claim(table.inForce().rules());
                promotion.createTopics(claimed.generation());
                promotion.promote(promotion.handToNodes(claimed));
            }
            GenerationRecord inForce = awaitInForce(table);
            for (GenerationRecord record : table.all().values()) {
                if (record.number() != inForce.number()) {
                    promotion.retire(record.number());
                    promotion.endCopying(record.number());
                }
            }
            return inForce.number();
        } catch (IllegalStateException e) {
            throw new CommandFailed("everything is written, but not in force yet: " + e.getMessage()
                    + "; run the same command again", e);
        }
    }

    /** Retires generations that an interrupted run has left. */
    private static void giveUpHalfway(GenerationTable table, Generations promotion) throws InterruptedException {
        for (GenerationRecord record : table.all().values()) {
            if (record.state() != State.IN_FORCE && record.state() != State.OVER) {
                promotion.retire(record.number());
            }
        }
    }

    private GenerationRecord awaitInForce(GenerationTable table) throws InterruptedException {
        for (int attempt = 0; table.inForce().number() <= newest; attempt++) {
            if (attempt == ATTEMPTS) {
                throw new IllegalStateException("Kafka does not show the new generation");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
        }
        return table.inForce();
    }
}
