package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how log4j2.xml formats exceptions. */
final class LogLinesTest {

    private static final Throwable REFUSED = new IllegalStateException(
            "the fold has failed",
            new UncheckedIOException("in partition 3", new java.io.IOException("disk full\nof state")));

    private static String line(String appender, Throwable thrown) {
        return line(appender, "the replay stops", thrown);
    }

    private static String line(String appender, String message, Throwable thrown) {
        var configuration = ((LoggerContext) LogManager.getContext(false)).getConfiguration();
        var event = Log4jLogEvent.newBuilder()
                .setLevel(Level.ERROR)
                .setLoggerName("dev.laurel.deploy.Replay")
                .setMessage(new SimpleMessage(message))
                .setThrown(thrown)
                .build();
        return configuration
                .<org.apache.logging.log4j.core.Appender>getAppender(appender)
                .getLayout()
                .toSerializable(event)
                .toString();
    }

    /** Kafka Streams wraps exceptions in one whose own message says nothing. */
    @Test
    void shouldPrintTheCauseOfAnExceptionOnOneLine() {
        String line = line("plain", REFUSED);

        assertTrue(
                line.endsWith(" ERROR Replay: the replay stops: java.lang.IllegalStateException: the fold has failed; "
                        + "Caused by: java.io.UncheckedIOException: in partition 3; "
                        + "Caused by: java.io.IOException: disk full; of state\n"),
                line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "stacks"})
    void shouldNotLetTextsPretendLines(String appender) {
        String line = line(appender, "a\r\n2026-03-04 ERROR b\u001b[2J\u202e\u2028c\u0085", null);

        assertEquals(" ERROR Replay: a\\r\\n2026-03-04 ERROR b?[2J??c?\n", line.substring(line.indexOf(' ')));
        assertFalse(line(appender, "x", new IllegalStateException("\u001b[2J\u0007"))
                .contains("\u001b"));
    }

    @Test
    void shouldPrintStackTracesOnRequest() {
        List<String> lines = line("stacks", REFUSED).lines().toList();

        assertTrue(
                lines.get(0).endsWith(" the replay stops: java.lang.IllegalStateException: the fold has failed"),
                lines.get(0));
        assertTrue(lines.stream().anyMatch(line -> line.startsWith("\tat " + LogLinesTest.class.getName())));
    }

    @Test
    void shouldEndWithTheMessageWithoutAnException() {
        for (String appender : List.of("plain", "stacks")) {
            String line = line(appender, null);
            assertEquals(" ERROR Replay: the replay stops\n", line.substring(line.indexOf(' ')), appender);
        }
    }
}
