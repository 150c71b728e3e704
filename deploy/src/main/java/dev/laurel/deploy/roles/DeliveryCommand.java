package dev.laurel.deploy.roles;

import dev.laurel.deploy.tools.TrustOption;
import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerMeters;
import dev.laurel.query.peer.RemoteNodes;
import dev.laurel.query.read.DeliveryLookups;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(name = "delivery", description = "Run delivery, which sends webhooks, emails and push messages, until SIGTERM. Several share the work.")
public final class DeliveryCommand implements Callable<Integer> {
    private static final int ROCKSDB_MIB = 128;

    /** How long a task waits to find out about a version of the rules that it has heard of. */
    private static final Duration RULESET_PATIENCE = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    @Mixin
    private RoleOptions options;

    @Mixin
    private StoreOptions stores;

    @Mixin
    private DeliveryOptions delivery;

    @Option(names = "--nodes", required = true, split = ",", paramLabel = "URL", description = "Where nodes answer, one or several, or what spreads requests over them, all http or all https; not a gateway, nor what sends POST to one.")
    private List<String> nodes;

    @Option(names = "--advertised", paramLabel = "HOST:PORT", description = "Where other deliveries reach this one (default: --host and --port, if --host does not stand for all addresses).")
    private String advertised;

    @Mixin
    private TrustOption trust;

    @Override
    public Integer call() throws InterruptedException {
        options.configureLogging();
        Listening listening = Listening.of(spec, options.host(), options.port(), advertised);
        var asked = NodeAddresses.of(spec, nodes);
        SSLContext tls = options.isTls() || asked.isTls() ? trust.tls() : null;
        Map<String, Object> settings = delivery.settings();
        settings.put(DeliveryConfig.THREADS, stores.threads(1));
        settings.put(DeliveryConfig.STANDBYS, stores.standbys());
        settings.put(DeliveryConfig.ROCKSDB_BYTES, stores.rocksDbBytes(ROCKSDB_MIB));
        settings.put(DeliveryConfig.ADVERTISED, listening.advertised());
        new RoleProgram("delivery", options, spec.commandLine().getOut()).run(listening.port(), base -> {
            RoleProcess process = base.process();
            process.parts().add(stores.take("delivery"));
            settings.put(DeliveryConfig.REPLICATION, base.log().replication());
            settings.put(DeliveryConfig.MIN_IN_SYNC, base.log().minInSync());
            var calls = process.parts().add(new PeerMeters(process.metrics()));
            PeerClient toNodes = client(base, asked.isTls() ? tls : null, calls);
            PeerClient toOthers = client(base, options.isTls() ? tls : null, calls);
            var compiled = new RulesetVersions(base.tables().rulesets(), RULESET_PATIENCE);
            var sources = new DeliveryRole.Sources(compiled,
                    new DeliveryLookups(new RemoteNodes(asked.hostPorts(), toNodes), compiled));
            return DeliveryRole.start(process, base.tables(), sources, stores.stateDir(), settings,
                    new DeliveryRole.Others(listening.advertised(), toOthers));
        });
        return 0;
    }

    private static PeerClient client(RoleProgram.Base base, SSLContext tls, PeerMeters calls) {
        return base.process().parts().add(new PeerClient(base.peerKey(), tls, calls, base.process().tracing()));
    }
}
