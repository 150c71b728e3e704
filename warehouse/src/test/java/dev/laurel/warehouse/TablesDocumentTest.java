package dev.laurel.warehouse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The columns in docs/warehouse.md are those of the tables. With {@code -Dlaurel.regenerate=true} the document is written. */
class TablesDocumentTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "warehouse.md");
    private static final Path SOURCE = Path.of("src", "main", "java", "dev", "laurel", "warehouse", "Table.java");
    private static final Pattern CODE = Pattern.compile("^    [A-Z]+\\(\"(\\w+)\"|\\b(?:of|nullable)\\(\"(\\w+)\"");
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

    private static String tables() throws IOException {
        Map<String, String> sentences = sentences();
        var text = new StringBuilder("\n");
        for (Table table : Table.values()) {
            text.append("### ").append(table.tableName()).append("\n\n").append(sentences.get(table.tableName()))
                    .append("\n\n| column | type | |\n| --- | --- | --- |\n");
            for (Column column : table.columns()) {
                text.append("| `").append(column.name()).append('`').append(table.key().contains(column) ? ", key" : "")
                        .append(" | ").append(column.type().name().toLowerCase(Locale.ROOT))
                        .append(column.isNullable() ? ", may be null" : "").append(" | ")
                        .append(sentences.getOrDefault(table.tableName() + "." + column.name(),
                                sentences.get(column.name())))
                        .append(" |\n");
            }
            text.append('\n');
        }
        return text.toString();
    }

    /** The comments in front of tables, by their names, and of columns: {@code users.name}, or {@code tenant} of those of several tables. */
    private static Map<String, String> sentences() throws IOException {
        var sentences = new HashMap<String, String>();
        String table = "";
        String comment = "";
        for (String line : Files.readAllLines(SOURCE)) {
            Matcher code = CODE.matcher(line);
            if (line.strip().startsWith("// ")) {
                comment += (comment.isEmpty() ? "" : " ") + line.strip().substring("// ".length());
            } else if (!comment.isEmpty() && code.find()) {
                boolean isTable = code.group(1) != null;
                String name = isTable ? code.group(1) : code.group(2);
                sentences.put(isTable || table.isEmpty() ? name : table + "." + name, comment);
                table = isTable ? name : table;
                comment = "";
            } else if (line.isBlank()) {
                table = "";
            }
        }
        return sentences;
    }
}
