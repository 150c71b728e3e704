package dev.laurel.deploy.roles;

import dev.laurel.gateway.GatewayConfig;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.processors.store.BoundedRocksDb;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "gateway", description = "Run a gateway, which accepts writes, until SIGTERM. Any number may run.")
public final class GatewayCommand extends RoleCommand {

    @Mixin
    private GatewayOptions gateway;

    @Option(
            names = "--table-dir",
            paramLabel = "DIR",
            description =
                    "Folder for copies of rulesets, keys and tenants, for this process only; with it, a restart reads"
                            + " only what is new (default: a temporary one, so that each start reads all of them).")
    private @Nullable Path tableDir;

    @Override
    void run() throws InterruptedException {
        GatewayConfig.Limits limits = gateway.limits();
        GatewayOptions.Replaying replaying = gateway.replays(0, Path.of("laurel-data", "replays"));
        run(
                "gateway",
                new HttpSettings.Address(host, port),
                _ -> tableDir,
                base -> List.of(new GatewayRole(
                                base.process(),
                                base.tables(),
                                base.startKey(),
                                false,
                                limits,
                                replaying.open(base.process(), BoundedRocksDb.DEFAULT_MEMORY_BYTES))
                        .withoutNode(base.tables())));
    }
}
