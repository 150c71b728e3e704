package dev.laurel.deploy.roles;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;

/**
 * Starts everything in a temporary folder, works for some seconds and stops. The script {@code laurel} lets the JVM record this run in
 * its ahead-of-time cache, which makes later starts and first responses fast. Not meant for other uses.
 */
@Command(name = "warm-up", hidden = true, description = "Start, work and stop on a scratch directory.")
public final class WarmUpCommand implements Callable<Integer> {
    private static final String RULESET = "swimming.yaml";
    private static final int CONNECTIONS = 16;
    private static final int USERS = 1_000;
    private static final int EVENTS_PER_READ = 4;
    private static final Duration WORK = Duration.ofSeconds(7);

    @Override
    public Integer call() throws InterruptedException {
        try (TemporaryFolder folder = TemporaryFolder.create("laurel-warm-up");
                Standalone standalone = Standalone.start(StandaloneSettings.onFreePorts(
                        new DataDir(folder.path().resolve("data")),
                        null,
                        StandaloneSettings.DEFAULT_PARTITIONS,
                        false));
                var calls = new AdminApiClient(URI.create(standalone.url()), standalone.adminKey(), null);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            String ruleset = new String(LocalFiles.resource(WarmUpCommand.class, RULESET), UTF_8);
            new RulesetClient(calls).apply(RulesetFile.parse(RULESET, ruleset).source());
            var working = new ArrayList<Future<Integer>>();
            long endNanos = System.nanoTime() + WORK.toNanos();
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                int first = connection;
                working.add(clients.submit(() -> work(calls, first, endNanos)));
            }
            for (Future<Integer> one : working) {
                one.get();
            }
            return 0;
        } catch (ExecutionException e) {
            throw new CommandFailed("a request failed: " + e.getCause(), e);
        }
    }

    /** Sends events, and reads a user after some of them. Returns the number of events. */
    private static int work(AdminApiClient calls, int first, long endNanos) throws IOException {
        int sent = 0;
        for (; System.nanoTime() < endNanos; sent++) {
            String user = "warm-" + (first + (long) sent * CONNECTIONS) % USERS;
            calls.send(calls.request("/v1/metrics/laps-swum/event")
                    .POST(BodyPublishers.ofString(
                            "{\"user\":{\"id\":\"" + user + "\",\"tz\":\"Europe/Helsinki\"},\"value\":4}"))
                    .build());
            if (sent % EVENTS_PER_READ == 0) {
                calls.send(calls.request("/v1/users/" + user).build());
            }
        }
        return sent;
    }
}
