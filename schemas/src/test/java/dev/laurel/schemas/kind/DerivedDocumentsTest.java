package dev.laurel.schemas.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.ruleset.RulesetSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Compares the checked-in documents that are derived from kinds with what the kinds yield now. With
 * {@code -Dlaurel.regenerate=true}, rewrites the documents first.
 */
class DerivedDocumentsTest {

    private static final Path RESOURCES = Path.of("src/main/resources/dev/laurel/schemas");
    private static final String BEGIN = "    # Configured objects and settings. Derived from their kinds: see DerivedDocumentsTest.\n";
    private static final String PAYLOADS = "    # Payloads of webhooks. Derived from their records: see DerivedDocumentsTest.\n";
    private static final String WEBHOOKS = "  # Derived from the records of their payloads: see DerivedDocumentsTest.\n";
    private static final String END = "# End of what is derived.\n";
    private static final String COMMAND = "mvn -pl schemas test -Dtest=DerivedDocumentsTest -Dlaurel.regenerate=true";

    @Test
    void shouldMatchTheJsonSchemaOfTheRulesetFile() throws IOException {
        expect(RESOURCES.resolve("json/laurel-ruleset.schema.json"),
                DocumentText.json(FileSchema.of(RulesetSource.KIND, "Laurel ruleset")));
    }

    @Test
    void shouldMatchTheSchemasOfTheAdminApi() throws IOException {
        Path file = RESOURCES.resolve("openapi/admin-api.yaml");
        expect(file, with(Files.readString(file, UTF_8), BEGIN, AdminSchemas.all(), "    "));
    }

    @Test
    void shouldMatchTheWebhooksOfTheApplicationApi() throws IOException {
        Path file = RESOURCES.resolve("openapi/application-api.yaml");
        String text = with(Files.readString(file, UTF_8), WEBHOOKS, WebhookSchemas.webhooks(), "  ");
        expect(file, with(text, PAYLOADS, WebhookSchemas.payloads(), "    "));
    }

    /** Replaces what is between the mark of a derived part and its end. */
    private static String with(String document, String mark, Map<String, Object> derived, String indent) {
        int begin = document.indexOf(mark) + mark.length();
        int end = document.indexOf(indent + END, begin);
        assertTrue(document.contains(mark) && end >= begin, "the marks of what is derived are gone: " + mark);
        return document.substring(0, begin) + DocumentText.yaml(derived, indent) + document.substring(end);
    }

    private static void expect(Path file, String derived) throws IOException {
        if (Boolean.getBoolean("laurel.regenerate")) {
            Files.writeString(file, derived);
        }
        assertEquals(derived, Files.readString(file, UTF_8),
                file + " no longer says what the kinds say; regenerate it: " + COMMAND);
    }
}
