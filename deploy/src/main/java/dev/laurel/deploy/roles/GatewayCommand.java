package dev.laurel.deploy.roles;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "gateway", description = "Run a gateway, which accepts writes, until SIGTERM. Any number may run.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class GatewayCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private RoleOptions options;

    @Mixin
    private GatewayOptions gateway;

    @Override
    public Integer call() throws InterruptedException {
        options.configureLogging();
        Map<String, Object> settings = gateway.settings();
        new RoleProgram("gateway", options, spec.commandLine().getOut()).run(options.port(),
                base -> List.of(GatewayRole.start(base.process(), base.tables(), base.startKey(), settings)
                        .withoutNode(base.tables())));
        return 0;
    }
}
