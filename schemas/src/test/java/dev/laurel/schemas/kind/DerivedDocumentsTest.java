package dev.laurel.schemas.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.RulesetSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Compares the checked-in documents that are derived from kinds with what the kinds yield now. With
 * {@code -Dlaurel.regenerate=true}, rewrites the documents first.
 */
class DerivedDocumentsTest {

    private static final Path RESOURCES = Path.of("src/main/resources/dev/laurel/schemas");
    private static final String BEGIN = "    # Configured objects and settings. Derived from their kinds: see DerivedDocumentsTest.\n";
    private static final String END = "    # End of what is derived.\n";
    private static final String COMMAND = "mvn -pl schemas test -Dtest=DerivedDocumentsTest -Dlaurel.regenerate=true";

    @Test
    void shouldMatchTheJsonSchemaOfTheRulesetFile() throws IOException {
        expect(RESOURCES.resolve("json/laurel-ruleset.schema.json"),
                DocumentText.json(FileSchema.of(RulesetSource.KIND, "Laurel ruleset")));
    }

    @Test
    void shouldMatchTheSchemasOfTheAdminApi() throws IOException {
        Path file = RESOURCES.resolve("openapi/admin-api.yaml");
        String text = Files.readString(file, UTF_8);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        assertTrue(begin >= 0 && end > begin, "the marks of what is derived are gone from " + file);
        expect(file, text.substring(0, begin) + BEGIN + DocumentText.yaml(AdminSchemas.all(), "    ")
                + text.substring(end));
    }

    private static void expect(Path file, String derived) throws IOException {
        if (Boolean.getBoolean("laurel.regenerate")) {
            Files.writeString(file, derived);
        }
        assertEquals(derived, Files.readString(file, UTF_8),
                file + " no longer says what the kinds say; regenerate it: " + COMMAND);
    }
}
