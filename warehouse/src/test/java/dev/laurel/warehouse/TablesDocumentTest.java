package dev.laurel.warehouse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The tables and columns in docs/warehouse.md are those of the code, and each has a sentence there. With {@code -Dlaurel.regenerate=true}
 * the document gets the columns that it lacks, without their sentences.
 */
class TablesDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "warehouse.md");

    /** A table with its sentence, or a column with its own. */
    private static final Pattern SENTENCE =
            Pattern.compile("(?m)^### (\\w+)\n\n(.+)$|^\\| `(\\w+)`[^|]*\\|[^|]*\\| *(.*?) *\\|$");

    private static final String BEGIN = "<!-- tables: the test TablesDocumentTest checks them -->\n";
    private static final String END = "<!-- end of tables -->\n";

    @Test
    void shouldDescribeAllColumns() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        int to = document.indexOf(END);
        String tables = tables(sentences(document.substring(from, to)));
        String expected = document.substring(0, from) + tables + document.substring(to);
        if (Boolean.getBoolean("laurel.regenerate")) {
            Files.writeString(DOCUMENT, expected);
        }

        assertEquals(expected, Files.readString(DOCUMENT));
        assertFalse(tables.contains("|  |"), "a column has no sentence");
    }

    private static String tables(Map<String, String> sentences) {
        var text = new StringBuilder("\n");
        for (Table table : Table.values()) {
            text.append("### ")
                    .append(table.tableName())
                    .append("\n\n")
                    .append(sentences.getOrDefault(table.tableName(), ""))
                    .append("\n\n| column | type | |\n| --- | --- | --- |\n");
            for (Column column : table.columns()) {
                text.append("| `")
                        .append(column.name())
                        .append('`')
                        .append(table.key().contains(column) ? ", key" : "")
                        .append(" | ")
                        .append(column.type().name().toLowerCase(Locale.ROOT))
                        .append(column.isNullable() ? ", may be null" : "")
                        .append(" | ")
                        .append(sentences.getOrDefault(table.tableName() + "." + column.name(), ""))
                        .append(" |\n");
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The sentences of tables by their names, and of columns by both names. */
    private static Map<String, String> sentences(String tables) {
        var sentences = new HashMap<String, String>();
        String table = "";
        Matcher found = SENTENCE.matcher(tables);
        while (found.find()) {
            if (found.group(1) == null) {
                sentences.put(table + "." + found.group(3), found.group(4));
            } else {
                table = found.group(1);
                sentences.put(table, found.group(2));
            }
        }
        return sentences;
    }
}
