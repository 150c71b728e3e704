package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.cli.KafkaConfigOption;
import dev.laurel.deploy.cli.ProcessLifecycle;
import dev.laurel.deploy.cli.TopicOptions;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetOutput;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.session.SessionRoutes.SignInLinks;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs everything in one process until it is asked to stop. */
@Command(name = "standalone", description = "Run broker, gateway and node in one process, until SIGTERM.")
public final class StandaloneCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--host",
            paramLabel = "HOST",
            defaultValue = "127.0.0.1",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String host;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "" + StandaloneSettings.DEFAULT_PORT,
            description = "Port for HTTP; 0 takes any free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            defaultValue = "./laurel-data",
            description = "Folder for all data (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    @Mixin
    private ServingOptions serving;

    @Option(
            names = "--ruleset",
            paramLabel = "FILE",
            description =
                    "A laurel.yaml to apply at start if it differs from the present ruleset. The start is refused if"
                            + " that was changed in another way since, over HTTP for example.")
    private @Nullable Path rulesetFile;

    @Option(
            names = "--force-ruleset",
            fallbackValue = "true",
            description = "Apply the file of --ruleset even if that reverts what was changed in another way, or deletes"
                    + " something.")
    private boolean forceRuleset;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT,…",
            description = "Use this Kafka cluster instead of the embedded broker.")
    private @Nullable String kafka;

    @Mixin
    private KafkaConfigOption kafkaConfig;

    @Option(
            names = "--broker-port",
            paramLabel = "PORT",
            defaultValue = "" + StandaloneSettings.DEFAULT_BROKER_PORT,
            description = "Port of the embedded broker, for direct producers; 0 takes any free one (default:"
                    + " ${DEFAULT-VALUE}).")
    private int brokerPort;

    @Mixin
    private TopicOptions topics;

    @Option(
            names = "--test-clock",
            fallbackValue = "true",
            description = "Use virtual time, which changes only by POST /admin/v1/test-clock. For tests of streaks and"
                    + " timers.")
    private boolean testClock;

    @Mixin
    private GatewayOptions gateway;

    @Mixin
    private DeliveryOptions delivery;

    @Mixin
    private LeaderboardOptions leaderboards;

    @Override
    public Integer call() throws InterruptedException {
        long startedNs = System.nanoTime();
        serving.configureLogging();
        Duration auditRetention = topics.auditRetention();
        // Before anything starts, so that mistakes are reported at once.
        RulesetFile ruleset = rulesetFile == null
                ? null
                : RulesetFile.read(rulesetFile, spec.commandLine().getErr());
        ApiKey key = serving.adminKey.key();
        var folder = new DataDir(dataDir);
        RoleServer.Address address = serving.address(new HttpSettings.Address(host, port));
        var settings = new StandaloneSettings(
                address,
                folder,
                key == null ? null : key.text(),
                cluster(),
                brokerPort,
                topics.partitions(StandaloneSettings.DEFAULT_PARTITIONS),
                auditRetention,
                testClock,
                LedgerConfig.COMMIT_INTERVAL_MS,
                leaderboards.maxRanked(),
                gateway.limits(),
                delivery.sending(
                        ServerAddress.is(host, InetAddress::isLoopbackAddress),
                        ServerAddress.toShare(host, port, address.tls() != null)),
                serving.oidc.settings(),
                gateway.replays(StandaloneSettings.DEFAULT_REPLAYS, folder.replays()));
        ProcessLifecycle.of(lifetime -> {
            var standalone =
                    lifetime.parts().add(Standalone.start(settings, serving.tracing.start("laurel-standalone")));
            standalone.fault().thenAccept(lifetime.fault()::complete);
            apply(ruleset, standalone, address.tls());
            printStart(standalone, key != null, (System.nanoTime() - startedNs) / 1_000_000);
        });
        return 0;
    }

    /** Returns the cluster to use; null: the embedded broker. */
    private @Nullable KafkaAccess cluster() {
        if (kafka == null) {
            kafkaConfig.expectNone();
            return null;
        }
        return kafkaConfig.at(kafka);
    }

    private void apply(@Nullable RulesetFile ruleset, Standalone standalone, @Nullable TlsFiles shown) {
        if (ruleset == null) {
            return;
        }
        SSLContext ownTls = shown == null ? null : OutboundHttp.trustingOnly(shown.certificate());
        try (var client =
                new RulesetClient(new AdminApiClient(URI.create(standalone.url()), standalone.adminKey(), ownTls))) {
            new StartupRuleset(ruleset, new DataDir(dataDir), forceRuleset)
                    .apply(
                            client,
                            String.valueOf(rulesetFile),
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr());
        }
    }

    /** The link is for the terminal; the log has no secrets. */
    private void printStart(Standalone standalone, boolean isKeyGiven, long tookMs) {
        PrintWriter out = spec.commandLine().getOut();
        out.printf("Laurel is ready at %s after %.1f s.%n", standalone.url(), tookMs / 1000.0);
        if (standalone.isKeyNew()) {
            out.printf("Admin key (kept in %s): %s%n", new DataDir(dataDir).keyFile(), standalone.adminKey());
        } else if (!isKeyGiven) {
            out.printf("Admin key: in %s%n", new DataDir(dataDir).keyFile());
        }
        if (!standalone.isKeyValid()) {
            out.println(
                    "This admin key has been revoked, rotated or deleted. To get in with a new one, start once with "
                            + "--admin-key and a key of your own: 8 letters or digits, a dot, a long random secret.");
        }
        if (standalone.isKeyValid()) {
            out.printf(
                    "Console: %s%n  This link signs in once, within %d minutes; later, use the admin key.%n",
                    standalone.newSignInUrl(), SignInLinks.LIFE.toMinutes());
        }
        if (testClock) {
            out.printf("Time is virtual, now %s; POST /admin/v1/test-clock moves it.%n", standalone.now());
        }
        out.printf("Kafka is at %s, data in %s. Stop with Ctrl-C.%n", standalone.bootstrapServers(), dataDir);
        out.flush();
    }

    /**
     * The ruleset file of a start. It replaces what an earlier start has applied, in the sections that it has. What was configured in
     * another way since is replaced, and what the file no longer has is deleted, only if the operator forces it. The data folder keeps the
     * version that a start has seen last.
     *
     * @param isForced whether the file replaces everything
     */
    record StartupRuleset(RulesetFile file, DataDir dataDir, boolean isForced) {

        /**
         * Applies the file.
         *
         * @param name name of the file, for people
         * @throws CommandFailed if the server refuses the file, or the file would revert the changes of others
         */
        void apply(RulesetClient client, String name, PrintWriter out, PrintWriter err) {
            RulesetDiffBody diff = RulesetOutput.expectDone(client.compare(file.source()), file::locate, err);
            String refusal = isForced ? null : refusal(diff, name);
            if (refusal != null) {
                err.println("Applying " + name + " would make these changes:");
                RulesetOutput.print(diff.changes(), err);
                throw new CommandFailed(refusal);
            }
            // If it changes meanwhile, the server refuses.
            RulesetAppliedBody applied =
                    RulesetOutput.expectDone(client.apply(file.source(), diff.from()), file::locate, err);
            dataDir.keepStartRulesetVersion(applied.version());
            out.printf("%s %s version %d.%n", name, applied.changed() ? "is now" : "is already", applied.version());
        }

        /** Returns why only the operator can make these changes; null: the file may. */
        private @Nullable String refusal(RulesetDiffBody diff, String name) {
            boolean isOfOthers = diff.from() > 0 && diff.from() != dataDir.startRulesetVersion();
            if (isOfOthers && !diff.changes().isEmpty()) {
                return "the ruleset (version " + diff.from() + ") was changed by something other than"
                        + " --ruleset of a start, and differs from " + name + ". Start without --ruleset to keep it;"
                        + " 'laurel ruleset export' then writes it"
                        + " to a file. Or start with"
                        + " --force-ruleset to replace it";
            }
            return RulesetDiff.deletions(diff.changes(), file.source()).isEmpty()
                    ? null
                    : name + " would delete what is listed with '-'. Put it back, or start once with"
                            + " --force-ruleset to delete it";
        }
    }
}
