package dev.laurel.deploy.e2e;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.roles.FollowedTables;
import dev.laurel.deploy.roles.GatewayRole;
import dev.laurel.deploy.roles.NodeRole;
import dev.laurel.deploy.roles.RoleProcess;
import dev.laurel.deploy.roles.RoleServer;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.query.peer.PeerClient.PeerSettings;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.schemas.access.ApiKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.StreamsMetadata;

/** A gateway and two nodes in this process; each node has standby copies of the other's stores. */
final class PeerCluster implements AutoCloseable {

    static final ApiKey ADMIN_KEY = ApiKey.givenAdminKey("e2epeers.0123456789abcdef0123456789abcdef");
    private static final int PARTITIONS = 4;

    private final CloseStack parts = new CloseStack();
    private final KafkaAccess kafka;
    private final Node first;
    private final Node second;
    private final LaurelClient gateway;

    /** A node with its own address. */
    static final class Node implements AutoCloseable {
        private final CloseStack parts = new CloseStack();
        private final NodeRole role;
        private final RoleServer server;
        private final CloseStack serverParts = new CloseStack();
        private final LaurelClient client;

        private Node(KafkaAccess kafka, Path dir) throws IOException, InterruptedException {
            int port = freePort();
            String advertised = "127.0.0.1:" + port;
            var process = process(kafka, parts);
            FollowedTables tables = FollowedTables.start(process, null);
            var peers = new PeerSettings(advertised, PeerKey.of(ADMIN_KEY.text()), PeerSettings.DEFAULT_MAX_LAG,
                    PeerClient.DEFAULT_MAX_CALLS, null);
            role = NodeRole.start(process, tables, Files.createDirectories(dir),
                    Map.of(LedgerConfig.THREADS, 1, LedgerConfig.STANDBYS, 1, LedgerConfig.ADVERTISED, advertised),
                    peers);
            server = RoleServer.start(process(kafka, serverParts), tables,
                    new RoleServer.Address("127.0.0.1", port, null, null, false), peers.key(),
                    new RoleServer.SignIn(ADMIN_KEY, null), role::isReady,
                    List.of(role.routes()));
            client = new LaurelClient("http://" + advertised, ADMIN_KEY.text());
        }

        LaurelClient client() {
            return client;
        }

        Set<String> routes() {
            return server.routes().keySet();
        }

        boolean isReady() {
            return role.isReady();
        }

        /** Returns the number of nodes with partitions, as this node sees it. */
        long owners() {
            return role.ledger().members().stream().map(StreamsMetadata::topicPartitions)
                    .filter(partitions -> !partitions.isEmpty()).count();
        }

        /** Stops responding without leaving the group. */
        void hangUp() {
            serverParts.close();
        }

        @Override
        public void close() {
            client.close();
            serverParts.close();
            parts.close();
        }
    }

    PeerCluster(Path dir) throws IOException, InterruptedException {
        try {
            kafka = KafkaAccess.at(parts.add(EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0)))
                    .bootstrapServers());
            try (Admin admin = KafkaClients.admin(kafka, Map.of())) {
                TopicCreation.createMissing(admin,
                        new TopicCreation.Sizes(PARTITIONS, PARTITIONS, 1, (short) 1, 1));
            }
            first = parts.add(new Node(kafka, dir.resolve("first")));
            second = parts.add(new Node(kafka, dir.resolve("second")));
            gateway = startGateway();
        } catch (IOException | InterruptedException | RuntimeException e) {
            parts.close();
            throw e;
        }
    }

    private LaurelClient startGateway() throws InterruptedException {
        var process = process(kafka, parts);
        FollowedTables tables = FollowedTables.start(process, null);
        GatewayRole role = GatewayRole.start(process, tables, ADMIN_KEY, Map.of(), null);
        role.awaitReady();
        RoleServer server = RoleServer.start(process, tables, new RoleServer.Address("127.0.0.1", 0, null, null, false),
                null,
                new RoleServer.SignIn(ADMIN_KEY, null), role::isReady, List.of(role.routes()));
        return parts.add(new LaurelClient(server.url(), ADMIN_KEY.text()));
    }

    private static RoleProcess process(KafkaAccess kafka, CloseStack parts) {
        return new RoleProcess(kafka, InstantSource.system(), Tracing.NONE, parts, new CompletableFuture<>());
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    LaurelClient gateway() {
        return gateway;
    }

    Node first() {
        return first;
    }

    Node second() {
        return second;
    }

    @Override
    public void close() {
        parts.close();
    }
}
