package dev.laurel.query.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.StringReader;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CsvTableTest {

    private static final String FORMULAS = "=+-@\t\r\n＝＋－＠";

    private static String written(Object... cells) throws IOException {
        var text = new StringBuilder();
        try (var table = new CsvTable(text)) {
            table.add(Arrays.asList(cells));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=HYPERLINK(\"http://x.test\",\"win\")",
                "+358",
                "-1",
                "@SUM(A1)",
                "\tx",
                "\rx",
                "\nx",
                "＝1",
                "＋1",
                "－1",
                "＠x",
                "'=1",
                "''-1",
                "'x",
                "",
                "Ann, of \"course\"\r\n=1",
                "plain",
                "a=b",
                " =1"
            })
    void shouldWriteNoFormulaAndLetEachTextBeReadBack(String text) throws IOException {
        String csv = written("key", text);

        String cell = CSVFormat.RFC4180
                .parse(new StringReader(csv))
                .getRecords()
                .getFirst()
                .get(1);
        assertFalse(!cell.isEmpty() && FORMULAS.indexOf(cell.charAt(0)) >= 0, csv);
        assertEquals(text, cell.replaceFirst("^'('*[" + FORMULAS + "])", "$1"));
    }

    @Test
    void shouldWriteNumbersAsNumbers() throws IOException {
        assertEquals(
                "-5,-0.25,1000000,-7,,2026-03-04,'-5\r\n",
                written(
                        -5,
                        new BigDecimal("-0.25"),
                        new BigDecimal("1E6"),
                        -7L,
                        null,
                        LocalDate.parse("2026-03-04"),
                        "-5"));
    }

    @Test
    void shouldTreatHeadersAsTexts() throws IOException {
        var text = new StringBuilder();
        new CsvTable(text).add(List.of("=plan"));
        assertEquals("'=plan\r\n", text.toString());
    }
}
