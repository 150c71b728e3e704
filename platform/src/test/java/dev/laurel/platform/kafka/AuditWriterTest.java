package dev.laurel.platform.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.topic.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class AuditWriterTest {

    private static final AuditRecord RECORD = new AuditRecord(
            Instant.parse("2026-03-04T12:00:00Z"),
            new Author(Author.Type.KEY, "7", "CI"),
            null,
            "createTenants",
            Outcome.ACCEPTED,
            null,
            List.of(),
            1,
            null,
            "request-1");

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final Metrics metrics = new Metrics();
    private int connections;
    private long nowNs = 7;

    @AutoClose
    private final AuditWriter writer = new AuditWriter(
            () -> {
                connections++;
                return producer;
            },
            () -> nowNs,
            metrics.scope());

    private void expectCounts(int written, int failed) throws IOException {
        var out = new ByteArrayOutputStream();
        metrics.scrape(out);
        String text = out.toString(UTF_8);
        assertTrue(text.contains("\nlaurel_audit_written_total " + written + ".0\n"), text);
        assertTrue(text.contains("\nlaurel_audit_failed_total " + failed + ".0\n"), text);
    }

    @Test
    void shouldWriteRecordsAtTheirTimeAndConnectOnce() throws IOException {
        assertEquals(0, connections);
        writer.write(RECORD);
        writer.write(RECORD);

        assertEquals(1, connections);
        var sent = producer.history().getLast();
        assertEquals(RECORD.time().toEpochMilli(), sent.timestamp());
        assertEquals(RECORD, Topics.AUDIT.value().deserializer().deserialize(sent.topic(), sent.value()));
        expectCounts(2, 0);
    }

    @Test
    void shouldRefuseChangesForAWhileAfterAFailureAndThenTryOne() throws IOException {
        producer.sendException = new TimeoutException("expected by the test");
        writer.write(RECORD);
        expectCounts(0, 1);
        assertThrows(HttpRefusal.class, writer::expectWritable);

        nowNs += Duration.ofSeconds(5).toNanos();
        writer.expectWritable();
        assertThrows(HttpRefusal.class, writer::expectWritable, "only one finds out");
        producer.sendException = null;
        writer.write(RECORD);

        writer.expectWritable();
        writer.expectWritable();
        expectCounts(1, 1);
    }

    @Test
    void shouldCountARecordThatComesTooLate() {
        writer.close();

        writer.write(RECORD);

        assertThrows(HttpRefusal.class, writer::expectWritable);
        assertEquals(0, connections);
    }
}
