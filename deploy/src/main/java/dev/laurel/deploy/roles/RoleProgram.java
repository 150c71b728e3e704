package dev.laurel.deploy.roles;

import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.PeerKey;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/** Runs one role as a process of its own, until it is told to stop. Serves from early on: until it is ready, {@code /readyz} says so. */
final class RoleProgram {

    private final String name;
    private final RoleOptions options;
    private final PrintWriter out;

    /** What every role is made of when it starts. */
    record Base(RoleProcess process, FollowedTables tables, KafkaChecks.Log log, ApiKey startKey) {

        /** What the processes of this deployment know each other by. */
        PeerKey peerKey() {
            return PeerKey.of(startKey.text());
        }
    }

    interface Start {

        Role start(Base base) throws InterruptedException;
    }

    /** @param name of the role, for people */
    RoleProgram(String name, RoleOptions options, PrintWriter out) {
        this.name = name;
        this.options = options;
        this.out = out;
    }

    /** @param port to serve at; 0 takes any free one */
    void run(int port, Start start) throws InterruptedException {
        long startedNs = System.nanoTime();
        ApiKey startKey = options.adminKey();
        RoleServer.Address address = options.address(port);
        KafkaCluster kafka = options.kafka();
        Lifetime.of(lifetime -> {
            var process = new RoleProcess(kafka, InstantSource.system(),
                    lifetime.parts().add(options.tracing().start("laurel-" + name)), lifetime.parts(),
                    lifetime.fault());
            KafkaChecks.Log log = log(kafka);
            FollowedTables tables = FollowedTables.start(process);
            var base = new Base(process, tables, log, startKey);
            Role role = start.start(base);
            RoleServer server = RoleServer.start(process, tables, address, base.peerKey(), role::isReady,
                    List.of(role.routes()));
            role.awaitReady();
            out.printf("Laurel is ready at %s after %.1f s.%n", server.url(),
                    (System.nanoTime() - startedNs) / 1e9);
            if (role instanceof GatewayRole gateway && !gateway.isStartKeyValid()) {
                out.println("The admin key has been revoked, rotated or deleted.");
            }
            out.printf("Kafka is at %s, this is a %s. Stop with Ctrl-C.%n", kafka.bootstrapServers(), name);
            out.flush();
        });
    }

    private static KafkaChecks.Log log(KafkaCluster kafka) throws InterruptedException {
        try (Admin admin = kafka.admin()) {
            return KafkaChecks.expectTopics(kafka, admin);
        }
    }
}
