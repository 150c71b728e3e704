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
            return new ServerCalls(process.url(), ChildProcess.ADMIN_KEY, null);
        }
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
        return server("node", name, List.of(), "--standbys", "0", "--threads", "1",
                "--ruleset-snapshots", "64", "--ruleset-versions", "256", "--data-dir", path(name).toString());
    }

    /** Returns a gateway with this limit of its heap. */
    Started gateway(String name, int heapMib) {
        return server("gateway", name, List.of("-Xmx" + heapMib + "m"));
    }

    /** Returns nodes without state that share the partitions. */
    List<Started> freshNodes(int count, int partitions) throws InterruptedException {
        var nodes = new ArrayList<Started>();
        for (int i = 0; i < count; i++) {
            nodes.add(node("node-of-" + count + "-" + i));
        }
        PinnedCluster.awaitShared(bootstrapServers(), count, partitions / count,
                () -> nodes.forEach(node -> node.process().expectAlive()));
        return nodes;
    }

    private Started server(String role, String name, List<String> jvmOptions, String... further) {
        long startedNs = System.nanoTime();
        var arguments = new ArrayList<>(List.of(role, "--host", LOOPBACK, "--port", "0", "--kafka", bootstrapServers(),
                "--admin-key", ChildProcess.ADMIN_KEY));
        arguments.addAll(List.of(further));
        ChildProcess process = start(name, jvmOptions, arguments.toArray(String[]::new)).awaitReady(START_TIMEOUT);
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
        HttpRequest.Builder request = server.request(path).method(method, body == null
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(Json.write(body)));
        if (tenant != null) {
            request.header("Tenant-ID", tenant);
        }
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
