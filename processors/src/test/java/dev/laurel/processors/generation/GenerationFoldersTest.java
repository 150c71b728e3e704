package dev.laurel.processors.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GenerationFoldersTest {

    @TempDir
    private Path state;

    @Test
    void shouldRemoveOnlyFoldersOfGenerationsThatAreOver() throws IOException {
        for (String name : List.of(
                "laurel-ledger",
                "laurel-boards",
                "laurel-ledger-g2",
                "laurel-boards-g2",
                "laurel-ledger-g3",
                "laurel-delivery")) {
            Files.writeString(
                    Files.createDirectories(state.resolve(name).resolve("0_1")).resolve("store"), "bytes");
        }

        new GenerationFolders(state)
                .removeOver(List.of(
                        GenerationRecord.FIRST.in(State.OVER),
                        record(2, State.IN_FORCE),
                        record(3, State.OVER),
                        record(4, State.OVER)));

        try (Stream<Path> left = Files.list(state)) {
            assertEquals(
                    Set.of("laurel-ledger-g2", "laurel-boards-g2", "laurel-delivery"),
                    left.map(path -> path.getFileName().toString()).collect(Collectors.toSet()));
        }
    }

    private static GenerationRecord record(int number, State state) {
        return GenerationRecord.claimed(Generation.of(number), List.of(), null).in(state);
    }
}
