package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.palantir.javaformat.java.Formatter;
import com.palantir.javaformat.java.FormatterException;
import com.palantir.javaformat.java.ImportOrderer;
import com.palantir.javaformat.java.JavaFormatterOptions;
import com.palantir.javaformat.java.JavaFormatterOptions.Style;
import com.palantir.javaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The format of Java files as a failing build. Each has the form that {@code mvn spotless:apply} gives it. The plugin itself cannot look in
 * each build: its formatter reads Java by the compiler of the JDK that Maven runs on, which may be older than Laurel's.
 */
final class FormatTest {

    private static final Formatter FORMATTER = Formatter.createFormatter(
            JavaFormatterOptions.builder().style(Style.PALANTIR).build());

    @Test
    void shouldFormatJava() {
        List<Path> files = ProjectFiles.ending(List.of(".java"));
        assertTrue(files.size() > 1_000, () -> "only " + files.size() + " files");

        List<String> unformatted = files.parallelStream()
                .filter(file -> !isFormatted(file))
                .map(ProjectFiles::nameOf)
                .toList();

        assertEquals(List.of(), unformatted, "'mvn spotless:apply' formats them");
    }

    private static boolean isFormatted(Path file) {
        try {
            String source = Files.readString(file);
            String imported =
                    ImportOrderer.reorderImports(RemoveUnusedImports.removeUnusedImports(source), Style.PALANTIR);
            return FORMATTER.formatSource(imported).equals(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (FormatterException e) {
            throw new AssertionError(file + " is not Java", e);
        }
    }
}
