package dev.laurel.query.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.kafka.TopicPages;
import dev.laurel.platform.kafka.TopicPages.Found;
import dev.laurel.platform.kafka.TopicPages.Page;
import dev.laurel.query.read.AuditReads.Filter;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class AuditReadsTest {

    private static final Instant START = Instant.parse("2026-03-04T12:00:00Z");
    private static final TenantId ACME = new TenantId("acme");
    private static final int FETCHED = 300;

    /** The records of the topic, by their offsets; the first may be deleted. */
    private final List<AuditRecord> log = new ArrayList<>();

    private long first;
    private long fetched;
    private int open;

    private final AuditReads reads = new AuditReads(this::connect);

    /** A consumer of the list, with what the reads use. */
    @SuppressWarnings("unchecked")
    private Consumer<byte[], byte[]> connect() {
        open++;
        var partition = new TopicPartition(Topics.AUDIT.name(), 0);
        long[] position = {0};
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Consumer.class},
                (_, method, arguments) -> switch (method.getName()) {
                    case "assign" -> {
                        assertEquals(List.of(partition), List.copyOf((Collection<?>) arguments[0]));
                        yield null;
                    }
                    case "beginningOffsets" -> Map.of(partition, first);
                    case "endOffsets" -> Map.of(partition, (long) log.size());
                    case "offsetsForTimes" -> {
                        long ms = ((Map<?, Long>) arguments[0]).get(partition);
                        var times = new HashMap<TopicPartition, OffsetAndTimestamp>();
                        times.put(
                                partition,
                                LongStream.range(first, log.size())
                                        .filter(offset ->
                                                log.get((int) offset).time().toEpochMilli() >= ms)
                                        .mapToObj(offset -> new OffsetAndTimestamp(offset, ms))
                                        .findFirst()
                                        .orElse(null));
                        yield times;
                    }
                    case "seek" -> {
                        position[0] = Math.max(first, (Long) arguments[1]);
                        yield null;
                    }
                    case "position" -> position[0];
                    case "poll" -> {
                        long end = Math.min(log.size(), position[0] + FETCHED);
                        var records = LongStream.range(position[0], end)
                                .mapToObj(offset -> new ConsumerRecord<byte[], byte[]>(
                                        partition.topic(),
                                        0,
                                        offset,
                                        null,
                                        Topics.AUDIT.value().serializer().serialize(partition.topic(), log.get((int)
                                                offset))))
                                .toList();
                        fetched += records.size();
                        position[0] = end;
                        yield new ConsumerRecords<>(Map.of(partition, records), Map.of());
                    }
                    case "close" -> {
                        open--;
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    /** Adds a record of the minute with this number. */
    private void add(int minute, String operation, TenantId tenant, Outcome outcome, ChangedObject... objects) {
        log.add(new AuditRecord(
                START.plusSeconds(60L * minute),
                new Author(Author.Type.KEY, "key-" + minute % 2, "CI"),
                tenant,
                operation,
                outcome,
                null,
                List.of(objects),
                objects.length,
                null,
                "request-" + minute));
    }

    private void addMany(int count) {
        IntStream.range(0, count).forEach(i -> add(i, "updateMetrics", null, Outcome.ACCEPTED));
    }

    private static List<Long> offsets(Page<AuditRecord> page) {
        return page.records().stream().map(Found::offset).toList();
    }

    private static Filter between(Instant from, Instant to) {
        return new Filter(from, to, null, null, null, null, null);
    }

    @Test
    void shouldShowTheNewestFirstPageByPage() {
        assertEquals(new Page<AuditRecord>(List.of(), null), reads.page(Filter.ALL, null, 10));
        addMany(2_500);

        var seen = new ArrayList<Long>();
        Long next = null;
        int pages = 0;
        do {
            Page<AuditRecord> page = reads.page(Filter.ALL, next, 100);
            seen.addAll(offsets(page));
            next = page.next();
            pages++;
        } while (next != null);

        assertEquals(
                LongStream.iterate(2_499, offset -> offset >= 0, offset -> offset - 1)
                        .boxed()
                        .toList(),
                seen);
        assertEquals(25, pages);
        assertEquals(0, open, "each read closes its consumer");
    }

    /** Nobody sees a record twice because others were added, and deleted ones end the list. */
    @Test
    void shouldContinueAPageWhileTheLogMoves() {
        addMany(30);
        Page<AuditRecord> page = reads.page(Filter.ALL, null, 10);
        addMany(5);
        first = 15;

        Page<AuditRecord> rest = reads.page(Filter.ALL, page.next(), 10);

        assertEquals(
                LongStream.iterate(19, offset -> offset >= 15, offset -> offset - 1)
                        .boxed()
                        .toList(),
                offsets(rest));
        assertEquals(null, rest.next());
    }

    @Test
    void shouldEndAPageAfterManyRecordsThatDoNotMatch() {
        add(0, "createTenants", null, Outcome.ACCEPTED);
        addMany(TopicPages.MAX_SCANNED + 2_000);
        var rare = new Filter(null, null, null, "createTenants", null, null, null);

        Page<AuditRecord> empty = reads.page(rare, null, 10);

        assertEquals(List.of(), empty.records());
        assertTrue(fetched <= TopicPages.MAX_SCANNED * 1.3, "fetched " + fetched);
        assertEquals(List.of(0L), offsets(reads.page(rare, empty.next(), 10)));
    }

    @Test
    void shouldReadOnlyTheTimeAskedFor() {
        addMany(20_000);

        Page<AuditRecord> page =
                reads.page(between(START.plusSeconds(60 * 700), START.plusSeconds(60 * 703)), null, 10);

        assertEquals(List.of(702L, 701L, 700L), offsets(page));
        assertEquals(null, page.next());
        assertTrue(fetched < 1_000, "fetched " + fetched);
        assertEquals(List.of(), offsets(reads.page(between(START.plusSeconds(60 * 30_000), null), null, 10)));
        assertEquals(List.of(), offsets(reads.page(between(null, START), null, 10)));
    }

    /** The clocks of two gateways differ by some minutes. */
    @Test
    void shouldFindRecordsOfClocksThatDiffer() {
        add(10, "updateMetrics", null, Outcome.ACCEPTED);
        add(6, "updateMetrics", null, Outcome.ACCEPTED);
        add(11, "updateMetrics", null, Outcome.ACCEPTED);
        add(7, "updateMetrics", null, Outcome.ACCEPTED);

        assertEquals(
                List.of(3L, 1L),
                offsets(reads.page(between(START.plusSeconds(300), START.plusSeconds(480)), null, 10)));
    }

    @ParameterizedTest
    @CsvFileSource(resources = "AuditReadsTest.shouldFindByAllThatIsAskedFor.csv", quoteCharacter = '\'')
    void shouldFindByAllThatIsAskedFor(
            String author, String operation, String object, String tenant, Outcome outcome, String found) {
        add(0, "updateMetrics", TenantId.NONE, Outcome.ACCEPTED, new ChangedObject("metric", "8", "laps"));
        add(
                1,
                "updateMetrics",
                ACME,
                Outcome.ACCEPTED,
                new ChangedObject("user", "7", null),
                new ChangedObject("metric", "9", "rows"));
        add(2, "updateMetrics", ACME, Outcome.REFUSED);
        add(3, "createTenants", null, Outcome.ACCEPTED, new ChangedObject("settings", null, null));
        var filter = new Filter(
                null, null, author, operation, object, tenant == null ? null : new TenantId(tenant), outcome);

        List<String> offsets = offsets(reads.page(filter, null, 10)).stream()
                .map(String::valueOf)
                .toList();
        var exported = new ArrayList<String>();
        assertEquals(0, reads.export(filter, one -> exported.add(Long.toString(one.offset()))));

        assertEquals(found, String.join(" ", offsets));
        assertEquals(offsets, exported);
    }

    @Test
    void shouldExportNothingOfTooLongATime() {
        addMany(3);
        first = 0;
        var big = new AuditReads(() -> withEnd(AuditReads.MAX_EXPORTED + 1));

        assertEquals(AuditReads.MAX_EXPORTED + 1, big.export(Filter.ALL, _ -> {
            throw new AssertionError("nothing is exported");
        }));
    }

    @SuppressWarnings("unchecked")
    private Consumer<byte[], byte[]> withEnd(long end) {
        Consumer<byte[], byte[]> small = connect();
        return (Consumer<byte[], byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Consumer.class},
                (_, method, arguments) -> method.getName().equals("endOffsets")
                        ? Map.of(new TopicPartition(Topics.AUDIT.name(), 0), end)
                        : method.invoke(small, arguments));
    }

    @Test
    void shouldLimitTheReadsAtTheSameTime() {
        addMany(1);
        int[] depth = {0};

        assertThrows(HttpRefusal.class, () -> nested(depth));

        assertEquals(4, depth[0]);
        assertEquals(0, open);
        assertEquals(1, reads.page(Filter.ALL, null, 10).records().size(), "the others are free again");
    }

    private void nested(int[] depth) {
        reads.export(Filter.ALL, _ -> {
            depth[0]++;
            nested(depth);
        });
    }
}
