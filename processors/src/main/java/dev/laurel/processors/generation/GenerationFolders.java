package dev.laurel.processors.generation;

import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state folders of generations on this node, one for each application. Removes the folders of generations that are over, which
 * never come into force again. The caller must have closed their stores.
 */
record GenerationFolders(Path stateDir) {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationFolders.class);

    /** Removes folders that earlier processes of this node have left. */
    void removeOver(Collection<GenerationRecord> known) {
        known.stream()
                .filter(record -> record.state() == State.OVER)
                .map(GenerationRecord::generation)
                .forEach(this::remove);
    }

    /** Removes the folders of a generation. If that fails, which is no reason to stop, the next start tries again. */
    void remove(Generation over) {
        for (String application : List.of(over.ledgerApplication(), over.boardsApplication())) {
            Path folder = stateDir.resolve(application);
            if (Files.exists(folder)) {
                try {
                    LocalFiles.delete(folder);
                    LOG.info("Removed {}: generation {} is over", folder, over.number());
                } catch (IOException e) {
                    LOG.warn(
                            "Could not remove {} of generation {}, which is over; the next start tries again: {}",
                            folder,
                            over.number(),
                            e.toString());
                }
            }
        }
    }
}
