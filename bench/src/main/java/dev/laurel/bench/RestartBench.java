package dev.laurel.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.bench.load.Median;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static dev.laurel.bench.BenchResult.format;

/** Measures how long a standalone in a process of its own is unavailable after it was stopped and killed. */
final class RestartBench {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration WORK_TIMEOUT = Duration.ofMinutes(30);
    private static final String ROUND = "%s: ended after %.1f s, a user was read %.1f s after the start";

    /** Events in progress at the kill, so that each store has data that is not on disk. */
    private static final int EVENTS_BEFORE_KILL = 20_000;

    private final Plan plan;
    private final Path folder;
    private final Progress progress;
    private long nextEvent;

    private RestartBench(Plan plan, Path folder, Progress progress) {
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
    }

    /** Blocks until the run is complete. */
    static Report run(Plan plan, Progress progress) throws InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench");
                var client = HttpClient.newHttpClient()) {
            return new RestartBench(plan, scratch.path(), progress).run(client);
        }
    }

    private Report run(HttpClient client) throws InterruptedException {
        var otherWork = new CompetingLoad();
        var stops = new ArrayList<Double>();
        var stopped = new ArrayList<Double>();
        var killed = new ArrayList<Double>();
        long stateBytes = 0;
        ChildProcess laurel = start();
        try {
            fill(laurel);
            for (int round = 0; round < plan.rounds(); round++) {
                long stopNanos = System.nanoTime();
                laurel.stop();
                stops.add(secondsSince(stopNanos));
                stateBytes = TemporaryFolder.bytes(folder.resolve("data").resolve("state"));
                long startNanos = System.nanoTime();
                laurel = start();
                read(laurel, client);
                stopped.add(secondsSince(startNanos));
                progress.line(ROUND, "SIGTERM", stops.getLast(), stopped.getLast());

                work(laurel, EVENTS_BEFORE_KILL);
                long killNanos = System.nanoTime();
                laurel.kill();
                double endSeconds = secondsSince(killNanos);
                startNanos = System.nanoTime();
                laurel = start();
                read(laurel, client);
                killed.add(secondsSince(startNanos));
                progress.line(ROUND, "SIGKILL", endSeconds, killed.getLast());
            }
        } finally {
            laurel.close();
        }
        return new Report(Machine.after(otherWork), plan.users(), stateBytes, Median.of(stops),
                Median.of(stopped), Median.of(killed));
    }

    private ChildProcess start() {
        ChildProcess started = ChildProcess.start(List.of(), folder.resolve("standalone.log"),
                List.of("standalone", "--port", "0", "--broker-port", "0", "--partitions",
                        Integer.toString(plan.partitions()), "--admin-key", ChildProcess.ADMIN_KEY, "--data-dir",
                        folder.resolve("data").toString()));
        try {
            return started.awaitReady(START_TIMEOUT);
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** Sends one event of each user; returns when all are committed. */
    private void fill(ChildProcess laurel) {
        LaurelSubject.applyTo(laurel.url(), ChildProcess.ADMIN_KEY, BenchRuleset.source());
        work(laurel, plan.users());
        progress.line("created %,d users", plan.users());
    }

    /** Sends events of one user after the other. */
    private void work(ChildProcess laurel, int events) {
        try (var committed = new CommittedEvents(laurel.bootstrapServers(), LedgerConfig.APPLICATION_ID,
                Topics.COMMANDS.name())) {
            long before = committed.count();
            long first = nextEvent;
            KafkaThroughput.write(laurel.bootstrapServers(), events, number -> LaurelSubject.command(first + number,
                    UniformUsers.name((first + number) % plan.users()), System.currentTimeMillis()));
            nextEvent += events;
            // Once there are users, half of the events are still in progress.
            committed.await(before + (first == 0 ? events : events / 2), WORK_TIMEOUT, laurel::expectAlive);
        }
    }

    /** Reads a user, because a process that reports readiness must also answer. */
    private void read(ChildProcess laurel, HttpClient client) throws InterruptedException {
        String user = UniformUsers.name(plan.users() / 2);
        var request = HttpRequest.newBuilder(URI.create(laurel.url() + "/v1/users/" + user))
                .header("X-API-KEY", ChildProcess.ADMIN_KEY).timeout(START_TIMEOUT).build();
        try {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException("the process reports readiness but answers " + answer.statusCode()
                        + " for " + user + ": " + answer.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the process reports readiness but does not answer", e);
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /**
     * Plan for stopping and killing an instance.
     *
     * @param rounds rounds of each; figures are medians
     */
    record Plan(int partitions, int users, int rounds) {
        private static final int PARTITIONS = 4;
        private static final int USERS = 1_000_000;
        private static final int USERS_QUICK = 20_000;
        private static final int USERS_MIN = 100;
        private static final int USERS_MAX = 100_000_000;

        Plan {
            if (users < USERS_MIN || users > USERS_MAX) {
                throw new IllegalArgumentException(
                        "a restart is measured with " + USERS_MIN + " to " + USERS_MAX + " users, not " + users);
            }
        }

        /** @param users null: the default */
        static Plan of(@Nullable Integer users, boolean isQuick) {
            int given = users != null ? users : isQuick ? USERS_QUICK : USERS;
            return new Plan(PARTITIONS, given, isQuick ? 1 : 3);
        }
    }

    /**
     * Unavailability of an instance with many users, in seconds; medians.
     *
     * @param stateBytes size of the stores on disk
     * @param stop time from SIGTERM until the process has ended
     * @param startAfterStop time from the start until a user can be read, with state on disk
     * @param startAfterKill the same after SIGKILL under load: the broker recovers its log, and the stores are restored
     * from their changelogs
     */
    record Report(@JsonIgnore Machine machine, int users, long stateBytes, double stop, double startAfterStop,
            double startAfterKill) implements BenchResult {
        static final double STOPPED_TARGET_S = 10;
        private static final double MEGABYTE = 1024.0 * 1024;
        private static final double MILLION = 1e6;

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "s", "target", "s per million users");
            table.row("SIGTERM until the process has ended", format("%.1f", stop));
            table.row("start until a user is read", format("%.1f", startAfterStop),
                    format("≤ %.0f", STOPPED_TARGET_S));
            table.row("start after SIGKILL until a user is read", format("%.1f", startAfterKill), "",
                    format("%.1f", startAfterKill * MILLION / users));
            return format("%s%n%,d users, %,.0f MB in the stores%n%n%s", machine.description(), users,
                    stateBytes / MEGABYTE, table.text());
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("restart", this);
        }
    }
}
