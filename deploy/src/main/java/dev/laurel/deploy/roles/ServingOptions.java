package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.AdminKeyOptions;
import dev.laurel.deploy.cli.OidcOptions;
import dev.laurel.deploy.cli.TlsOptions;
import dev.laurel.deploy.tracing.TracingOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every process that serves HTTP, a role or a standalone. */
public final class ServingOptions {

    @Mixin
    private final AdminKeyOptions adminKey = new AdminKeyOptions();

    @Mixin
    private final TlsOptions tls = new TlsOptions();

    @Mixin
    private final OidcOptions oidc = new OidcOptions();

    @Option(names = "--admin-host", paramLabel = "NAME", description = "Requests for this host name get the admin API at /v1.")
    private @Nullable String adminHost;

    @Option(names = "--strict-names", fallbackValue = "true", description = "Refuse requests with unknown parameters or fields, instead of a warning in the answer.")
    private boolean strictNames;

    @Option(names = "--access-log", fallbackValue = "true", description = "Log a line for each request: route, status, duration; no keys, no addresses.")
    private boolean accessLog;

    @Mixin
    private final TracingOptions tracing = new TracingOptions();

    /** Must be called before the first logger exists. */
    public void configureLogging() {
        if (accessLog) {
            System.setProperty("laurel.log.access", "info");
        }
    }

    public AdminKeyOptions adminKey() {
        return adminKey;
    }

    public TlsOptions tls() {
        return tls;
    }

    public OidcOptions oidc() {
        return oidc;
    }

    public @Nullable String adminHost() {
        return adminHost;
    }

    public boolean isStrict() {
        return strictNames;
    }

    public TracingOptions tracing() {
        return tracing;
    }
}
