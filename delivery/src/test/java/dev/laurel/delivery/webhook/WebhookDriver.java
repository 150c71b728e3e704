package dev.laurel.delivery.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.KnownAccess;
import dev.laurel.delivery.NewestRules;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.DeliveryLog;
import dev.laurel.delivery.store.WebhookDelivery;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.delivery.webhook.WebhookDispatcher.Settings;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.ruleset.Webhook;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Drives the webhook step without a broker and without a network: the test answers for webhooks. */
final class WebhookDriver implements AutoCloseable {

    static final TenantId TENANT = TenantId.NONE;
    private static final Duration STALE_AFTER = Duration.ofHours(24);

    /** A request that a webhook has received. */
    record Sent(UUID webhook, UUID delivery, int attempt, String body, String secret) {}

    /** Answers for a webhook; may block. */
    interface Receiver {

        Outcome take(Sent sent) throws InterruptedException;
    }

    final List<Sent> sent = new CopyOnWriteArrayList<>();
    final DeliveryCounts counts = new DeliveryCounts();
    final AccessIndex secrets = InMemoryAccessStore.index();
    private final Map<String, Receiver> receivers = new ConcurrentHashMap<>();
    private final KeyValueStore<Bytes, byte[]> store = emptyStore(StoreNames.DELIVERIES);
    private final PreCommitStore counters = new PreCommitStore(emptyStore(StoreNames.OUTCOMES));

    /** The changelog: all writes while it was recorded. */
    private NavigableMap<Bytes, byte[]> changelog;

    private final int partitions;
    private volatile List<Webhook> webhooks = List.of();

    /** The old ruleset that is still visible; null: the newest one is visible. */
    private volatile Ruleset unseen;

    private volatile Ruleset ruleset = Ruleset.empty(TENANT);
    private volatile Instant now = Instant.parse("2026-03-04T09:00:00Z");
    private Webhooks sender;
    private MockProcessorContext<Integer, byte[]> context;
    private WebhookTask task;

    WebhookDriver() {
        this(4);
    }

    /** @param partitions number of partitions that share the limits in flight, including this one */
    WebhookDriver(int partitions) {
        this.partitions = partitions;
        start();
    }

    private static KeyValueStore<Bytes, byte[]> emptyStore(String name) {
        var context = new MockProcessorContext<Integer, byte[]>();
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(name), Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        return store;
    }

    private void start() {
        var settings = new Settings(
                () -> now, STALE_AFTER, WebhookDispatcher.limits(new InFlightLimits(1_024, 32), partitions));
        sender = new Webhooks(settings, new WebhookTargets(rulesets(), new KnownAccess(secrets)), this::post, counts);
        context = new MockProcessorContext<>();
        context.addStateStore(counters);
        task = sender.open(logged(), DeliveryCounters.open(context, rulesets()));
    }

    private Outcome post(WebhookTargets.Target target, WebhookRequest post) throws InterruptedException {
        UUID webhook = webhooks.stream()
                .filter(w -> w.url().equals(target.url()))
                .findFirst()
                .orElseThrow()
                .id();
        var request =
                new Sent(webhook, post.delivery(), post.attempt(), new String(post.body(), UTF_8), target.secret());
        sent.add(request);
        return receivers.get(target.url()).take(request);
    }

    static Outcome ok() {
        return new Outcome.Answered(200, null, 5);
    }

    static Outcome broken() {
        return new Outcome.Answered(500, null, 5);
    }

    // The settings.

    UUID webhook(String name, Receiver receiver) {
        UUID id = UUID.nameUUIDFromBytes(name.getBytes(UTF_8));
        receivers.put("https://" + name, receiver);
        secret(id, "whsec_" + name);
        put(new Webhook(1, id, null, name, null, "https://" + name, List.of(WebhookEvent.STREAK_LOST), true, now, now));
        return id;
    }

    void secret(UUID webhook, String value) {
        var secret = new Secret(TENANT, webhook.toString(), Secret.SIGNING, value);
        secrets.put(secret.recordKey(), secret);
    }

    void receiver(String name, Receiver receiver) {
        receivers.put("https://" + name, receiver);
    }

    void deactivate(UUID webhook) {
        Webhook w = webhooks.stream()
                .filter(known -> known.id().equals(webhook))
                .findFirst()
                .orElseThrow();
        put(new Webhook(
                w.number(), w.id(), w.key(), w.name(), w.description(), w.url(), w.events(), false, w.created(), now));
    }

    private void put(Webhook webhook) {
        var all = new ArrayList<>(webhooks);
        all.removeIf(known -> known.id().equals(webhook.id()));
        all.add(webhook);
        set(all);
    }

    /** Shows changes from now on only to reads that wait for the newest settings. */
    void lag() {
        unseen = ruleset;
    }

    void delete(UUID webhook) {
        set(webhooks.stream().filter(known -> !known.id().equals(webhook)).toList());
    }

    private void set(List<Webhook> all) {
        webhooks = List.copyOf(all);
        Ruleset r = ruleset;
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
    }

    private Rulesets rulesets() {
        return new NewestRules(
                _ -> {
                    Ruleset old = unseen;
                    return old == null ? ruleset : old;
                },
                () -> unseen = null);
    }

    // Records.

