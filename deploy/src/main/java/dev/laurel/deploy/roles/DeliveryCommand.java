package dev.laurel.deploy.roles;

import dev.laurel.delivery.runtime.DeliveryConfig;
import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import dev.laurel.query.peer.PeerNodes.RemoteNodes;
import dev.laurel.query.read.DeliveryLookups;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
        name = "delivery",
        description =
                "Run delivery, which sends webhooks, emails and push messages, until SIGTERM. Several share the work.")
public final class DeliveryCommand extends RoleCommand.WithStores {
    private static final int ROCKSDB_MIB = 128;

    /** Time that a task waits for a ruleset version that an effect mentions. */
    private static final Duration RULESET_TIMEOUT = Duration.ofSeconds(30);

    @Mixin
    private DeliveryOptions delivery;

    @Option(
            names = "--nodes",
            required = true,
            split = ",",
            paramLabel = "URL",
            description = "Addresses of nodes, or of a load balancer in front of them; all http or all https. Not of a"
                    + " gateway, nor of a load balancer that sends POST to one.")
    private List<String> nodes;

    @Override
    void run() throws InterruptedException {
        var addresses = NodeAddresses.of(spec, nodes);
        SSLContext tls = peers.tls(serving.tls.isOn() || addresses.isTls());
        int maxCalls = peers.maxCalls();
        long rocksDbBytes = stores.rocksDbBytes(ROCKSDB_MIB);
        DeliveryConfig.Sending sending = delivery.sending(false, "");
        run("delivery", 1, rocksDbBytes, (base, settings) -> {
            RoleProcess process = base.process();
            var calls = process.parts().add(new PeerMeters(process.metrics()));
            PeerClient toNodes = client(base, addresses.isTls() ? tls : null, maxCalls, calls);
            PeerClient toOthers = client(base, serving.tls.isOn() ? tls : null, maxCalls, calls);
            var compiled = new RulesetVersions(base.tables().rulesets(), RULESET_TIMEOUT);
            var sources = new DeliveryRole.Sources(
                    compiled, new DeliveryLookups(new RemoteNodes(addresses.hostPorts(), toNodes), compiled));
            return List.of(new DeliveryRole(
                    process,
                    base.tables(),
                    sources,
                    new DeliveryConfig(settings, DeliveryConfig.COMMIT_INTERVAL_MS, sending),
                    toOthers));
        });
    }

    private static PeerClient client(Base base, @Nullable SSLContext tls, int maxCalls, PeerMeters calls) {
        return base.process()
                .parts()
                .add(new PeerClient(
                        base.peerKey(), tls, maxCalls, calls, base.process().tracing()));
    }

    /**
     * Addresses of nodes.
     *
     * @param hostPorts host:port of each node
     * @param isTls whether all of them use TLS; otherwise none does
     */
    record NodeAddresses(List<String> hostPorts, boolean isTls) {

        /** @throws ParameterException if an address is malformed, or http and https are mixed */
        static NodeAddresses of(CommandSpec command, List<String> urls) {
            var hostPorts = new ArrayList<String>();
            int secured = 0;
            for (String text : urls) {
                URI url = url(command, text);
                boolean isSecured = "https".equalsIgnoreCase(url.getScheme());
                secured += isSecured ? 1 : 0;
                int usual = isSecured ? 443 : 80;
                hostPorts.add(url.getHost() + ":" + (url.getPort() < 0 ? usual : url.getPort()));
            }
            if (secured != 0 && secured != urls.size()) {
                throw new ParameterException(
                        command.commandLine(),
                        "--nodes must be all http or all https, has " + secured + " of " + urls.size() + " with https");
            }
            return new NodeAddresses(List.copyOf(hostPorts), secured > 0);
        }

        private static URI url(CommandSpec command, String text) {
            try {
                var url = new URI(text);
                if (AdminApiClient.isHttp(url) && ServerAddress.isPlain(url)) {
                    return url;
                }
            } catch (URISyntaxException _) {
                // reported below with the allowed form
            }
            throw new ParameterException(
                    command.commandLine(),
                    "--nodes must be http or https URLs without a path, like http://nodes.example.com:8080, has '"
                            + text
                            + "'");
        }
    }
}
