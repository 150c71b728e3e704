package dev.laurel.bench;

import static dev.laurel.bench.BenchResult.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.bench.BenchResult.Machine;
import dev.laurel.bench.BenchResult.Progress;
import dev.laurel.bench.KafkaThroughput.CommittedEvents;
import dev.laurel.deploy.cli.AdminApiClient;
import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.cli.TextTable;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.processors.runtime.LedgerConfig;
import dev.laurel.schemas.topic.Topics;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures how long a standalone in a process of its own is unavailable after it was stopped and killed. */
final class RestartBench {
    private static final String NAME = "standalone";
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
    static Report run(Plan plan, Progress progress) {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench")) {
            return new RestartBench(plan, scratch.path(), progress).run();
        }
    }

    private Report run() {
        var otherWork = new CompetingLoad();
        var stops = new ArrayList<Double>();
        var stopped = new ArrayList<Double>();
        var killed = new ArrayList<Double>();
        long stateBytes = 0;
        ChildProcess laurel = ChildProcess.standalone(null, folder, NAME);
        try {
            Laurel.apply(laurel.url(), ChildProcess.ADMIN_KEY, Laurel.rulesWithoutLeaderboards());
            work(laurel, plan.users(), plan.users());
            progress.line("created %,d users", plan.users());
            for (int round = 0; round < plan.rounds(); round++) {
                long stopNanos = System.nanoTime();
                laurel.stop();
                stops.add(secondsSince(stopNanos));
                stateBytes = bytes(folder.resolve(NAME).resolve("state"));
                long startNanos = System.nanoTime();
                laurel = ChildProcess.standalone(null, folder, NAME);
                read(laurel);
                stopped.add(secondsSince(startNanos));
                progress.line(ROUND, "SIGTERM", stops.getLast(), stopped.getLast());

                work(laurel, EVENTS_BEFORE_KILL, EVENTS_BEFORE_KILL / 2);
                long killNanos = System.nanoTime();
                laurel.close();
                double endSeconds = secondsSince(killNanos);
                startNanos = System.nanoTime();
                laurel = ChildProcess.standalone(null, folder, NAME);
                read(laurel);
                killed.add(secondsSince(startNanos));
                progress.line(ROUND, "SIGKILL", endSeconds, killed.getLast());
            }
        } finally {
            laurel.close();
        }
        return new Report(
                Machine.after(otherWork),
                plan.users(),
                stateBytes,
                Median.of(stops),
                Median.of(stopped),
                Median.of(killed));
    }

    /** Sends events of one user after the other; returns when some are committed and the others in progress. */
    private void work(ChildProcess laurel, int events, int committedEvents) {
        try (var committed =
                new CommittedEvents(laurel.bootstrapServers(), LedgerConfig.APPLICATION_ID, Topics.COMMANDS.name())) {
            long before = committed.count();
            KafkaThroughput.write(laurel.bootstrapServers(), events, _ -> {
                long event = nextEvent++;
                return Laurel.event(event, BenchTraffic.user(event % plan.users()));
            });
            committed.await(before + committedEvents, WORK_TIMEOUT, laurel::expectAlive);
        }
    }

    /** Reads a user, because a process that reports readiness must also answer. */
    private void read(ChildProcess laurel) {
        String path = "/v1/users/" + BenchTraffic.user(plan.users() / 2);
        try (var calls = new AdminApiClient(laurel.url(), ChildProcess.ADMIN_KEY, null)) {
            HttpResponse<byte[]> answer = calls.sendOrFail(calls.request(path).build());
            if (answer.statusCode() != 200) {
                throw calls.unexpected(path, answer);
            }
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    /** Plan for stopping and killing an instance. @param rounds rounds of each; figures are medians */
    record Plan(int users, int rounds) {
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
            return new Plan(users != null ? users : isQuick ? 20_000 : 1_000_000, isQuick ? 1 : 3);
        }
    }

    /**
     * Unavailability of an instance with many users, in seconds; medians.
     *
     * @param stateBytes size of the stores on disk
     * @param stop time from SIGTERM until the process has ended
     * @param startAfterStop time from the start until a user can be read, with state on disk
     * @param startAfterKill the same after SIGKILL under load: the broker recovers its log, and the stores are restored from their
     * changelogs
     */
    record Report(
            @JsonIgnore Machine machine,
            int users,
            long stateBytes,
            double stop,
            double startAfterStop,
            double startAfterKill)
            implements BenchResult {
        private static final double STOPPED_TARGET_S = 10;

        @Override
        public String toTable() {
            var table = TextTable.ofNumbers();
            table.row("", "s", "target", "s per million users");
            table.row("SIGTERM until the process has ended", format("%.1f", stop));
            table.row("start until a user is read", format("%.1f", startAfterStop), format("≤ %.0f", STOPPED_TARGET_S));
            table.row(
                    "start after SIGKILL until a user is read",
                    format("%.1f", startAfterKill),
                    "",
                    format("%.1f", startAfterKill * 1e6 / users));
            return format(
                    "%s%n%,d users, %,.0f MB in the stores%n%n%s",
                    machine.description(), users, stateBytes / 1024.0 / 1024, table.text());
        }

        @Override
        public Map<String, ?> figures() {
            return Map.of("restart", this);
        }
    }

    /** Returns the size of all files below a folder, to which no process may write meanwhile. */
    private static long bytes(Path folder) {
        return CommandFailed.attempt("cannot read the size of " + folder, () -> {
            try (Stream<Path> files = Files.walk(folder)) {
                return files.filter(Files::isRegularFile)
                        .mapToLong(file -> file.toFile().length())
                        .sum();
            }
        });
    }
}
