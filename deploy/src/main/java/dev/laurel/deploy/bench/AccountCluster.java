package dev.laurel.deploy.bench;

import dev.laurel.deploy.cli.ServerCalls;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.serde.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A broker, nodes and gateways as processes of their own, and requests to them. Used by one thread, except for {@link #inParallel}.
 */
final class AccountCluster implements AutoCloseable {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final String LOOPBACK = "127.0.0.1";
    private static final int BOARD_PARTITIONS = 4;
    private static final int REPLY_PARTITIONS = 4;

    /** Requests in progress at a time while the account is filled. */
    private static final int REQUESTS_AT_ONCE = 16;

    private final TemporaryFolder scratch = TemporaryFolder.create("laurel-bench");
    private final List<ChildProcess> processes = new ArrayList<>();
    private final ChildProcess broker;

    /** A server and how long it took to be ready. */
    record Started(ChildProcess process, double seconds) {

        ServerCalls calls() {
            return AccountCluster.calls(process);
        }
    }

    static ServerCalls calls(ChildProcess server) {
        return new ServerCalls(server.url(), ChildProcess.ADMIN_KEY, null);
    }

    private AccountCluster() {
        broker = start("broker", List.of(), "broker", "--port", "0", "--data-dir", path("broker").toString());
    }

    /** Returns a broker with empty topics. */
    static AccountCluster withBroker(int partitions) {
        var cluster = new AccountCluster();
        try {
            cluster.broker.awaitReady(START_TIMEOUT);
            try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                    (Object) cluster.bootstrapServers()))) {
                TopicCreation.createMissing(admin, new TopicCreation.Sizes(partitions, BOARD_PARTITIONS,
                        REPLY_PARTITIONS, (short) 1, 1));
            }
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    String bootstrapServers() {
        return broker.bootstrapServers();
    }

    private Path path(String name) {
        return scratch.path().resolve(name);
    }

    /** Returns a node that serves reads. Its state is that of an earlier node of this name. */
    Started node(String name) {
        long startedNs = System.nanoTime();
        return awaited(startNode(name), startedNs);
    }

    /** Returns a gateway with this limit of its heap. */
    Started gateway(String name, int heapMib) {
        long startedNs = System.nanoTime();
        return awaited(startServer("gateway", name, List.of("-Xmx" + heapMib + "m")), startedNs);
    }

    /** Returns nodes without state that share the partitions. They start at the same time, since partitions with state move slowly. */
    List<ChildProcess> freshNodes(int count, int partitions) throws InterruptedException {
        var nodes = new ArrayList<ChildProcess>();
        for (int i = 0; i < count; i++) {
            nodes.add(startNode("node-of-" + count + "-" + i));
        }
        nodes.forEach(node -> node.awaitReady(START_TIMEOUT));
        PinnedCluster.awaitShared(bootstrapServers(), count, partitions / count, START_TIMEOUT,
                () -> nodes.forEach(ChildProcess::expectAlive));
        return nodes;
    }

    private ChildProcess startNode(String name) {
        return startServer("node", name, List.of(), "--standbys", "0", "--threads", "1", "--data-dir",
                path(name).toString());
    }

    private ChildProcess startServer(String role, String name, List<String> jvmOptions, String... further) {
        var arguments = new ArrayList<>(List.of(role, "--host", LOOPBACK, "--port", "0", "--kafka", bootstrapServers(),
                "--admin-key", ChildProcess.ADMIN_KEY));
        arguments.addAll(List.of(further));
        return start(name, jvmOptions, arguments.toArray(String[]::new));
    }

    private static Started awaited(ChildProcess process, long startedNs) {
        process.awaitReady(START_TIMEOUT);
        return new Started(process, (System.nanoTime() - startedNs) / 1e9);
    }

    private ChildProcess start(String name, List<String> jvmOptions, String... arguments) {
        ChildProcess process = ChildProcess.start(List.of(), path(name + ".log"), jvmOptions, List.of(arguments));
        processes.add(process);
        return process;
    }

    /** Sends a request of a tenant. @param tenant null: of the instance @param body null: none @throws IllegalStateException if it is refused */
    static JsonNode send(ServerCalls server, String method, String path, @Nullable String tenant,
            @Nullable Object body) {
        HttpRequest.Builder request = server.request(path, tenant).method(method, body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(Json.write(body)));
        HttpResponse<byte[]> answer = server.sendOrFail(request.header("Content-Type", "application/json").build());
        if (answer.statusCode() >= 300) {
            throw new IllegalStateException(method + " " + path + " was answered " + answer.statusCode() + ": "
                    + ServerCalls.errorOf(answer));
        }
        JsonNode read = Json.read(answer.body(), JsonNode.class);
        if (read.path("pending").asBoolean(false) || !read.path("issues").isEmpty()) {
            throw new IllegalStateException(method + " " + path + " was not carried out: " + read);
        }
        return read;
    }

    /** Runs a task for each number from 0, some at a time; returns when all are done. */
    static void inParallel(int count, IntConsumer task) throws InterruptedException {
        try (var pool = Executors.newFixedThreadPool(REQUESTS_AT_ONCE)) {
            var results = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                int number = i;
                results.add(pool.submit(() -> task.accept(number)));
            }
            for (Future<?> result : results) {
                result.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a request failed: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (scratch) {
            processes.reversed().forEach(ChildProcess::close);
        }
    }
}
