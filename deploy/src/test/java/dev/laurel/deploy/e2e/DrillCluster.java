package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.deploy.CommandRun;
import dev.laurel.platform.http.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;

/**
 * Brokers, nodes with one standby copy, and gateways, each a process of its own as operators start them. Logs go to
 * files of the folder.
 */
final class DrillCluster implements AutoCloseable {

    static final int PARTITIONS = 4;
    private static final String LEDGER = "laurel-ledger";
    private static final int BOARD_PARTITIONS = 2;
    private static final int GATEWAY_PARTITIONS = 4;

    private final Path folder;
    private final List<LaurelProcess> brokers = new ArrayList<>();
    private final List<Member> nodes = new ArrayList<>();
    private final List<Member> gateways = new ArrayList<>();
    private final DrillServers nodeServers = new DrillServers();
    private final DrillServers gatewayServers = new DrillServers();
    private final List<CuttableProxy> lines = new ArrayList<>();
    private String kafka;

    /** A process that can be restarted with the same identity. */
    static final class Member {
        private final Path log;
        private final List<String> command;
        private LaurelProcess process;

        private Member(Path log, List<String> command) throws IOException {
            this.log = log;
            this.command = command;
            start();
        }

        /** Launches the process without waiting for it. */
        LaurelProcess start() throws IOException {
            process = LaurelProcess.launch(log, command);
            return process;
        }

        LaurelProcess process() {
            return process;
        }

        String log() throws IOException {
            return Files.readString(log);
        }
    }

    private DrillCluster(Path folder) {
        this.folder = folder;
    }

