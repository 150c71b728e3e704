package dev.laurel.deploy.roles;

import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.query.peer.PeerClient.PeerSettings;
import java.lang.reflect.Field;
import java.util.ArrayList;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

@Command(
        name = "node",
        description = "Run a node, which processes events and serves reads, until SIGTERM. Nodes share the users.")
public final class NodeCommand extends RoleCommand.WithStores {
    private static final int ROCKSDB_MIB = 512;

    @Option(
            names = "--max-lag",
            paramLabel = "RECORDS",
            defaultValue = "" + LedgerConfig.MAX_LAG,
            description = "Lag in records up to which a node is ready and standby copies are read (default:"
                    + " ${DEFAULT-VALUE}).")
    private long maxLag;

    @Mixin
    private LeaderboardOptions leaderboards;

    @Option(
            names = "--gateway",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description =
                    "Also be a gateway, which accepts writes: the results of the users of this node need not travel"
                            + " through Kafka (default: ${DEFAULT-VALUE}).")
    private boolean isGateway;

    @Mixin
    private GatewayOptions gateway;

    @Override
    void run() throws InterruptedException {
        expectGateway();
        SSLContext tls = peers.tls(serving.tls.isOn());
        GatewayConfig.Limits limits = gateway.limits();
        GatewayOptions.Replaying replaying = gateway.replays(0, stores.dataDir.resolve("replays"));
        long rocksDbBytes = stores.rocksDbBytes(ROCKSDB_MIB);
        int maxCalls = peers.maxCalls();
        long maxRanked = leaderboards.maxRanked();
        if (maxLag < 0) {
            throw new CommandFailed("--max-lag must be at least 0, is " + maxLag);
        }
        run("node", Runtime.getRuntime().availableProcessors(), rocksDbBytes, (base, settings) -> {
            var roles = new ArrayList<Role>();
            roles.add(new NodeRole(
                    base.process(),
                    base.tables(),
                    new LedgerConfig(settings, LedgerConfig.COMMIT_INTERVAL_MS, maxLag, maxRanked, false),
                    new PeerSettings(settings.advertised(), base.peerKey(), maxLag, maxCalls, tls)));
            if (isGateway) {
                roles.add(new GatewayRole(
                        base.process(),
                        base.tables(),
                        base.startKey(),
                        false,
                        limits,
                        replaying.open(base.process(), rocksDbBytes)));
            }
            return roles;
        });
    }

    /** A variable of the environment may be meant for other processes; an option is meant for this one. */
    private void expectGateway() {
        for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!isGateway
                    && option.userObject() instanceof Field field
                    && field.getDeclaringClass() == GatewayOptions.class) {
                throw new ParameterException(spec.commandLine(), option.longestName() + " needs --gateway");
            }
        }
    }
}
