package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.platform.suite.api.SelectClasses;

class SharedLaurelTest {

    private static final Path SOURCES = Path.of("src", "test", "java", "dev", "laurel", "deploy", "e2e");
    private static final Pattern EXCLUDED = Pattern.compile("<exclude>\\*\\*/(\\w+IT)\\.java</exclude>");

    @Test
    void shouldRunEveryClassThatSharesTheInstanceOnce() throws IOException {
        Set<String> sharing = new TreeSet<>();
        try (var files = Files.list(SOURCES)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                if (name.endsWith("IT.java") && Files.readString(file).contains("@ExtendWith(SharedLaurel.class)")) {
                    sharing.add(name.replace(".java", ""));
                }
            }
        }
        Set<String> run = Arrays.stream(
                        SharedLaurelIT.class.getAnnotation(SelectClasses.class).value())
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> excluded = EXCLUDED.matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(sharing, run, "classes of SharedLaurelIT");
        assertEquals(sharing, excluded, "excluded from the run of all classes");
    }
}
