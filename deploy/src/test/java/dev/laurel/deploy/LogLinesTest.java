package dev.laurel.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.UncheckedIOException;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** Tests how log4j2.xml formats exceptions. */
final class LogLinesTest {

    private static final Throwable REFUSED = new IllegalStateException("the fold has failed",
            new UncheckedIOException("in partition 3", new java.io.IOException("disk full\nof state")));

    private static String line(String appender, Throwable thrown) {
        var configuration = ((LoggerContext) LogManager.getContext(false)).getConfiguration();
        var event = Log4jLogEvent.newBuilder().setLevel(Level.ERROR).setLoggerName("dev.laurel.deploy.Replay")
                .setMessage(new SimpleMessage("the replay stops")).setThrown(thrown).build();
        return configuration.<org.apache.logging.log4j.core.Appender>getAppender(appender).getLayout()
                .toSerializable(event).toString();
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

    @Test
    void shouldPrintStackTracesOnRequest() {
        List<String> lines = line("stacks", REFUSED).lines().toList();

        assertTrue(lines.get(0).endsWith(" the replay stops: java.lang.IllegalStateException: the fold has failed"),
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
