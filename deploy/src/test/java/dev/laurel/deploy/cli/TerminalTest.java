package dev.laurel.deploy.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TerminalTest {

    private final StringWriter written = new StringWriter();
    private final PrintWriter terminal = new Terminal(new PrintWriter(written, true));

    @ParameterizedTest
    @CsvSource({"0,0009", "000a,0020", "007e,00a0", "061b,061d", "200d,2010", "2027,202f", "2065,206a"})
    void shouldShowEverythingBetween(String before, String after) {
        int first = Integer.parseInt(before, 16);
        int last = Integer.parseInt(after, 16);
        for (int c = first + (first == 0 ? 0 : 1); c < last; c++) {
            String shown = String.format("\\u%04x", c);
            assertEquals(shown, Terminal.visible(Character.toString(c)));
            written.getBuffer().setLength(0);
            terminal.print((char) c);
            terminal.print("" + (char) c);
            terminal.flush();
            assertEquals(shown + shown, written.toString());
        }
        if (first > 0x20) {
            assertEquals(Character.toString(first), Terminal.visible(Character.toString(first)));
            assertEquals(Character.toString(last), Terminal.visible(Character.toString(last)));
        }
    }

    @Test
    void shouldShowHalvesOfSurrogatePairsOnly() {
        assertEquals("😀\\ud83d", Terminal.visible("😀\ud83d"));
        assertEquals("\\ude00\\ud83dx", Terminal.visible("\ude00\ud83dx"));
    }

    @Test
    void shouldKeepWhatIsPrintedAsALineOnOneLine() {
        terminal.println("a\nlaurel: b\r\tc\u2028");
        terminal.println((Object) "d\ne");
        terminal.printf("%s is %s, %d%n", "f\ng", null, 1);
        terminal.format(Locale.ROOT, "%,d %-4s|%n", 1000, "\u001b");
        terminal.print("h\n\ti\n");
        terminal.flush();

        assertEquals(
                "a\\u000alaurel: b\\u000d\\u0009c\\u2028\nd\\u000ae\nf\\u000ag is null, 1\n1,000 \\u001b|\n"
                        + "h\n\ti\n",
                written.toString());
    }

    @Test
    void shouldKeepTheCellsOfATableInTheirRow() {
        assertEquals(
                "NAME                VALUE\n\\u001b[2J\\u000aEve      3\n",
                TextTable.under("NAME", " VALUE").row("\u001b[2J\nEve", "3").text());
    }

    @Test
    void shouldWriteDocumentsAsTheyAre() {
        Terminal.forDocument(terminal).print("a\r\n\u001b");

        assertTrue(ProgressReporter.isOnTerminal() || written.toString().equals("a\r\n\u001b"));
    }

    @Test
    void shouldPrintMessagesOfCommandsOnOneLine() {
        CommandRun run = CommandRun.of("import", "no\nsuch\u001b[2J", "--kafka", "127.0.0.1:1");
        CommandRun misused = CommandRun.of("no\nsuch\u001b");

        assertEquals(1, run.err().lines().count(), run.err());
        assertFalse(run.err().contains("\u001b"), run.err());
        assertTrue(
                misused.err().startsWith("laurel: Unmatched argument at index 0: 'no\\u000asuch\\u001b'\n"),
                misused.err());
    }
}
