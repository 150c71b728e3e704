package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.KafkaConfigOption;
import dev.laurel.deploy.tracing.TracingOptions;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.schemas.access.ApiKey;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every role that runs in a process of its own. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class RoleOptions {

    @Option(names = "--kafka", required = true, paramLabel = "HOST:PORT,…", description = "Addresses of Kafka brokers. The topics must exist; 'laurel topics create' creates them.")
    private String kafka;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "0.0.0.0", description = "Address to listen on (default: ${DEFAULT-VALUE}, all of this machine).")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080", description = "Port for HTTP; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private KafkaConfigOption kafkaConfig;

    @Mixin
    private ServingOptions serving;

    /** Must be called before the first logger exists. */
    void configureLogging() {
        serving.configureLogging();
    }

    /** @throws CommandFailed if the key is malformed */
    ApiKey adminKey() {
        return serving.adminKey().required();
    }

    /** @throws CommandFailed if no broker answers, or the client properties cannot be used */
    KafkaAccess kafka() {
        var cluster = kafkaConfig.at(kafka);
        KafkaClients.expectReachable(kafka);
        return cluster;
    }

    TracingOptions tracing() {
        return serving.tracing();
    }

    /** @throws CommandFailed if an option is missing or cannot be used */
    @Nullable
    OidcSettings oidc() {
        return serving.oidc().settings();
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** Returns whether this process serves TLS; if so, it also calls other processes of its role by TLS. */
    boolean isTls() {
        return serving.tls().isOn();
    }

    RoleServer.Address address(int chosenPort) {
        return new RoleServer.Address(host, chosenPort, serving.adminHost(), serving.tls().files(),
                serving.isStrict());
    }
}
