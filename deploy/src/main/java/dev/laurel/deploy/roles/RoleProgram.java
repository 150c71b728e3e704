package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.ProcessLifecycle;
import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.schemas.access.ApiKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Runs the roles of a process until it is asked to stop. The HTTP server starts early; {@code /readyz} reports that
 * they are not ready yet.
 */
final class RoleProgram {

    private final String name;
    private final RoleOptions options;
    private final PrintWriter out;

    /** The parts that every role is started with. */
    record Base(RoleProcess process, FollowedTables tables, KafkaChecks.Log log, ApiKey startKey) {

        /** Returns the key with which the processes of this deployment call each other. */
        PeerKey peerKey() {
            return PeerKey.of(startKey.text());
        }
    }

    interface Start {

        /** Returns the roles in the order in which they become ready. */
        List<Role> start(Base base) throws InterruptedException;
    }

    /** @param name name of the first role, for people */
    RoleProgram(String name, RoleOptions options, PrintWriter out) {
        this.name = name;
        this.options = options;
        this.out = out;
    }

    /**
     * @param port port of the HTTP server; 0 takes any free one
     * @param tables returns the folder for the tables of the process, after it has taken it; null: a temporary one
     */
    void run(int port, Function<CloseStack, @Nullable Path> tables, Start start) throws InterruptedException {
        long startedNs = System.nanoTime();
        ApiKey startKey = options.adminKey();
        RoleServer.Address address = options.address(port);
        OidcSettings oidc = options.oidc();
        KafkaAccess kafka = options.kafka();
        ProcessLifecycle.of(lifetime -> {
            var process = new RoleProcess(kafka, InstantSource.system(),
                    lifetime.parts().add(options.tracing().start("laurel-" + name)), lifetime.parts(),
                    lifetime.fault());
            KafkaChecks.Log log = log(kafka);
            FollowedTables followed = FollowedTables.start(process, tables.apply(lifetime.parts()));
            var base = new Base(process, followed, log, startKey);
            List<Role> roles = start.start(base);
            RoleServer server = RoleServer.start(process, followed, address, base.peerKey(),
                    new RoleServer.SignIn(startKey, oidc),
                    () -> roles.stream().allMatch(Role::isReady), roles.stream().map(Role::routes).toList());
            for (Role role : roles) {
                role.awaitReady();
            }
            out.printf("Laurel is ready at %s after %.1f s.%n", server.url(),
                    (System.nanoTime() - startedNs) / 1e9);
            if (roles.stream().anyMatch(role -> role instanceof GatewayRole gateway && !gateway.isStartKeyValid())) {
                out.println("The admin key has been revoked, rotated or deleted.");
            }
            out.printf("Kafka is at %s, this is a %s. Stop with Ctrl-C.%n", kafka.bootstrapServers(),
                    roles.size() > 1 ? name + " with a gateway" : name);
            out.flush();
        });
    }

    private static KafkaChecks.Log log(KafkaAccess kafka) throws InterruptedException {
        try (Admin admin = KafkaClients.admin(kafka, Map.of())) {
            return KafkaChecks.expectTopics(kafka, admin);
        }
    }
}
