package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.AdminKeyOptions;
import dev.laurel.deploy.tools.KafkaConfigOption;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.deploy.tools.TlsOptions;
import dev.laurel.deploy.tracing.TracingOptions;
import dev.laurel.schemas.access.ApiKey;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What every role that runs in a process of its own is told. */
final class RoleOptions {

    @Option(names = "--kafka", required = true, paramLabel = "HOST:PORT,…", description = "Kafka brokers to start from; its topics are created before by 'laurel topics create'.")
    private String kafka;

    @Option(names = "--host", paramLabel = "HOST", defaultValue = "0.0.0.0", description = "Address to listen on (default: ${DEFAULT-VALUE}, all of this machine).")
    private String host;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080", description = "Port for HTTP; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private KafkaConfigOption kafkaConfig;

    @Mixin
    private AdminKeyOptions adminKey;

    @Mixin
    private TlsOptions tls;

    @Option(names = "--admin-host", paramLabel = "NAME", description = "Requests for this host name get the admin API at /v1.")
    private String adminHost;

    @Option(names = "--access-log", fallbackValue = "true", description = "Log a line for each request: route, status, duration; no keys, no addresses.")
    private boolean accessLog;

    @Mixin
    private TracingOptions tracing;

    /** To be called before the first logger exists. */
    void configureLogging() {
        if (accessLog) {
            System.setProperty("laurel.log.access", "info");
        }
    }

    /** @throws CommandFailed if it has not the form of a key */
    ApiKey adminKey() {
        return adminKey.required();
    }

    /** @throws CommandFailed if nobody answers there, or it cannot be talked to as is said */
    KafkaCluster kafka() {
        var cluster = new KafkaCluster(kafkaConfig.at(kafka));
        KafkaOptions.expectReachable(kafka);
        return cluster;
    }

    TracingOptions tracing() {
        return tracing;
    }

    String host() {
        return host;
    }

    int port() {
        return port;
    }

    /** Whether this process is called by TLS: then it calls others of its role so. */
    boolean isTls() {
        return tls.isOn();
    }

    RoleServer.Address address(int chosenPort) {
        return new RoleServer.Address(host, chosenPort, adminHost, tls.files());
    }
}
