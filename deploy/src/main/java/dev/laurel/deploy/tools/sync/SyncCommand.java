package dev.laurel.deploy.tools.sync;

import dev.laurel.deploy.cli.GracefulStop;
import dev.laurel.deploy.cli.ProgressReporter;
import dev.laurel.deploy.cli.SecretFile;
import dev.laurel.deploy.cli.ToolCommand;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.warehouse.sync.Dialect;
import dev.laurel.warehouse.sync.SyncFigures;
import dev.laurel.warehouse.sync.WarehouseSync;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code laurel sync}: see docs/warehouse.md. */
@Command(
        name = "sync",
        description = {
            "Keep users, totals, points, streaks and rankings as tables of a database.",
            "",
            "Reads Kafka alone, and continues where the tables are. Runs until it is stopped, or with --once until the"
                    + " tables are up to date."
        })
public final class SyncCommand extends ToolCommand {

    private static final Duration TABLE_TIMEOUT = Duration.ofMinutes(5);

    @Option(
            names = "--to",
            paramLabel = "URL",
            required = true,
            description =
                    "The database: jdbc:postgresql://HOST:PORT/DATABASE, or duckdb:FILE, which is created if it does"
                            + " not exist.")
    private String to;

    @Option(names = "--user", paramLabel = "NAME", description = "User of the database.")
    private @Nullable String user;

    @Option(names = "--password-file", paramLabel = "FILE", description = "File with the password of the user.")
    private @Nullable Path passwordFile;

    @Option(
            names = "--once",
            fallbackValue = "true",
            description = "End when the tables have everything that there was at the start.")
    private boolean once;

    @Option(names = "--reload", fallbackValue = "true", description = "Empty the tables and load them anew.")
    private boolean reload;

    @Option(names = "--metrics", paramLabel = "HOST:PORT", description = "Show metrics at http://HOST:PORT/metrics.")
    private @Nullable String metrics;

    @Override
    protected int work() throws InterruptedException {
        Dialect dialect;
        try {
            dialect = Dialect.of(to);
        } catch (IllegalArgumentException e) {
            throw misuse("--to " + e.getMessage() + ", is " + shown(to), e);
        }
        KafkaAccess kafka = connection.kafka();
        KafkaClients.expectReachable(kafka.bootstrapServers());
        var fault = new AtomicReference<@Nullable Throwable>();
        try (var stop = new GracefulStop();
                var figures = figures();
                var progress = new ProgressReporter(err());
                var generations = new GenerationTable(kafka.clientProperties(), fault::set);
                var rulesets = new RulesetTable(kafka.clientProperties(), fault::set)) {
            generations.start();
            rulesets.start();
            generations.awaitCaughtUp(TABLE_TIMEOUT);
            rulesets.awaitCaughtUp(TABLE_TIMEOUT);
            var run = new WarehouseSync(
                    kafka,
                    generations,
                    rulesets,
                    figures,
                    progress,
                    () -> stop.isStopped() || fault.get() != null,
                    new AtomicBoolean(reload));
            run.keep(dialect, properties(dialect), shown(to), once, stop::await)
                    .forEach((table, rows) -> out().printf(Locale.ROOT, "%-14s %,12d rows%n", table.tableName(), rows));
            Throwable cause = fault.get();
            if (cause != null) {
                throw new CommandFailed("stopped by a fault: " + cause.getMessage(), cause);
            }
            return 0;
        } catch (IOException e) {
            throw new CommandFailed("--metrics: cannot listen at " + metrics + ": " + e.getMessage(), e);
        }
    }

    private SyncFigures figures() throws IOException {
        if (metrics == null) {
            return new SyncFigures(null);
        }
        int colon = metrics.lastIndexOf(':');
        try {
            return new SyncFigures(new InetSocketAddress(
                    metrics.substring(0, Math.max(0, colon)), Integer.parseInt(metrics.substring(colon + 1))));
        } catch (IllegalArgumentException e) {
            throw misuse("--metrics must be HOST:PORT, is " + metrics, e);
        }
    }

    private Properties properties(Dialect dialect) {
        var properties = new Properties();
        if (dialect instanceof Dialect.Postgres) {
            properties.setProperty("ApplicationName", "laurel sync");
            properties.setProperty("connectTimeout", "10");
            properties.setProperty("tcpKeepAlive", "true");
            if (user != null) {
                properties.setProperty("user", user);
            }
            if (passwordFile != null) {
                properties.setProperty("password", SecretFile.read("--password-file", passwordFile));
            }
        }
        return properties;
    }

    /** An address without what may be a password. */
    private static String shown(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }
}
