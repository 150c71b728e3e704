package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.AdminKeyOptions;
import dev.laurel.deploy.cli.SecretFile;
import dev.laurel.deploy.tracing.TracingOptions;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.session.OidcSettings;
import dev.laurel.platform.session.OidcSettings.GroupRole;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of every process that serves HTTP, a role or a standalone. */
final class ServingOptions {

    @Mixin
    final AdminKeyOptions adminKey = new AdminKeyOptions();

    @Mixin
    final TlsOptions tls = new TlsOptions();

    @Mixin
    final OidcOptions oidc = new OidcOptions();

    @Option(
            names = "--admin-host",
            paramLabel = "NAME",
            description = "Requests for this host name get the admin API at /v1.")
    private @Nullable String adminHost;

    @Option(
            names = "--strict-names",
            fallbackValue = "true",
            description = "Refuse requests with unknown parameters or fields, instead of a warning in the answer.")
    private boolean strictNames;

    @Option(
            names = "--access-log",
            fallbackValue = "true",
            description = "Log a line for each request: route, status, duration; no keys, no addresses.")
    private boolean accessLog;

    @Mixin
    final TracingOptions tracing = new TracingOptions();

    /** Must be called before the first logger exists. */
    void configureLogging() {
        if (accessLog) {
            System.setProperty("laurel.log.access", "info");
        }
    }

    RoleServer.Address address(HttpSettings.Address listening) {
        return new RoleServer.Address(listening, adminHost, tls.files(), strictNames);
    }

    /** Options for the certificate that a process shows to HTTP clients. */
    static final class TlsOptions {

        @Option(
                names = "--tls-cert",
                paramLabel = "FILE",
                description = "Serve HTTP by TLS only, with this certificate and its intermediate certificates (PEM)."
                        + " Changed files are reloaded within seconds.")
        private @Nullable Path certificate;

        @Option(
                names = "--tls-key",
                paramLabel = "FILE",
                description = "The private key of that certificate (PEM, without a password).")
        private @Nullable Path key;

        /** Returns whether the process serves TLS. */
        boolean isOn() {
            return certificate != null || key != null;
        }

        /** Returns the certificate and its key; null: plain HTTP. */
        @Nullable
        TlsFiles files() {
            if (certificate == null && key == null) {
                return null;
            }
            if (certificate == null || key == null) {
                throw new CommandFailed("--tls-cert and --tls-key belong together: give both");
            }
            SecretFile.warnIfOpen("--tls-key", key);
            return new TlsFiles(certificate, key);
        }
    }

    /** Options for the provider of OpenID Connect with which people sign in to the console. */
    static final class OidcOptions {

        private static final String ISSUER = "--oidc-issuer";
        private static final String SECRET = "--oidc-client-secret";
        private static final String ROLES = "--oidc-roles";

        @Option(
                names = ISSUER,
                paramLabel = "URL",
                description = "People may sign in to the console with this provider of OpenID Connect. Give all --oidc"
                        + " options to every process alike.")
        private @Nullable URI issuer;

        @Option(
                names = "--oidc-client-id",
                paramLabel = "ID",
                description = "The id under which this instance is registered at the provider.")
        private @Nullable String clientId;

        @Option(
                names = SECRET,
                paramLabel = "SECRET",
                description =
                        "The secret of that registration; none for one without a secret. Other users of this machine"
                                + " can see it on the command line: use --oidc-client-secret-file or"
                                + " LAUREL_OIDC_CLIENT_SECRET to avoid that.")
        private @Nullable String clientSecret;

        @Option(names = SECRET + "-file", paramLabel = "FILE", description = "File with that secret.")
        private @Nullable Path clientSecretFile;

        @Option(
                names = "--oidc-redirect-url",
                paramLabel = "URL",
                description =
                        "https://HOST/admin/v1/session/oidc/callback with the host that browsers call, as registered"
                                + " at the provider.")
        private @Nullable URI redirectUrl;

        @Option(
                names = "--oidc-name",
                paramLabel = "NAME",
                defaultValue = "Single sign-on",
                description = "Name of the provider in the console (default: ${DEFAULT-VALUE}).")
        private String name;

        @Option(
                names = "--oidc-scopes",
                paramLabel = "SCOPE,…",
                split = ",",
                defaultValue = "openid,profile,email",
                description = "Scopes to ask for, with openid (default: ${DEFAULT-VALUE}).")
        private List<String> scopes;

        @Option(
                names = "--oidc-groups-claim",
                paramLabel = "CLAIM",
                defaultValue = "groups",
                description = "Claim of the ID token with the groups of a person, a list or a string (default:"
                        + " ${DEFAULT-VALUE}).")
        private String groupsClaim;

        @Option(
                names = ROLES,
                paramLabel = "GROUP=ROLE[@TENANT];…",
                split = ";",
                description =
                        "What people of a group may do: viewer, support, editor or admin, for all tenants or for the"
                                + " one with this customerId. Of several groups of a person, the first one here applies;"
                                + " without any, a person cannot sign in.")
        private List<String> roles = List.of();

        /**
         * Returns null if no provider is given.
         *
         * @throws CommandFailed if an option is missing or cannot be used
         */
        @Nullable
        OidcSettings settings() {
            if (issuer == null) {
                if (clientId != null || redirectUrl != null || !roles.isEmpty()) {
                    throw new CommandFailed("the --oidc options need " + ISSUER);
                }
                return null;
            }
            if (clientId == null || redirectUrl == null || roles.isEmpty()) {
                throw new CommandFailed(ISSUER + " needs --oidc-client-id, --oidc-redirect-url and " + ROLES);
            }
            if (!scopes.contains("openid")) {
                throw new CommandFailed("--oidc-scopes must contain openid, is " + String.join(",", scopes));
            }
            List<GroupRole> groups;
            try {
                groups = roles.stream()
                        .map(role -> GroupRole.parse(role.strip()))
                        .toList();
            } catch (IllegalArgumentException e) {
                throw new CommandFailed(ROLES + " " + e.getMessage(), e);
            }
            try {
                return new OidcSettings(
                        issuer,
                        clientId,
                        SecretFile.either(SECRET, clientSecret, clientSecretFile),
                        redirectUrl,
                        name,
                        scopes,
                        groupsClaim,
                        groups);
            } catch (IllegalArgumentException e) {
                throw new CommandFailed("OpenID Connect: " + e.getMessage(), e);
            }
        }
    }
}