    Outgoing.HookEvent event(int number, UUID... webhooks) {
        return new Outgoing.HookEvent(
                UUID.nameUUIDFromBytes(("event-" + number).getBytes(UTF_8)),
                TENANT,
                now,
                WebhookEvent.STREAK_LOST,
                List.of(webhooks),
                null,
                "{\"number\":" + number + "}");
    }

    /** An event happens, and all that is due is sent. */
    void delivers(String user, Outgoing outgoing) {
        happens(user, outgoing);
        settle();
    }

    /** Time passes, and all that is due is sent. */
    void settleAfter(Duration time) {
        timePasses(time);
        settle();
    }

    /** Stored entries of the queue: lanes, positions, turns and retries. */
    long queued() {
        return stored('l') + stored('q') + stored('t') + stored('r');
    }

    void happens(String user, Outgoing outgoing) {
        byte[] key = user.getBytes(UTF_8);
        switch (outgoing) {
            case Outgoing.HookEvent event -> task.add(key, event);
            case Outgoing.HookTest test -> task.test(test);
            case Outgoing.UserErased erased -> task.erase(key, erased);
            default -> throw new AssertionError(outgoing);
        }
        task.run();
    }

    /** Adds an event that is sent at a time. */
    void happensLater(String user, Outgoing.HookEvent event) {
        task.addAtItsTime(user.getBytes(UTF_8), event);
        task.run();
    }

    /** @return whether the delivery is known */
    boolean retry(UUID webhook, UUID delivery) {
        boolean isKnown = task.retry(new Outgoing.HookRetry(UUID.randomUUID(), TENANT, now, webhook, delivery));
        task.run();
        return isKnown;
    }

    void timePasses(Duration duration) {
        now = now.plus(duration);
        tick();
    }

    Instant now() {
        return now;
    }

    /** Does everything once that the task does from time to time. */
    void tick() {
        task.tick();
        task.sweep();
    }

    /** Waits until nothing is in flight and nothing more starts. */
    void settle() {
        tickUntil(() -> sender.inFlight() == 0);
    }

    /** A busy machine needs longer than usual. */
    private void tickUntil(BooleanSupplier reached) {
        await().atMost(Duration.ofMinutes(1))
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(1))
                .until(() -> {
                    tick();
                    return reached.getAsBoolean();
                });
    }

    /** Waits until this number of requests has been sent since the start. */
    void awaitSent(int count) {
        tickUntil(() -> sent.size() >= count);
    }

    int inFlight() {
        return sender.inFlight();
    }

    // Results.

    DeliveryLog log() {
        return new DeliveryLog.Stored(() -> store);
    }

    /** The deliveries of a webhook, newest first. */
    List<WebhookDelivery> deliveries(UUID webhook) {
        return deliveries(webhook, null, 1_000);
    }

    List<WebhookDelivery> deliveries(UUID webhook, WebhookDelivery.Status status, int limit) {
        return log().find(TENANT, webhook, status, null, null, limit).ids().stream()
                .map(id -> log().delivery(TENANT, webhook, id))
                .toList();
    }

    /** The counters of the only webhook in some cells, as of a commit. */
    long[] counted(Counter counter, int first, int last) {
        counters.flushCache();
        return new AccountCounters(counters).numbers(TENANT, counter, 1, SegmentGroup.ALL, first, last);
    }

    /** The number of stored keys of a kind. */
    long stored(char kind) {
        long count = 0;
        try (var all = store.all()) {
            while (all.hasNext()) {
                count += all.next().key.get()[0] == kind ? 1 : 0;
            }
        }
        return count;
    }

    /** The store, which records writes. */
    @SuppressWarnings("unchecked")
    private KeyValueStore<Bytes, byte[]> logged() {
        return (KeyValueStore<Bytes, byte[]>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {KeyValueStore.class}, (_, method, arguments) -> {
                    if (changelog != null && method.getName().equals("put")) {
                        changelog.put((Bytes) arguments[0], (byte[]) arguments[1]);
                    } else if (changelog != null && method.getName().equals("delete")) {
                        changelog.put((Bytes) arguments[0], null);
                    }
                    return method.invoke(store, arguments);
                });
    }

    /** Prevents further batches until the next start of the task. */
    void stopSending() {
        try {
            sender.settle();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts to record writes; the changelog is empty until then, so the disk is ahead of it. */
    void recordChangelog() {
        changelog = new TreeMap<>();
    }

    /** Kills the task, which starts elsewhere with nothing but the recorded changelog. */
    void restoreElsewhere() {
        task.close();
        keys(_ -> true).forEach(store::delete);
        changelog.forEach((key, value) -> {
            if (value != null) {
                store.put(key, value);
            }
        });
        changelog = null;
        start();
    }

    /** Kills the task, and deletes all keys of one kind. */
    void restartWithout(char kind) {
        task.close();
        keys(key -> key.get()[0] == kind).forEach(store::delete);
        start();
    }

    private List<Bytes> keys(Predicate<Bytes> wanted) {
        var keys = new ArrayList<Bytes>();
        try (var all = store.all()) {
            all.forEachRemaining(entry -> keys.add(entry.key));
        }
        return keys.stream().filter(wanted).toList();
    }

    void erase(String user) {
        happens(user, new Outgoing.UserErased(UUID.randomUUID(), TENANT, now, new UserId(user)));
    }

    /** Closes the task during its work, and starts it again on the same store. */
    void restart() {
        task.close();
        start();
    }

    @Override
    public void close() {
        task.close();
        sender.close();
    }
}
