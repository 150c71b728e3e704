package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.cli.KafkaConfigOption;
import dev.laurel.deploy.cli.ProcessLifecycle;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.processors.runtime.StreamsSettings;
import dev.laurel.schemas.access.ApiKey;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that runs the roles of a process of its own until it is asked to stop. The HTTP server starts early; {@code /readyz} reports
 * that they are not ready yet.
 */
abstract class RoleCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = "--kafka",
            required = true,
            paramLabel = "HOST:PORT,…",
            description = "Addresses of Kafka brokers. The topics must exist; 'laurel topics create' creates them.")
    private String kafka;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "0.0.0.0",
            description = "Address to listen on (default: ${DEFAULT-VALUE}, all of this machine).")
    String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8080",
            description = "Port for HTTP; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    int port;

    @Mixin
    private KafkaConfigOption kafkaConfig;

    @Mixin
    ServingOptions serving;

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

    @Override
    public final Integer call() throws InterruptedException {
        serving.configureLogging();
        run();
        return 0;
    }

    /** Reads the options and {@linkplain #run(String, HttpSettings.Address, Function, Start) runs} the roles. */
    abstract void run() throws InterruptedException;

    /** A role that keeps stores, and whose processes call each other. */
    abstract static class WithStores extends RoleCommand {
        @Mixin
        StoreOptions stores;

        @Mixin
        PeerOptions peers;

        interface Start {
            List<Role> start(Base base, StreamsSettings settings) throws InterruptedException;
        }

        final void run(String name, int usualThreads, long rocksDbBytes, Start start) throws InterruptedException {
            int threads = stores.threads(usualThreads);
            int standbys = stores.standbys();
            var listening = ServerAddress.Advertised.of(spec, host, port, peers.advertised);
            run(
                    name,
                    listening.address(),
                    parts -> stores.takeTables(name, parts),
                    base -> start.start(
                            base,
                            new StreamsSettings(
                                    base.process().kafka(),
                                    stores.stateDir(),
                                    threads,
                                    standbys,
                                    rocksDbBytes,
                                    base.log().replication(),
                                    base.log().minInSync(),
                                    listening.advertised())));
        }
    }

    /**
     * @param name name of the first role, for people
     * @param tables returns the folder for the tables of the process, after it has taken it; null: a temporary one
     */
    final void run(
            String name, HttpSettings.Address listening, Function<CloseStack, @Nullable Path> tables, Start start)
            throws InterruptedException {
        long startedNs = System.nanoTime();
        ApiKey startKey = serving.adminKey.required();
        RoleServer.Address address = serving.address(listening);
        OidcSettings oidc = serving.oidc.settings();
        KafkaAccess access = kafkaConfig.at(kafka);
        KafkaClients.expectReachable(kafka);
        PrintWriter out = spec.commandLine().getOut();
        ProcessLifecycle.of(lifetime -> {
            var process = new RoleProcess(
                    access,
                    InstantSource.system(),
                    lifetime.parts().add(serving.tracing.start("laurel-" + name)),
                    lifetime.parts(),
                    lifetime.fault());
            KafkaChecks.Log log = KafkaChecks.expectTopics(access);
            FollowedTables followed = FollowedTables.start(process, tables.apply(lifetime.parts()));
            var base = new Base(process, followed, log, startKey);
            List<Role> roles = start.start(base);
            RoleServer server = new RoleServer(
                    process,
                    followed,
                    address,
                    base.peerKey(),
                    new RoleServer.SignIn(startKey, oidc),
                    () -> roles.stream().allMatch(Role::isReady),
                    roles.stream().map(Role::routes).toList());
            for (Role role : roles) {
                role.awaitReady();
            }
            out.printf("Laurel is ready at %s after %.1f s.%n", server.url(), (System.nanoTime() - startedNs) / 1e9);
            if (roles.stream().anyMatch(role -> role instanceof GatewayRole gateway && !gateway.isStartKeyValid())) {
                out.println("The admin key has been revoked, rotated or deleted.");
            }
            out.printf(
                    "Kafka is at %s, this is a %s. Stop with Ctrl-C.%n",
                    access.bootstrapServers(), roles.size() > 1 ? name + " with a gateway" : name);
            out.flush();
        });
    }
}
