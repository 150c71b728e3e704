package dev.laurel.delivery.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.sending.MessageDelivery;
import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.DeliveryTopology;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sending of messages in the topology of delivery, with its topics read in any order. */
class MessageDispatcherTest {

    private static final Instant DUE = Instant.parse("2026-03-04T17:00:00Z");
    private static final UserKey ANN = UserKey.of("ann");
    private static final SendResult SENT = new SendResult.Sent(List.of());

    @TempDir
    private Path scratch;

    private final List<SendMark> marks = new ArrayList<>();
    private final List<OutgoingMessage> sent = new ArrayList<>();
    private final List<Runnable> threads = new ArrayList<>();
    private final List<String> droppedTokens = new ArrayList<>();
    private final DeliveryCounts counts = new DeliveryCounts();
    private SendResult result = SENT;
    private Instant now = DUE.plusSeconds(1);
    private final List<KeyValue<Bytes, byte[]>> leftOver = new ArrayList<>();
    private int lives;

    @AutoClose
    private TopologyTestDriver driver;

    @BeforeEach
    void startDriver() {
        driver = start(256, 32);
    }

    private TopologyTestDriver start(int inAll, int perLane) {
        var environment = new MessageDispatcher.Environment(
                this::append,
                new AttemptRunner(
                        SendingTemplates.published(),
                        Map.of(NotificationChannel.EMAIL, this::send),
                        (_, tokens) -> droppedTokens.addAll(tokens)),
                threads::add,
                () -> now,
                Duration.ofHours(24),
                Duration.ZERO,
                new InFlightLimits.Shared(inAll, perLane),
                counts);
        var settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "sending");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:9092");
        settings.put(
                StreamsConfig.STATE_DIR_CONFIG,
                scratch.resolve("life-" + ++lives).toString());
        return new TopologyTestDriver(
                DeliveryTopology.build(onStoreWith(leftOver, new Messages(environment)), TaskTracker.NONE),
                settings,
                now);
    }

    /** A step that sends messages alone, on a store in memory that may have entries before the start. */
    private static ProcessorSupplier<byte[], Object, Integer, byte[]> onStoreWith(
            List<KeyValue<Bytes, byte[]>> entries, Messages messages) {
        return new ProcessorSupplier<>() {
            @Override
            public Processor<byte[], Object, Integer, byte[]> get() {
                return new Processor<>() {

                    private MessageDispatcher dispatcher;

                    @Override
                    public void init(ProcessorContext<Integer, byte[]> context) {
                        KeyValueStore<Bytes, byte[]> store = context.getStateStore(StoreNames.DELIVERIES);
                        store.putAll(entries);
                        dispatcher = messages.open(
                                store,
                                DeliveryCounters.open(context, SendingTemplates.published()),
                                context.taskId().partition());
                        context.schedule(
                                Duration.ofMillis(100), PunctuationType.WALL_CLOCK_TIME, _ -> dispatcher.run());
                    }

                    @Override
                    public void process(Record<byte[], Object> record) {
                        switch (record.value()) {
                            case Outgoing.Message message -> dispatcher.take(message);
                            case Outgoing.UserErased erased -> dispatcher.forget(erased);
                            case SendMark mark -> dispatcher.read(mark);
                            default -> throw new AssertionError(record.value());
                        }
                        dispatcher.run();
                    }

                    @Override
                    public void close() {
                        dispatcher.close();
                    }
                };
            }

            @Override
            public Set<StoreBuilder<?>> stores() {
                return Set.of(
                        Stores.keyValueStoreBuilder(
                                        Stores.inMemoryKeyValueStore(StoreNames.DELIVERIES),
                                        Serdes.Bytes(),
                                        Serdes.ByteArray())
                                .withLoggingDisabled(),
                        CounterStore.builder(StoreNames.OUTCOMES));
            }
        };
    }

    private CompletionStage<?> append(int partition, byte[] key, SendMark mark) {
        assertEquals(0, partition);
        assertEquals("ann", new String(key, UTF_8));
        marks.add(mark);
        return CompletableFuture.completedStage(null);
    }

    private SendResult send(OutgoingMessage message) {
        sent.add(message);
        return result;
    }

    /** Kills the task, and starts another life on the same store. */
    private void killAndStart() {
        leftOver.clear();
        try (var all = store().all()) {
            all.forEachRemaining(leftOver::add);
        }
        TopologyTestDriver killed = driver;
        threads.clear();
        driver = start(256, 32);
        killed.close();
    }

    private KeyValueStore<Bytes, byte[]> store() {
        return driver.getKeyValueStore(StoreNames.DELIVERIES);
    }

    private Outgoing.Message message(int number, int variation) {
        return new Outgoing.Message(
                new UUID(1, number),
                TenantId.NONE,
                DUE,
                SendingTemplates.VERSION,
                new UserId("ann"),
                NotificationType.RECAP,
                List.of(new MessageCopy(NotificationChannel.EMAIL, SendingTemplates.TEMPLATE, variation)),
                "{\"user\":{\"name\":\"Ann\"}}");
    }

    private void pipe(Outgoing outgoing) {
        TestInputTopic<byte[], Outgoing> outbox = driver.createInputTopic(
                Topics.OUTBOX.name(),
                new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer());
        outbox.pipeInput(ANN.bytes(), outgoing, now);
    }

    private void pipe(SendMark mark) {
        TestInputTopic<byte[], SendMark> topic = driver.createInputTopic(
                Topics.SEND_MARKS.name(),
                new ByteArraySerializer(),
                Topics.SEND_MARKS.value().serializer());
        topic.pipeInput(ANN.bytes(), mark, now);
    }

    private void runThreads() {
        List<Runnable> ready = List.copyOf(threads);
        threads.clear();
        ready.forEach(Runnable::run);
        driver.advanceWallClockTime(Duration.ofMillis(100));
    }

    /** Reads the marks that were set from the topic, and runs everything that follows. */
    private void dispatch(int number, int variation) {
        pipe(message(number, variation));
        goOn();
    }

    private void goOn() {
        int before = marks.size();
        runThreads();
        runThreads();
        List.copyOf(marks).subList(before, marks.size()).forEach(this::pipe);
        runThreads();
    }

    private List<MessageDelivery> log() {
        return MessageStore.newest(driver.getKeyValueStore(StoreNames.DELIVERIES), ANN, 100);
    }

    private Ending ending() {
        return assertInstanceOf(Ended.class, log().getFirst().state()).how();
    }

    @Test
    void shouldSendWhenItReadsItsOwnMarkFirst() {
        pipe(message(1, 1));
        runThreads();
        assertEquals(1, marks.size());
        assertEquals(List.of(), sent);

        pipe(marks.getFirst());
        runThreads();
        OutgoingMessage out = sent.getFirst();
        assertEquals("Seven days", out.text().heading());
        assertEquals("team@pool.example", out.sender().from());
        assertEquals("Pool", out.branding().appName());
        assertEquals(Map.of("user", Map.of("name", "Ann")), out.values());
        assertEquals(marks.getFirst().delivery(), out.id());
        assertEquals(Ending.SENT, ending());
        assertEquals(1, counts.of(Ending.SENT));
    }

    @Test
    void shouldSendAMessageThatIsReadTwiceOnce() {
        pipe(message(1, 0));
        dispatch(1, 0);
        pipe(message(1, 0));
        pipe(marks.getFirst());
        goOn();

        assertEquals(1, marks.size());
        assertEquals(1, sent.size());
        assertEquals(1, log().size());
    }

    @Test
    void shouldNotSendWhenTheMarkOfAnotherLifeIsFirst() {
        pipe(message(1, 0));
        runThreads();
        SendMark own = marks.getFirst();
        pipe(new SendMark(own.delivery(), 1, new UUID(8, 8)));
        pipe(own);
        goOn();

        assertEquals(List.of(), sent);
        assertEquals(Ending.DOUBTFUL, ending());
    }

    @Test
    void shouldNotSendAMessageThatWasMarkedBeforeItsRecordWasRead() {
        UUID delivery = MessageDelivery.idOf(message(1, 0).id(), NotificationChannel.EMAIL);
        pipe(new SendMark(delivery, 1, new UUID(8, 8)));
        dispatch(1, 0);

        assertEquals(List.of(), marks);
        assertEquals(List.of(), sent);
        assertEquals(Ending.DOUBTFUL, ending());
    }

    @Test
    void shouldNotRepeatAnAttemptThatAKillInterrupted() {
        dispatch(1, 0);
        assertEquals(1, sent.size());
        pipe(message(2, 0));
        runThreads();
        pipe(marks.getLast());
        killAndStart();
        goOn();

        assertEquals(1, sent.size());
        assertEquals(List.of(Ending.DOUBTFUL, Ending.SENT), endings());
    }

    private List<Ending> endings() {
        return log().stream()
                .map(delivery -> ((Ended) delivery.state()).how())
                .sorted((one, other) -> other.compareTo(one))
                .toList();
    }

    @Test
    void shouldSendAnUnmarkedMessageAfterAKill() {
        pipe(message(1, 0));
        threads.clear();
        killAndStart();
        goOn();
        goOn();

        assertEquals(1, sent.size());
        assertEquals(Ending.SENT, ending());
    }

    @Test
    void shouldRetryByTheInstancesClock() {
        result = new SendResult.NotSent("busy");
        dispatch(1, 0);
        now = now.plus(Duration.ofSeconds(59));
        goOn();
        assertEquals(1, sent.size());

        now = now.plus(Duration.ofSeconds(1));
        result = SENT;
        goOn();
        assertEquals(2, sent.size());
        assertEquals(List.of(1, 2), marks.stream().map(SendMark::attempt).toList());
        assertEquals(Ending.SENT, ending());
        assertEquals("busy", log().getFirst().attempts().getFirst().problem());
    }

    @Test
    void shouldRefuseAMessageOfAnUnknownRulesetOrTemplate() {
        dispatch(1, 2);
        assertEquals(List.of(), sent);
        assertEquals(Ending.REFUSED, ending());
    }

    @Test
    void shouldNotSendToAnErasedUser() {
        pipe(message(1, 0));
        runThreads();
        now = now.plusSeconds(1);
        pipe(new Outgoing.UserErased(new UUID(2, 2), TenantId.NONE, now, ANN.user()));
        pipe(marks.getFirst());
        goOn();

        assertEquals(List.of(), sent);
        assertEquals(List.of(), log());
        now = now.plus(MessageDelivery.KEPT);
        goOn();
        try (var left = store().all()) {
            assertTrue(!left.hasNext(), "its marks are forgotten later");
        }
    }

    @Test
    void shouldDeleteDeliveriesAfterSevenDays() {
        dispatch(1, 0);
        now = now.plus(MessageDelivery.KEPT).minusSeconds(1);
        goOn();
        assertEquals(1, log().size());
        now = now.plusSeconds(1);
        goOn();
        try (var left = store().all()) {
            assertTrue(!left.hasNext());
        }
    }

    @Test
    void shouldGiveUpAMessageThatIsTooOld() {
        pipe(message(1, 0));
        runThreads();
        now = DUE.plus(Duration.ofHours(24)).plusMillis(1);
        pipe(marks.getFirst());
        goOn();
        assertEquals(List.of(), sent);
        assertEquals(Ending.GIVEN_UP, ending());
    }

    @Test
    void shouldRemoveDeadTokens() {
        result = new SendResult.Refused("gone", List.of("t1"));
        dispatch(1, 0);
        assertEquals(List.of("t1"), droppedTokens);
    }

    @Test
    void shouldCountEndsForReportsAtOnce() {
        dispatch(1, 0);
        pipe(message(1, 0));
        result = new SendResult.Refused("no such user", List.of(), true);
        dispatch(2, 0);
        result = new SendResult.Refused("too large", List.of());
        dispatch(3, 0);
        result = new SendResult.NotSent("later");
        dispatch(4, 0);

        assertEquals(
                List.of(1L, 2L, 1L),
                Stream.of(Counter.MESSAGES_SENT, Counter.MESSAGES_FAILED, Counter.MESSAGES_BOUNCED)
                        .map(this::counted)
                        .toList());
    }

    /** A counter of the template on the day on which the messages are due. */
    private long counted(Counter counter) {
        KeyValueStore<Bytes, byte[]> counters = driver.getKeyValueStore(StoreNames.OUTCOMES);
        int template = SendingTemplates.published()
                .newest(TenantId.NONE)
                .notifications()
                .templates()
                .getFirst()
                .number();
        int day = Math.toIntExact(LocalDate.ofInstant(DUE, ZoneOffset.UTC).toEpochDay());
        return new AccountCounters(counters).sum(TenantId.NONE, counter, template, SegmentGroup.ALL, day, day);
    }

    @Test
    void shouldNotExceedTheLimitInFlight() {
        driver.close();
        driver = start(16, 3);
        for (int number = 0; number < 8; number++) {
            pipe(message(number, 0));
        }
        runThreads();
        assertEquals(3, marks.size());
        List.copyOf(marks).forEach(this::pipe);
        runThreads();
        runThreads();
        assertEquals(3, sent.size());
        assertEquals(6, marks.size(), "when some are done others follow");
    }

    @Test
    void shouldNotLetSlowChannelsTakeAllOfTheLimit() {
        driver.close();
        driver = start(256, 32);
        for (int tenant = 0; tenant < 12; tenant++) {
            for (int number = 0; number < 40; number++) {
                pipe(message(new TenantId("slow-" + tenant), 100 * tenant + number));
            }
        }
        for (int round = 0; round < 10; round++) {
            driver.advanceWallClockTime(Duration.ofMillis(100));
        }
        int before = threads.size();
        assertTrue(before < 256, before + " are under way");

        pipe(message(new TenantId("well"), 9999));
        assertEquals(before + 1, threads.size());
    }

    private Outgoing.Message message(TenantId tenant, int number) {
        return new Outgoing.Message(
                new UUID(1, number),
                tenant,
                DUE,
                SendingTemplates.VERSION,
                ANN.user(),
                NotificationType.RECAP,
                List.of(new MessageCopy(NotificationChannel.EMAIL, SendingTemplates.TEMPLATE, 0)),
                "{}");
    }

    @Test
    void shouldStopTheTaskWhenASenderFails() {
        pipe(message(1, 0));
        runThreads();
        pipe(marks.getFirst());
        result = null;
        var fault = assertThrows(RuntimeException.class, this::runThreads);
        assertInstanceOf(NullPointerException.class, rootOf(fault));
        killAndStart();
        goOn();
        assertEquals(Ending.DOUBTFUL, ending());
    }

    private static Throwable rootOf(Throwable fault) {
        return fault.getCause() == null ? fault : rootOf(fault.getCause());
    }
}
