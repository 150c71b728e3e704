package dev.laurel.processors;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where this node keeps the state of generations: a folder for each application. That of one which is over is removed, since it
 * never comes into force again. Who calls this has closed its stores.
 */
record GenerationFolders(Path stateDir) {

    private static final Logger LOG = LoggerFactory.getLogger(GenerationFolders.class);

    /** At the start: what another life of this node has left. */
    void removeOver(Collection<GenerationRecord> known) {
        known.stream().filter(record -> record.state() == State.OVER).map(GenerationRecord::generation)
                .forEach(this::remove);
    }

    /** What cannot be removed now is tried again at the next start: a full or slow disk is no reason to stop. */
    void remove(Generation over) {
        for (String application : List.of(over.ledgerApplication(), over.boardsApplication())) {
            Path folder = stateDir.resolve(application);
            if (Files.exists(folder)) {
                try {
                    remove(folder);
                    LOG.info("removed {}: generation {} is over", folder, over.number());
                } catch (IOException e) {
                    LOG.warn("cannot remove {} of generation {}, which is over; the next start tries again: {}", folder,
                            over.number(), e.toString());
                }
            }
        }
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
