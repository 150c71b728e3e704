package dev.laurel.warehouse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The columns in docs/warehouse.md are those of the tables. With {@code -Dlaurel.regenerate=true} the document is written. */
class TablesDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "warehouse.md");
    private static final String BEGIN = "<!-- tables: written by TablesDocumentTest -->\n";
    private static final String END = "<!-- end of tables -->\n";

    @Test
    void shouldDescribeAllColumns() throws IOException {
        String document = Files.readString(DOCUMENT);
        int from = document.indexOf(BEGIN) + BEGIN.length();
        String expected = document.substring(0, from) + tables() + document.substring(document.indexOf(END));
        if (Boolean.getBoolean("laurel.regenerate")) {
            Files.writeString(DOCUMENT, expected);
        }
        assertEquals(expected, Files.readString(DOCUMENT));
    }

    private static String tables() {
        var text = new StringBuilder("\n");
        for (Table table : Table.values()) {
            text.append("### ").append(table.tableName()).append("\n\n").append(table.about())
                    .append("\n\n| column | type | |\n| --- | --- | --- |\n");
            for (Column column : table.columns()) {
                text.append("| `").append(column.name()).append('`').append(table.key().contains(column) ? ", key" : "")
                        .append(" | ").append(column.type().name().toLowerCase(Locale.ROOT))
                        .append(column.isNullable() ? ", may be null" : "").append(" | ").append(column.about())
                        .append(" |\n");
            }
            text.append('\n');
        }
        return text.toString();
    }
}