    /** Returns when all serve and the rules are in force. */
    static DrillCluster start(Path folder, int brokers, int nodes, int gateways, String ruleset) throws IOException {
        var cluster = new DrillCluster(folder);
        try {
            cluster.startBrokers(brokers);
            for (int i = 0; i < nodes; i++) {
                cluster.launchNode();
            }
            for (int i = 0; i < gateways; i++) {
                cluster.launchGateway();
            }
            cluster.awaitReady();
            try (var client = cluster.gateways.getFirst().process().client()) {
                client.put("/admin/v1/ruleset", ruleset).expect(200);
            }
            return cluster;
        } catch (IOException | RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private void startBrokers(int count) throws IOException {
        List<Integer> controllers = TestServer.unusedPorts(count);
        String quorum = IntStream.rangeClosed(1, count)
                .mapToObj(id -> id + "@127.0.0.1:" + controllers.get(id - 1))
                .collect(Collectors.joining(","));
        for (int id = 1; id <= count; id++) {
            var command = new ArrayList<>(List.of(
                    "broker",
                    "--node-id",
                    Integer.toString(id),
                    "--data-dir",
                    folder.resolve("broker-" + id).toString()));
            command.addAll(withLine(id, controllers.get(id - 1)));
            if (count > 1) {
                command.addAll(List.of("--quorum", quorum));
            }
            brokers.add(LaurelProcess.launch(folder.resolve("broker-" + id + ".log"), command));
        }
        kafka = brokers.stream()
                .map(broker -> broker.awaitReady().bootstrapServers())
                .collect(Collectors.joining(","));
        CommandRun created = CommandRun.of(
                "topics",
                "create",
                "--kafka",
                kafka,
                "--partitions",
                Integer.toString(PARTITIONS),
                "--board-partitions",
                Integer.toString(BOARD_PARTITIONS),
                "--gateway-partitions",
                Integer.toString(GATEWAY_PARTITIONS));
        assertEquals(0, created.exitCode(), created.err());
    }

    /** Returns options for a second listener, which clients reach only through a {@link CuttableProxy}. */
    private List<String> withLine(int broker, int controllerPort) throws IOException {
        List<Integer> ports = TestServer.unusedPorts(2);
        String open = "PLAINTEXT://127.0.0.1:" + ports.getFirst();
        var line = new CuttableProxy(ports.getLast());
        lines.add(line);
        Path config = Files.writeString(folder.resolve("broker-" + broker + ".properties"), """
            listeners=%s,LINE://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d
            advertised.listeners=%s,LINE://127.0.0.1:%d
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,LINE:PLAINTEXT,CONTROLLER:PLAINTEXT
            """.formatted(
                        open, ports.getLast(), controllerPort, open, line.port()));
        return List.of(
                "--port",
                ports.getFirst().toString(),
                "--controller-port",
                Integer.toString(controllerPort),
                "--config",
                config.toString());
    }

    private Member launchNode() throws IOException {
        return launchNode(kafka, folder.resolve("node-" + (nodes.size() + 1)));
    }

    /** @param kafka addresses of the brokers; @param dataDir folder for its stores */
    Member launchNode(String kafka, Path dataDir) throws IOException {
        Member node = launch("node", nodes, kafka, List.of("--data-dir", dataDir.toString(), "--threads", "1"));
        nodes.add(node);
        return node;
    }

    private Member launchGateway() throws IOException {
        Member gateway = launch("gateway", gateways, kafka, List.of());
        gateways.add(gateway);
        return gateway;
    }

    /** Launches a server on a port that it keeps after a restart, because the ingress identifies it by the port. */
    private Member launch(String role, List<Member> others, String kafka, List<String> options) throws IOException {
        var command = new ArrayList<>(List.of(
                role,
                "--kafka",
                kafka,
                "--admin-key",
                LaurelProcess.ADMIN_KEY,
                "--host",
                "127.0.0.1",
                "--port",
                Integer.toString(TestServer.unusedPort())));
        command.addAll(options);
        return new Member(folder.resolve(role + "-" + (others.size() + 1) + ".log"), command);
    }

    /** Waits for the launched servers, which the ingress uses from then on. */
    private void awaitReady() {
        nodes.forEach(node -> nodeServers.add(node.process().awaitReady().url()));
        gateways.forEach(
                gateway -> gatewayServers.add(gateway.process().awaitReady().url()));
    }

    /** Starts another node and waits until it is ready. */
    Member addNode() throws IOException {
        return inService(launchNode());
    }

    /** Waits until this node serves. */
    Member inService(Member node) {
        nodeServers.add(node.process().awaitReady().url());
        return node;
    }

    /** Returns the number of partitions of users of each member of the ledger's group. */
    List<Integer> shares() {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka))) {
            return admin.describeConsumerGroups(List.of(LEDGER)).all().get().get(LEDGER).members().stream()
                    .map(member -> (int) member.assignment().topicPartitions().stream()
                            .filter(partition -> partition.topic().equals(DirectProducer.COMMANDS))
                            .count())
                    .toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking who has what", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("it is not known who has what", e);
        }
    }

    String kafka() {
        return kafka;
    }

    /** Returns the addresses of the same brokers through lines that can be cut. */
    String kafkaByLine() {
        return lines.stream().map(line -> "127.0.0.1:" + line.port()).collect(Collectors.joining(","));
    }

    /** Returns one line per broker. */
    List<CuttableProxy> lines() {
        return lines;
    }

    /** Returns the processes of the brokers, in order. */
    List<LaurelProcess> brokers() {
        return brokers;
    }

    List<Member> nodes() {
        return nodes;
    }

    List<Member> gateways() {
        return gateways;
    }

    DrillServers nodeServers() {
        return nodeServers;
    }

    DrillServers gatewayServers() {
        return gatewayServers;
    }

    /** Closes roles first, so that none waits for a broker that is gone. */
    @Override
    public void close() throws IOException {
        nodeServers.close();
        gatewayServers.close();
        gateways.forEach(gateway -> gateway.process().close());
        nodes.forEach(node -> node.process().close());
        brokers.forEach(LaurelProcess::close);
        for (CuttableProxy line : lines) {
            line.close();
        }
    }
}
