package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.generation.GenerationProgress;
import dev.laurel.processors.generation.Generations;
import dev.laurel.processors.generation.NodeGenerations;
import dev.laurel.processors.generation.ShadowGeneration;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the steps of a promotion with a broker: shadow generations fold the log, and a node takes over only if a
 * test starts one.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PromotionStepsIT {

    private static final int PARTITIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    private String kafka;

    private EmbeddedBroker broker;
    private GenerationTable generations;
    private RulesetTable rulesets;
    private Generations promotion;

    @BeforeEach
    void start() throws Exception {
        broker = EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0));
        kafka = broker.bootstrapServers();
        try (Admin admin = Admin.create(client())) {
            TopicCreation.createMissing(admin, new TopicCreation.Sizes(PARTITIONS, 1, 1, (short) 1, 1), Topics.all());
        }
        swim("ann", "ben", "cid", "dan");
        generations = new GenerationTable(client(), PromotionStepsIT::fail);
        generations.start();
        generations.awaitCaughtUp(TABLE_PATIENCE);
        rulesets = new RulesetTable(client(), PromotionStepsIT::fail);
        rulesets.start();
        rulesets.awaitCaughtUp(TABLE_PATIENCE);
        promotion = new Generations(client(), generations, InstantSource.system());
    }

    @AfterEach
    void stop() {
        rulesets.close();
        generations.close();
        broker.close();
    }

    /** Transaction markers occupy offsets, too, and the position of a consumer does not pass the last of them. */
    @Test
    void shouldHaveCaughtUpIfOnlyTransactionMarkersAreLeft() throws Exception {
        GenerationRecord claimed = promotion.claim(List.of());
        assertTrue(fold(claimed), "the first reading does not end");
        abort(claimed.log());
        assertTrue(fold(claimed), "what was taken back is waited for");

        try (var place = new GenerationProgress(client(), claimed.generation(), null, PATIENCE)) {
            assertTrue(place.await(PATIENCE), "what was taken back is waited for");
            swim("eve");
            assertFalse(place.await(Duration.ofSeconds(2)), "nobody has folded the last one");
        }
    }

    @Test
    void shouldDeleteOnlyTheResourcesOfFinishedGenerations() throws Exception {
        assertEquals("nothing is left of generations that are over\n", clean());
        assertTrue(fold(GenerationRecord.FIRST));
        GenerationRecord second = promotion.claim(List.of());
        assertTrue(fold(second));
        promotion.promote(promotion.handToNodes(second));
        expectEndOfSilence(second);
        Set<String> before = names();
        assertEquals("nothing is left of generations that are over\n", clean("--yes"));
        promotion.retire(GenerationRecord.FIRST.number());
        GenerationRecord third = promotion.claim(List.of());
        assertTrue(fold(third));
        promotion.retire(third.number()); // as if it had been killed while it gave up the generation
        GenerationRecord fourth = promotion.claim(List.of());
        assertTrue(fold(fourth));

        String told = clean();
        assertTrue(told.startsWith("would delete generation 1: 2 groups, 11 topics\n"), told);
        assertTrue(told.contains("\nwould delete generation 3: 2 groups, 12 topics\n  group laurel-boards-g3\n"), told);
        assertTrue(told.endsWith("\nnothing was deleted; --yes does it\n"), told);
        assertTrue(names().containsAll(before), "it was only asked");
        assertEquals(
                told.replace("would delete", "delete").replace("nothing was deleted; --yes does it\n", ""),
                clean("--yes"));

        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            var left = new TreeSet<>(before);
            left.removeIf(name -> name.startsWith("laurel-") && !name.contains("-g2"));
            var now = new TreeSet<>(names());
            now.removeIf(name -> name.contains("-g4"));
            assertEquals(left, now);
        });
        assertTrue(names().stream().filter(name -> name.contains("-g4")).count() >= 13, "it is being built");
    }

    /** Nodes begin to copy into a wider log when it is claimed, and go on until the generation is in force. */
    @Test
    void shouldNotWaitForTheEndOfTheCopyIntoAWiderLog() throws Exception {
        GenerationRecord wider = promotion.claimWider(List.of(), 2 * PARTITIONS, 1_000_000_017);
        Map<String, Object> config = new HashMap<>(client());
        config.put(ConsumerConfig.GROUP_ID_CONFIG, wider.generation().copier());
        try (var copier = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            copier.subscribe(List.of("laurel.commands"));
            Awaitility.await().atMost(PATIENCE).until(() -> {
                copier.poll(Duration.ofMillis(100));
                return !copier.assignment().isEmpty();
            });

            promotion.awaitNotFolded(wider);
        }
    }

    @Test
    void shouldGiveANumberToOneOfConcurrentReplays() throws Exception {
        for (int round = 0; round < 3; round++) {
            var claimed = new ConcurrentLinkedQueue<GenerationRecord>();
            var refused = new ConcurrentLinkedQueue<String>();
            Concurrently.run(IntStream.range(0, 3)
                    .<Callable<Void>>mapToObj(_ -> () -> {
                        try (var own = new GenerationTable(client(), PromotionStepsIT::fail)) {
                            own.start();
                            own.awaitCaughtUp(TABLE_PATIENCE);
                            claimed.add(new Generations(client(), own, InstantSource.system()).claim(List.of()));
                        } catch (IllegalStateException | CommandFailed e) {
                            refused.add(e.getMessage());
                        }
                        return null;
                    })
                    .toList());

            assertEquals(1, claimed.size(), () -> "refused: " + refused);
            promotion.retire(claimed.peek().number());
        }
    }

    /**
     * A node that started the generation earlier would block its own threads while the previous generation
     * restores its stores.
     */
    @Test
    void shouldNotStartAGenerationBeforeThePreviousOneHasEnded() throws Exception {
        GenerationRecord second = promotion.claim(List.of());
        assertTrue(fold(second));
        try (var open = transaction("open")) {
            write(open, second.log());
            promotion.promote(promotion.handToNodes(second));
            try (var node = node()) {
                assertEquals(KafkaStreams.State.CREATED, node.ledger().streams().state());
            }
            try (var node = node()) {
                assertEquals(KafkaStreams.State.CREATED, node.ledger().streams().state());
                open.abortTransaction();
                assertTrue(node.ledger().awaitReady(PATIENCE));
                Awaitility.await()
                        .atMost(PATIENCE)
                        .until(() -> generations
                                        .find(GenerationRecord.FIRST.number())
                                        .state()
                                == State.OVER);
            }
        }
        try (var node = node()) {
            assertTrue(node.ledger().awaitReady(PATIENCE), "it waits for one that is over");
        }
    }

    /**
     * The shadow has folded the whole log; a node that continues it may have to restore the state of millions of
     * users.
     */
    @Test
    void shouldShowAGenerationOnceItsNodesHavePassedItsMarkers() throws Exception {
        GenerationRecord second = promotion.claim(List.of());
        assertTrue(fold(second));
        GenerationRecord followed = promotion.handToNodes(second);
        promotion.markEnds(followed);
        assertFalse(promotion.awaitFollowed(followed, Duration.ofSeconds(2)), "nobody runs");
        try (var node = node();
                var open = transaction("open")) {
            assertTrue(promotion.awaitFollowed(followed, PATIENCE), "the node does not follow");
            assertTrue(node.ledger().awaitReady(PATIENCE) && node.boards().awaitReady(PATIENCE));
            assertEquals(1, node.shown());
            assertTrue(areCurrent(node, true));

            write(open, second.log());
            promotion.promote(followed);
            Awaitility.await().atMost(PATIENCE).until(() -> node.shown() == 2);
            assertTrue(areCurrent(node, false), "the first one may have answered what the second one has not read");
            open.abortTransaction();
            Awaitility.await().atMost(PATIENCE).until(() -> areCurrent(node, true));
        }
    }

    /**
     * A transaction of a thread that no longer exists: no producer reuses its transactional id, so the
     * transaction stays open until its timeout.
     */
    @Test
    void shouldAbortDanglingTransactionsOfAPreviousProcess() throws Exception {
        String member;
        try (var node = node()) {
            member = node.ledger()
                    .streams()
                    .metadataForLocalThreads()
                    .iterator()
                    .next()
                    .consumerClientId();
        }
        try (var open = transaction(member.substring(0, member.indexOf("-StreamThread")) + "-9")) {
            write(open, GenerationRecord.FIRST.log());
            try (var node = node()) {
                assertTrue(node.ledger().awaitReady(Duration.ofSeconds(20)), "nobody reads beyond an open transaction");
                assertThrows(KafkaException.class, open::commitTransaction);
            }
        }
    }

    private static boolean areCurrent(NodeGenerations node, boolean expected) {
        return IntStream.range(0, PARTITIONS)
                        .allMatch(partition -> node.ledger().isCurrent(partition) == expected)
                && node.boards().isCurrent(0) == expected;
    }

    private NodeGenerations node() throws InterruptedException {
        Path state = dir.resolve("node");
        return NodeGenerations.start(
                LedgerConfig.of(
                        StreamsSettings.alone(KafkaAccess.at(kafka), state, 2, BoundedRocksDb.DEFAULT_MEMORY_BYTES)),
                NodeId.keptIn(state),
                rulesets,
                generations,
                InstantSource.system(),
                Tracing.NONE,
                new LocalRecords(),
                LocalReplies.NONE,
                new Metrics(),
                PromotionStepsIT::fail);
    }

    private String clean(String... options) {
        CommandRun run =
                CommandRun.of(Stream.concat(Stream.of("replay", "--kafka", kafka, "--clean"), Stream.of(options))
                        .toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        return run.out();
    }

    /** Returns the names of all topics and groups. */
    private Set<String> names() throws Exception {
        try (Admin admin = Admin.create(client())) {
            var names = new TreeSet<>(admin.listTopics().names().get(30, TimeUnit.SECONDS));
            admin.listGroups().all().get(30, TimeUnit.SECONDS).forEach(group -> names.add(group.groupId()));
            return names;
        }
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", kafka);
    }

    private void swim(String... users) {
        try (var producer = new DirectProducer(kafka)) {
            for (String user : users) {
                producer.event(user, Instant.now(), "laps", "1");
            }
        }
    }

    /** Writes records into every partition and aborts the transaction. */
    private void abort(String log) {
        try (var producer = transaction("taken-back")) {
            write(producer, log);
            producer.abortTransaction();
        }
    }

    private Producer<byte[], byte[]> transaction(String id) {
        var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", kafka, "transactional.id", id),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    private static void write(Producer<byte[], byte[]> producer, String log) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            producer.send(new ProducerRecord<>(
                    log,
                    partition,
                    "fay".getBytes(UTF_8),
                    DirectProducer.event("fay", "laps", "1").getBytes(UTF_8)));
        }
        producer.flush();
    }

    /** A process that comes back with its shadow after the promotion must not process in silence what nodes publish. */
    private void expectEndOfSilence(GenerationRecord promoted) {
        var fault = assertThrows(IllegalStateException.class, () -> fold(promoted, _ -> {}));
        assertTrue(
                Stream.iterate((Throwable) fault, Objects::nonNull, Throwable::getCause)
                        .anyMatch(
                                cause -> String.valueOf(cause.getMessage()).contains("is in force: nodes continue it")),
                () -> fault + ", caused by " + fault.getCause());
    }

    private boolean fold(GenerationRecord claimed) throws InterruptedException {
        return fold(claimed, PromotionStepsIT::fail);
    }

    private boolean fold(GenerationRecord claimed, Consumer<Throwable> onFault) throws InterruptedException {
        var config = LedgerConfig.of(StreamsSettings.alone(
                KafkaAccess.at(kafka), dir.resolve("shadow"), 2, BoundedRocksDb.DEFAULT_MEMORY_BYTES));
        try (var shadow = ShadowGeneration.start(config, claimed, true, rulesets, onFault)) {
            return shadow.awaitCaughtUp(PATIENCE);
        }
    }

    private static void fail(Throwable fault) {
        throw new AssertionError(fault);
    }
}
