package dev.laurel.deploy.roles;

import dev.laurel.processors.DeliveryConfig;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.RemoteNodes;
import dev.laurel.query.read.DeliveryLookups;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "delivery", description = "Run delivery, which sends webhooks, emails and push messages, until SIGTERM. Several share the work.")
public final class DeliveryCommand implements Callable<Integer> {

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

    @Option(names = "--nodes", required = true, split = ",", paramLabel = "URL", description = "Where nodes answer, one or several, or what spreads requests over them; not a gateway, nor what sends POST to one.")
    private List<String> nodes;

    @Override
    public Integer call() throws InterruptedException {
        options.configureLogging();
        List<String> addresses = nodes.stream().map(this::address).toList();
        Map<String, Object> settings = delivery.settings();
        settings.put(DeliveryConfig.THREADS, stores.threads(1));
        settings.put(DeliveryConfig.STANDBYS, stores.standbys());
        new RoleProgram("delivery", options, spec.commandLine().getOut()).run(options.port(), base -> {
            RoleProcess process = base.process();
            process.parts().add(stores.take("delivery"));
            settings.put(DeliveryConfig.REPLICATION, base.log().replication());
            settings.put(DeliveryConfig.MIN_IN_SYNC, base.log().minInSync());
            var client = process.parts().add(new PeerClient(base.peerKey(), null));
            var compiled = new RulesetVersions(base.tables().rulesets(), RULESET_PATIENCE);
            var sources = new DeliveryRole.Sources(compiled,
                    new DeliveryLookups(new RemoteNodes(addresses, client), compiled));
            return DeliveryRole.start(process, base.tables(), sources, stores.stateDir(), settings);
        });
        return 0;
    }

    /** Host and port of an URL. */
    private String address(String url) {
        try {
            var parsed = new URI(url);
            boolean isPlain = parsed.getRawPath() != null && parsed.getRawPath().length() <= 1
                    && parsed.getRawQuery() == null && parsed.getRawFragment() == null && parsed.getUserInfo() == null;
            if ("http".equalsIgnoreCase(parsed.getScheme()) && parsed.getHost() != null && isPlain) {
                return parsed.getHost() + ":" + (parsed.getPort() < 0 ? 80 : parsed.getPort());
            }
        } catch (URISyntaxException _) {
            // said below, with what is allowed
        }
        throw new ParameterException(spec.commandLine(),
                "--nodes must be URLs without a path, like http://nodes.example.com:8080, has '" + url + "'");
    }
}
