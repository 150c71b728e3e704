package dev.laurel.deploy.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.delivery.runtime.Delivery;
import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.processors.runtime.NodeId;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The delivery application on a broker of its own; the test writes the outgoing events. */
final class DeliveryInstance implements AutoCloseable {

    static final int PARTITIONS = 4;
    private static final TenantId TENANT = TenantId.NONE;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path dataDir;
    private final EmbeddedBroker broker;
    private final KafkaProducer<byte[], Outgoing> outbox;
    private final AtomicLong aheadMs = new AtomicLong();
    private final CompletableFuture<Throwable> fault = new CompletableFuture<>();
    private final AccessIndex secrets = InMemoryAccessStore.index();
    private volatile Ruleset ruleset = Ruleset.empty(TENANT);
    private Delivery delivery;

    DeliveryInstance(Path dataDir) throws InterruptedException {
        this.dataDir = dataDir;
        this.broker = EmbeddedBroker.start(BrokerSettings.alone(dataDir.resolve("kafka"), 0, 0));
        Map<String, Object> client = Map.of("bootstrap.servers", broker.bootstrapServers());
        try (Admin admin = Admin.create(client)) {
            TopicCreation.createMissing(
                    admin, new TopicCreation.Sizes(PARTITIONS, PARTITIONS, 1, (short) 1), Topics.all());
        }
        this.outbox = new KafkaProducer<>(
                Map.of("bootstrap.servers", broker.bootstrapServers(), ProducerConfig.LINGER_MS_CONFIG, 0),
                new ByteArraySerializer(),
                Topics.OUTBOX.value().serializer());
        start();
    }

    void start() throws InterruptedException {
        DeliveryConfig.Sending usual = DeliveryConfig.Sending.DEFAULT;
        var config = new DeliveryConfig(
                StreamsSettings.alone(
                        KafkaAccess.at(broker.bootstrapServers()),
                        dataDir.resolve("state"),
                        1,
                        BoundedRocksDb.DEFAULT_MEMORY_BYTES),
                DeliveryConfig.COMMIT_INTERVAL_MS,
                new DeliveryConfig.Sending(usual.staleAfter(), true, "", usual.webhooks()));
        delivery = new Delivery(
                config,
                NodeId.keptIn(dataDir),
                new Delivery.Parts(
                        rulesets(),
                        new RulesetVersions(rulesets(), PATIENCE),
                        access(),
                        null,
                        Map.of(),
                        new LogLayout(PARTITIONS),
                        Topics.COMMANDS::name,
                        false),
                this::now,
                new Metrics(),
                fault::complete);
        if (!delivery.awaitReady(PATIENCE)) {
            throw new IllegalStateException("delivery is not ready", fault.getNow(null));
        }
    }

    void stop() {
        delivery.close();
    }

    Delivery delivery() {
        return delivery;
    }

    Instant now() {
        return Instant.now().plusMillis(aheadMs.get());
    }

    void timePasses(Duration duration) {
        aheadMs.addAndGet(duration.toMillis());
    }

    boolean hasFailed() {
        return fault.isDone();
    }

    UUID webhook(String name, String url) {
        UUID id = UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
        var secret = new Secret(TENANT, id.toString(), Secret.SIGNING, "whsec_" + name);
        secrets.put(secret.recordKey(), secret);
        Ruleset r = ruleset;
        var webhooks = new ArrayList<>(r.webhooks());
        webhooks.add(new Webhook(
                webhooks.size() + 1,
                id,
                null,
                name,
                null,
                url,
                List.of(WebhookEvent.STREAK_LOST),
                true,
                Instant.EPOCH,
                Instant.EPOCH));
        ruleset = new Ruleset(
                TENANT,
                r.version() + 1,
                r.published(),
                r.nextNumber(),
                r.metrics(),
                r.attributes(),
                r.achievements(),
                r.streak(),
                r.pointsSystems(),
                r.leaderboards(),
                r.settings(),
                webhooks,
                r.notifications(),
                r.retired(),
                null,
                null);
        return id;
    }

    void happens(String user, int number, String body, List<UUID> webhooks) {
        var event = new Outgoing.HookEvent(
                new UUID(7, number), TENANT, now(), WebhookEvent.STREAK_LOST, webhooks, null, body);
        outbox.send(new ProducerRecord<>(Topics.OUTBOX.name(), user.getBytes(UTF_8), event));
    }

    /** Returns the deliveries of all partitions, newest first. */
    List<WebhookDelivery> deliveries(UUID webhook, WebhookDelivery.Status status, int limit) {
        var all = new ArrayList<WebhookDelivery>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            DeliveryLog log = delivery.log(partition);
            log.find(TENANT, webhook, status, null, null, limit)
                    .ids()
                    .forEach(id -> all.add(log.delivery(TENANT, webhook, id)));
        }
        all.sort(Comparator.comparing(WebhookDelivery::created).reversed());
        return all;
    }

    private Rulesets rulesets() {
        return new Rulesets() {
            @Override
            public Ruleset newest(TenantId tenant) {
                return ruleset;
            }

            @Override
            public Ruleset version(TenantId tenant, long version) {
                throw new AssertionError("the newest counts");
            }

            @Override
            public Ruleset await(TenantId tenant, long version, Duration timeout) {
                throw new AssertionError("the newest counts");
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return true;
            }
        };
    }

    private AccessView access() {
        return new AccessView() {
            @Override
            public AccessIndex index() {
                return secrets;
            }

            @Override
            public boolean awaitNewest(Duration timeout) {
                return true;
            }
        };
    }

    @Override
    public void close() {
        delivery.close();
        outbox.close();
        broker.close();
    }
}
