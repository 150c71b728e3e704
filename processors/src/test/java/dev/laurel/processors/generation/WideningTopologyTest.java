package dev.laurel.processors.generation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.key.LogPosition;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.PositionHeader;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The copies of records. {@code WideningTest} covers their partitions, since the test driver has only one. */
class WideningTopologyTest {

    private static final String FIRST = "laurel.commands";
    private static final String SECOND = "laurel.commands-g2";
    private static final String THIRD = "laurel.commands-g5";
    private static final Instant LONG_AGO = Instant.parse("1999-03-04T10:00:00.123Z");
    private static final byte[] KEY = "ida".getBytes(UTF_8);
    private static final byte[] EVENT =
            "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"ida\"}}".getBytes(UTF_8);

    @AutoClose
    private TopologyTestDriver driver;

    @Test
    void shouldCopyRecordsUnchangedWithTheirOriginalPosition() {
        TestInputTopic<byte[], byte[]> log = copying(FIRST, SECOND);
        var headers = new RecordHeaders();
        headers.add("laurel-request-id", new byte[] {1, 2});
        headers.add("laurel-place", "a stranger's".getBytes(UTF_8));
        log.pipeInput(KEY, "no command".getBytes(UTF_8), LONG_AGO);
        log.pipeInput(new TestRecord<>(KEY, EVENT, headers, LONG_AGO));

        List<TestRecord<byte[], byte[]>> copies = copies(SECOND);

        assertEquals(2, copies.size());
        TestRecord<byte[], byte[]> copy = copies.getLast();
        assertArrayEquals(KEY, copy.key());
        assertArrayEquals(EVENT, copy.value());
        assertEquals(LONG_AGO, copy.getRecordTime());
        assertEquals(2, copy.headers().toArray().length);
        assertArrayEquals(
                new byte[] {1, 2},
                copy.headers().lastHeader("laurel-request-id").value());
        assertEquals(new LogPosition(1, 0, 1), PositionHeader.read(copy.headers()));
        assertEquals(
                new LogPosition(1, 0, 0), PositionHeader.read(copies.getFirst().headers()));
    }

    @Test
    void shouldKeepTheOriginalPositionInACopyOfACopy() {
        TestInputTopic<byte[], byte[]> log = copying(SECOND, THIRD);
        var headers = new RecordHeaders();
        PositionHeader.write(headers, new LogPosition(1, 3, 77));
        log.pipeInput(new TestRecord<>(KEY, EVENT, headers, LONG_AGO));
        log.pipeInput(KEY, EVENT, LONG_AGO);

        List<TestRecord<byte[], byte[]>> copies = copies(THIRD);

        assertEquals(
                new LogPosition(1, 3, 77), PositionHeader.read(copies.getFirst().headers()));
        assertEquals(
                new LogPosition(2, 0, 1), PositionHeader.read(copies.getLast().headers()));
    }

    @Test
    void shouldCopyMarkersAndRecordsWithoutValue() {
        TestInputTopic<byte[], byte[]> log = copying(FIRST, SECOND);
        log.pipeInput(KEY, null, LONG_AGO);
        log.pipeInput(null, CommandJson.write(new Tick()), LONG_AGO);

        List<TestRecord<byte[], byte[]>> copies = copies(SECOND);

        assertNull(copies.getFirst().value());
        // One copy for each of the two partitions that come from this one.
        assertEquals(3, copies.size());
        assertArrayEquals(copies.get(1).value(), copies.get(2).value());
    }

    private TestInputTopic<byte[], byte[]> copying(String from, String to) {
        var config = new Properties();
        config.put(StreamsConfig.APPLICATION_ID_CONFIG, "copying");
        driver = new TopologyTestDriver(new Widening(1, 2).topology(from, to), config, Instant.EPOCH);
        return driver.createInputTopic(from, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private List<TestRecord<byte[], byte[]>> copies(String log) {
        TestOutputTopic<byte[], byte[]> copies =
                driver.createOutputTopic(log, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        return copies.readRecordsToList();
    }
}
