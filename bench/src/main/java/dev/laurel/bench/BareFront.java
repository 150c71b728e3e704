package dev.laurel.bench;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * HTTP server of the bare pipeline: {@code POST /bare/{key}} writes the body to Kafka and responds with the reply of
 * the topology, {@code GET /bare/{key}} reads one store. Replies are read from open transactions, so the latency does
 * not depend on the commit interval. One virtual thread per request, one platform thread for replies.
 */
final class BareFront implements AutoCloseable {
    private static final int REPLY_PARTITION = 0;
    private static final int WAITERS_MAX = 10_000;
    private static final long REPLY_TIMEOUT_MS = 30_000;
    private static final long POLL_MS = 500;

    private final Function<byte[], byte @Nullable []> readUser;
    private final Map<Long, CompletableFuture<byte[]>> waiters = new ConcurrentHashMap<>();
    private final Semaphore places = new Semaphore(WAITERS_MAX);
    private final AtomicLong requestIds = new AtomicLong();
    private final byte[] replyPartition = ByteBuffer.allocate(Integer.BYTES).putInt(REPLY_PARTITION).array();
    private final KafkaProducer<byte[], byte[]> producer;
    private final KafkaConsumer<byte[], byte[]> replies;
    private final Thread replyReader;
    private final Javalin server;
    private volatile boolean closed;

    /** @param readUser reads one store by user key; null: unknown user */
    BareFront(String bootstrapServers, Function<byte[], byte @Nullable []> readUser) {
        this.readUser = readUser;
        producer = new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ProducerConfig.ACKS_CONFIG, "all",
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true, ProducerConfig.LINGER_MS_CONFIG, 0),
                new ByteArraySerializer(), new ByteArraySerializer());
        replies = new KafkaConsumer<>(
                Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers, ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_uncommitted", ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1),
                new ByteArrayDeserializer(), new ByteArrayDeserializer());
        var partition = new TopicPartition(BareTopology.REPLIES_TOPIC, REPLY_PARTITION);
        replies.assign(List.of(partition));
        replies.seekToEnd(List.of(partition));
        // Seeking is lazy; without this call, a first reply could be written before the end is known and be missed.
        replies.position(partition);
        replyReader = Thread.ofPlatform().name("bare-replies").start(this::readReplies);
        server = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.concurrency.useVirtualThreads = true;
            config.routes.post("/bare/{key}", this::post);
            config.routes.get("/bare/{key}", this::get);
        }).start("127.0.0.1", 0);
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", server.port());
    }

    private void post(Context request) throws InterruptedException, ExecutionException {
        if (!places.tryAcquire()) {
            request.status(503);
            return;
        }
        long id = requestIds.incrementAndGet();
        var reply = new CompletableFuture<byte[]>();
        waiters.put(id, reply);
        try {
            producer.send(command(key(request), request.bodyAsBytes(), id), (written, failure) -> {
                if (failure != null) {
                    reply.completeExceptionally(failure);
                }
            });
            request.status(201).result(reply.get(REPLY_TIMEOUT_MS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException _) {
            request.status(202);
        } finally {
            waiters.remove(id);
            places.release();
        }
    }

    private ProducerRecord<byte[], byte[]> command(byte[] key, byte[] body, long id) {
        var command = new ProducerRecord<>(BareTopology.COMMANDS_TOPIC, key, body);
        command.headers().add(BareTopology.REPLY_PARTITION_HEADER, replyPartition);
        command.headers().add(BareTopology.REQUEST_ID_HEADER, ByteBuffer.allocate(Long.BYTES).putLong(id).array());
        return command;
    }

    private void get(Context request) {
        byte[] state = readUser.apply(key(request));
        if (state == null) {
            request.status(404);
        } else {
            request.result(state);
        }
    }

    private static byte[] key(Context request) {
        return request.pathParam("key").getBytes(StandardCharsets.UTF_8);
    }

    private void readReplies() {
        try (replies) {
            while (!closed) {
                replies.poll(Duration.ofMillis(POLL_MS)).forEach(this::complete);
            }
        } catch (WakeupException _) {
            // requested by close()
        }
    }

    private void complete(ConsumerRecord<byte[], byte[]> reply) {
        long id = ByteBuffer.wrap(reply.headers().lastHeader(BareTopology.REQUEST_ID_HEADER).value()).getLong();
        CompletableFuture<byte[]> waiter = waiters.get(id);
        if (waiter != null) {
            waiter.complete(reply.value());
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        server.stop();
        replies.wakeup();
        try {
            replyReader.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        producer.close();
    }
}
