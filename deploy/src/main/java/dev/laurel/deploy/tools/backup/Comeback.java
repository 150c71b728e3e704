package dev.laurel.deploy.tools.backup;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.processors.replay.GenerationTopics;
import dev.laurel.processors.replay.Promotion;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.KafkaAccess;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Makes a restored log that of a new generation, which comes into force where the log ends: nodes fold all of it and tell nothing,
 * since everything up to there was told by the instance that the backup was made of. Webhooks, messages and effects begin with what
 * arrives from now on. Each step can be repeated.
 */
final class Comeback {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int ATTEMPTS = 100;
    private static final long LOOK_AGAIN_MS = 100;

    private final Map<String, Object> client;
    private final int newest;

    /** @param newest the highest number that the backup knows, so that a second run sees what the first has done */
    private Comeback(Map<String, Object> client, int newest) {
        this.client = client;
        this.newest = newest;
    }

    static Comeback of(KafkaAccess kafka, BackupFolder folder, Manifest manifest) {
        return new Comeback(kafka.clientProperties(), KnownGenerations
                .of(folder, manifest.topics().get(Topics.GENERATIONS.name()).partitions().getFirst()).newest());
    }

    /** @return the number of the generation */
    int bringIntoForce() throws InterruptedException {
        try (var table = new GenerationTable(client, _ -> {})) {
            table.start();
            table.awaitCaughtUp(PATIENCE);
            var promotion = new Promotion(client, table, InstantSource.system());
            if (table.inForce().number() <= newest) {
                giveUpHalfway(table, promotion);
                GenerationRecord claimed = promotion.claim(table.inForce().rules());
                try (var topics = new GenerationTopics(client, claimed.generation(), PATIENCE)) {
                    topics.create();
                }
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

    /** A run before this one may have come no further. */
    private static void giveUpHalfway(GenerationTable table, Promotion promotion) throws InterruptedException {
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
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
        return table.inForce();
    }
}
