package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.GroupState;
import org.awaitility.Awaitility;

/** A {@link FailureDrill} with successive generations and a webhook for each event. */
final class PromotionDrill implements AutoCloseable {

    /**
     * Returns rules like those of {@link FailureDrill}, and a badge. @param hundred laps for the badge, the only change of a draft
     */
    static String ruleset(int hundred) {
        return """
            {"metrics": {"laps": {}},
             "achievements": {"hundred": {"trigger": "metric", "metric": "laps", "value": %d}},
             "points": {"gems": {"triggers": {"per-lap": {"type": "metric", "metric": "laps", "threshold": 1, "points": 1}}}},
             "leaderboards": {"lanes": {"status": "active", "rankBy": "metric", "metric": "laps", "start": "2024-01-01"}},
             "streak": {},
             "webhooks": {"crm": {"name": "CRM", "url": "http://127.0.0.1:9/hook", "events": ["points.changed"],
               "status": "active"}}}
            """.formatted(hundred);
    }

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration LOOK_EVERY = Duration.ofMillis(50);
    private static final Duration TABLE_PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final FailureDrill drill;
    private final GenerationTable table;

    PromotionDrill(String name, Path folder, int nodes) throws IOException, InterruptedException {
        this.folder = folder;
        this.drill = FailureDrill.of(name, folder, 1, nodes, 1, ruleset(100));
        this.table = new GenerationTable(client(), fault -> drill.say("generations are not followed: " + fault));
        table.start();
        table.awaitCaughtUp(TABLE_PATIENCE);
    }

    private Map<String, Object> client() {
        return Map.of("bootstrap.servers", drill.cluster().kafka());
    }

    FailureDrill drill() {
        return drill;
    }

    DrillCluster cluster() {
        return drill.cluster();
    }

    ReplayProcess replay(String... options) throws IOException {
        return new ReplayProcess(folder.resolve("replays"), cluster().kafka(), options);
    }

    /** Waits until the newest generation has this number and this state. */
    void await(int number, State state) {
        Awaitility.await().atMost(PATIENCE).pollInterval(LOOK_EVERY).until(() -> {
            drill.expectNoFault();
            GenerationRecord record = table.find(number);
            return record != null && record.state() == state;
        });
        drill.say("generation " + number + " is " + state);
    }

    GenerationRecord inForce() {
        return table.inForce();
    }

    /** Returns the number of the generation that was in force before this one. */
    int before(int number) {
        return table.before(number).number();
    }

    /** Waits until the ledger of this generation has members, or until it has none. */
    void awaitFolding(int number, boolean isFolded) throws Exception {
        String group = Generation.of(number).ledgerApplication();
        try (Admin admin = Admin.create(client())) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(LOOK_EVERY)
                    .ignoreExceptions()
                    .until(() -> isFolded
                            == (admin.describeConsumerGroups(List.of(group))
                                            .all()
                                            .get(10, TimeUnit.SECONDS)
                                            .get(group)
                                            .groupState()
                                    == GroupState.STABLE));
        }
    }

    /** Waits until a replay that several processes may share has its first member. */
    void awaitLeader() throws Exception {
        try (Admin admin = Admin.create(client())) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .pollInterval(LOOK_EVERY)
                    .until(() -> admin.listGroups().all().get().stream()
                            .anyMatch(group -> group.groupId().startsWith("laurel-replay-g")
                                    && group.groupState().orElse(GroupState.UNKNOWN) == GroupState.STABLE));
        }
    }

    /** Checks that Kafka contains nothing of this generation. */
    void expectGone(int number) throws Exception {
        Generation generation = Generation.of(number);
        try (Admin admin = Admin.create(client())) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                Set<String> left = new TreeSet<>(admin.listTopics().names().get());
                left.removeIf(name -> !name.startsWith(generation.ledgerApplication() + "-")
                        && !name.startsWith(generation.boardsApplication() + "-")
                        && !name.equals(generation.scores()));
                assertEquals(Set.of(), left);
                assertTrue(admin.listGroups().all().get().stream()
                        .noneMatch(group -> group.groupId().equals(generation.ledgerApplication())
                                || group.groupId().equals(generation.boardsApplication())));
            });
        }
    }

    /**
     * Ends the load. Checks that users, nodes, effects and outbox match the responses, and that the state is the
     * fold of the log.
     */
    void expectExact() throws Exception {
        drill.expectExact(cluster().nodes(), inForce().generation().ledgerApplication());
        expectOutbox();
        String out = replay("--from-scratch").expect(0);
        assertTrue(out.contains("The running state is the fold of the log"), out);
    }

    private void expectOutbox() {
        var ids = new HashSet<String>();
        for (ConsumerRecord<byte[], byte[]> record : new TopicReader(cluster().kafka()).readAll("laurel.outbox")) {
            String id = JsonResponse.parse(new String(record.value(), UTF_8))
                    .get("id")
                    .stringValue();
            assertTrue(ids.add(id), () -> "told twice: " + id);
        }
        assertEquals(drill.accepted(), ids.size(), "events of the outbox");
    }

    @Override
    public void close() throws IOException {
        table.close();
        drill.close();
    }
}
