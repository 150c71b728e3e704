package dev.laurel.deploy.e2e;

import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.roles.PeerProcess;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.TopicCreation;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;

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
        private final PeerProcess process;
        private final LaurelClient client;

        private Node(KafkaAccess kafka, Path dir) throws IOException, InterruptedException {
            process = PeerProcess.node(kafka, ADMIN_KEY, TestServer.unusedPort(), dir);
            client = new LaurelClient(process.url(), ADMIN_KEY.text());
        }

        LaurelClient client() {
            return client;
        }

        Set<String> routes() {
            return process.routes();
        }

        boolean isReady() {
            return process.isReady();
        }

        /** Returns the number of nodes with partitions, as this node sees it. */
        long owners() {
            return process.owners();
        }

        /** Stops responding without leaving the group. */
        void hangUp() {
            process.hangUp();
        }

        @Override
        public void close() {
            client.close();
            process.close();
        }
    }

    PeerCluster(Path dir) throws IOException, InterruptedException {
        try {
            kafka = KafkaAccess.at(parts.add(EmbeddedBroker.start(BrokerSettings.alone(dir.resolve("kafka"), 0, 0)))
                    .bootstrapServers());
            try (Admin admin = KafkaClients.admin(kafka, Map.of())) {
                TopicCreation.createMissing(
                        admin, new TopicCreation.Sizes(PARTITIONS, PARTITIONS, 1, (short) 1, 1), Topics.all());
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
        return parts.add(new LaurelClient(
                parts.add(PeerProcess.gateway(kafka, ADMIN_KEY)).url(), ADMIN_KEY.text()));
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
