package dev.laurel.deploy.sending;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.sending.MessageDelivery.Ended;
import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.MessageCopy;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that SIGKILL at any moment sends nothing twice: delivery runs in a process of its own and is killed while it
 * sends. {@code -Dlaurel.sending.kills=…} sets the number of kills, with as many more messages.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class SendingKillIT {

    private static final int KILLS = Integer.getInteger("laurel.sending.kills", 2);
    private static final int SENT_BETWEEN_KILLS = 120;
    private static final int MESSAGES = (KILLS + 1) * 300;
    private static final int USERS = 50;

    /** Records sent one by one at first: enough to reach every partition. */
    private static final int FIRST_ONE_BY_ONE = 10;

    /** Maximum number of messages in progress per tenant and channel, including the rounding of shares. */
    private static final int MOST_UNDER_WAY = 32 + SendingApp.PARTITIONS;

    @TempDir
    private Path scratch;

    @AutoClose
    private EmbeddedBroker broker;

    private Path sent;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.alone(scratch.resolve("kafka"), 0, 0));
        sent = scratch.resolve("sent");
        try (Admin admin = Admin.create(client())) {
            TopicCreation.createMissing(
                    admin, new TopicCreation.Sizes(SendingApp.PARTITIONS, 1, 1, (short) 1), Topics.all());
        }
    }

    private Map<String, Object> client() {
        return Map.of(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, broker.bootstrapServers());
    }

    @Test
    void shouldNotSendTwiceAfterAKill() throws Exception {
        List<UUID> due = produce(MESSAGES);
        for (int kill = 1; kill <= KILLS; kill++) {
            // Every other process starts with nothing but the changelog.
            Process app = startProcess("state-" + kill / 2);
            try {
                int before = sentLines().size();
                await().atMost(Duration.ofMinutes(1))
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> !app.isAlive() || sentLines().size() >= before + SENT_BETWEEN_KILLS);
                assertTrue(app.isAlive(), "it ended by itself");
            } finally {
                app.destroyForcibly().waitFor();
            }
        }
        assertTrue(sentLines().size() < MESSAGES, "the kills came too late");

        Map<UUID, Ending> endings = finish(due, "state-" + (KILLS + 1) / 2);
        List<String> lines = sentLines();
        var went = new HashSet<>(lines);
        assertEquals(lines.size(), went.size(), "went out twice");
        for (UUID id : due) {
            switch (endings.get(id)) {
                case SENT -> assertTrue(went.contains(id.toString()), id + " is said to be sent");
                case DOUBTFUL -> {
                    // Only this test knows whether it was sent.
                }
                case REFUSED, GIVEN_UP -> throw new AssertionError(id + " was " + endings.get(id));
            }
        }
        long doubtful =
                endings.values().stream().filter(Ending.DOUBTFUL::equals).count();
        assertTrue(doubtful <= (long) KILLS * MOST_UNDER_WAY, doubtful + " are doubtful");
        System.out.printf(
                "Of %d messages %d went out, none twice; %d are doubtful after %d kills.%n",
                due.size(), went.size(), doubtful, KILLS);
    }

    @Test
    void shouldSendEachMessageOnceAcrossCleanStops() throws Exception {
        List<UUID> due = produce(200);
        try (Delivery _ = start("state")) {
            await().atMost(Duration.ofMinutes(1)).until(() -> sentLines().size() >= 50);
        }
        assertTrue(sentLines().size() < due.size(), "the stop came too late");
        Map<UUID, Ending> endings = finish(due, "state");
        assertEquals(Map.of(Ending.SENT, due.size()), Map.of(Ending.SENT, (int)
                endings.values().stream().filter(Ending.SENT::equals).count()));
        assertEquals(due.size(), sentLines().size());
        assertEquals(due.size(), new HashSet<>(sentLines()).size());
    }

    private Delivery start(String state) {
        return SendingApp.start(broker.bootstrapServers(), folder(state), sent, fault -> {
            throw new AssertionError(fault);
        });
    }

    private Path folder(String name) {
        try {
            return Files.createDirectories(scratch.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process startProcess(String state) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SendingApp.class.getName(),
                        broker.bootstrapServers(),
                        folder(state).toString(),
                        sent.toString())
                .inheritIO()
                .start();
    }

    /** Returns the ids of the deliveries. */
    private List<UUID> produce(int count) throws Exception {
        var ids = new ArrayList<UUID>();
        var stored = new ArrayList<Future<?>>();
        try (var producer = new KafkaProducer<>(
                client(), new ByteArraySerializer(), Topics.OUTBOX.value().serializer())) {
            for (int number = 0; number < count; number++) {
                UserKey user = user(number);
                var copy = new MessageCopy(NotificationChannel.EMAIL, SendingApp.TEMPLATE, 0);
                var message = new Outgoing.Message(
                        new UUID(1, number),
                        TenantId.NONE,
                        Instant.now(),
                        SendingApp.rulesVersion(),
                        user.user(),
                        NotificationType.RECAP,
                        List.of(copy),
                        "{}");
                stored.add(producer.send(new ProducerRecord<>(Topics.OUTBOX.name(), user.bytes(), message)));
                if (number < FIRST_ONE_BY_ONE) {
                    stored.get(number).get(); // The topic is new; its leaders may not be known everywhere.
                }
                ids.add(dev.laurel.core.sending.MessageDelivery.idOf(message.id(), copy.channel()));
            }
            for (Future<?> one : stored) {
                one.get();
            }
        }
        return ids;
    }

    private static UserKey user(int number) {
        return UserKey.of("user-" + number % USERS);
    }

    /** Runs delivery until every delivery has ended. */
    private Map<UUID, Ending> finish(List<UUID> due, String state) {
        try (Delivery delivery = start(state)) {
            var ended = new HashMap<UUID, Ending>();
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                ended.clear();
                for (int number = 0; number < USERS; number++) {
                    addEnded(delivery, user(number), ended);
                }
                return ended.size() == due.size();
            });
            return ended;
        }
    }

    private static void addEnded(Delivery delivery, UserKey user, Map<UUID, Ending> ended) {
        int partition = new LogLayout(SendingApp.PARTITIONS).partitionOf(user.bytes());
        try {
            var log = (DeliveryLog.Stored) delivery.log(partition);
            MessageStore.newest(log.store().get(), user, MESSAGES).forEach(one -> {
                if (one.state() instanceof Ended how) {
                    ended.put(one.id(), how.how());
                }
            });
        } catch (InvalidStateStoreException _) {
            // not open yet
        }
    }

    private List<String> sentLines() throws IOException {
        return Files.exists(sent) ? Files.readAllLines(sent) : List.of();
    }
}
