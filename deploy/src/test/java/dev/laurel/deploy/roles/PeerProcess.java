package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerSettings;
import dev.laurel.schemas.access.ApiKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.streams.StreamsMetadata;

/** A node or a gateway in this process, with its own address. */
public final class PeerProcess implements AutoCloseable {

    private final CloseStack parts = new CloseStack();
    private final CloseStack serverParts = new CloseStack();
    private final RoleServer server;
    private final Role role;

    private PeerProcess(KafkaAccess kafka, ApiKey key, int port, Path dir) throws IOException, InterruptedException {
        String advertised = "127.0.0.1:" + port;
        var process = process(kafka, parts);
        FollowedTables tables = FollowedTables.start(process, null);
        var peers = new PeerSettings(advertised, PeerKey.of(key.text()), 10_000, PeerClient.DEFAULT_MAX_CALLS, null);
        role = new NodeRole(
                process,
                tables,
                LedgerConfig.of(new StreamsSettings(
                        kafka,
                        Files.createDirectories(dir),
                        1,
                        1,
                        BoundedRocksDb.DEFAULT_MEMORY_BYTES,
                        -1,
                        -1,
                        advertised)),
                peers);
        server = new RoleServer(
                process(kafka, serverParts),
                tables,
                new RoleServer.Address(new HttpSettings.Address("127.0.0.1", port), null, null, false),
                peers.key(),
                new RoleServer.SignIn(key, null),
                role::isReady,
                List.of(role.routes()));
    }

    private PeerProcess(KafkaAccess kafka, ApiKey key) throws InterruptedException {
        var process = process(kafka, parts);
        FollowedTables tables = FollowedTables.start(process, null);
        role = new GatewayRole(process, tables, key, false, GatewayConfig.Limits.DEFAULT, null);
        role.awaitReady();
        server = new RoleServer(
                process,
                tables,
                new RoleServer.Address(new HttpSettings.Address("127.0.0.1", 0), null, null, false),
                null,
                new RoleServer.SignIn(key, null),
                role::isReady,
                List.of(role.routes()));
    }

    /** @param key admin key @param port port on which other nodes reach it */
    public static PeerProcess node(KafkaAccess kafka, ApiKey key, int port, Path dir)
            throws IOException, InterruptedException {
        return new PeerProcess(kafka, key, port, dir);
    }

    /** Returns a gateway that is ready. */
    public static PeerProcess gateway(KafkaAccess kafka, ApiKey key) throws InterruptedException {
        return new PeerProcess(kafka, key);
    }

    private static RoleProcess process(KafkaAccess kafka, CloseStack parts) {
        return new RoleProcess(kafka, InstantSource.system(), Tracing.NONE, parts, new CompletableFuture<>());
    }

    public String url() {
        return server.url();
    }

    public Set<String> routes() {
        return server.routes().keySet();
    }

    public boolean isReady() {
        return role.isReady();
    }

    /** Returns the number of nodes with partitions, as this node sees it. */
    public long owners() {
        return ((NodeRole) role)
                .ledger().members().stream()
                        .map(StreamsMetadata::topicPartitions)
                        .filter(partitions -> !partitions.isEmpty())
                        .count();
    }

    /** Stops responding without leaving the group. */
    public void hangUp() {
        serverParts.close();
    }

    @Override
    public void close() {
        serverParts.close();
        parts.close();
    }
}
