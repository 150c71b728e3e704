package dev.laurel.deploy.bench;

import dev.laurel.deploy.cli.TemporaryFolder;
import dev.laurel.deploy.bench.load.Median;
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
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Measures how long a standalone in a process of its own is unavailable after it was stopped and killed. */
final class RestartBench {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration WORK_TIMEOUT = Duration.ofMinutes(30);
    private static final long CHECK_MS = 50;

    /** Events in progress at the kill, so that each store has data that is not on disk. */
    private static final int EVENTS_BEFORE_KILL = 20_000;

    private final Plan plan;
    private final Path folder;
    private final Consumer<String> progress;
    private long nextEvent;

    private RestartBench(Plan plan, Path folder, Consumer<String> progress) {
        this.plan = plan;
        this.folder = folder;
        this.progress = progress;
    }

    /** Blocks until the run is complete. */
    static RestartReport run(Plan plan, Consumer<String> progress) throws InterruptedException {
        try (TemporaryFolder scratch = TemporaryFolder.create("laurel-bench");
                var client = HttpClient.newHttpClient()) {
            return new RestartBench(plan, scratch.path(), progress).run(client);
        }
    }

    private RestartReport run(HttpClient client) throws InterruptedException {
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
                say("stopped", stops.getLast(), stopped.getLast());

                work(laurel, EVENTS_BEFORE_KILL);
                long killNanos = System.nanoTime();
                laurel.kill();
                double gone = secondsSince(killNanos);
                startNanos = System.nanoTime();
                laurel = start();
                read(laurel, client);
                killed.add(secondsSince(startNanos));
                say("killed", gone, killed.getLast());
            }
        } finally {
            laurel.close();
        }
        return new RestartReport(MachineInfo.now(otherWork.share()), plan.users(), stateBytes, median(stops),
                median(stopped), median(killed));
    }

    private void say(String what, double gone, double back) {
        progress.accept(String.format(Locale.ROOT, "%s: gone after %.1f s, read again %.1f s after its start", what,
                gone, back));
    }

    private ChildProcess start() {
        ChildProcess started = ChildProcess.start(folder.resolve("standalone.log"),
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
    private void fill(ChildProcess laurel) throws InterruptedException {
        LaurelSubject.applyTo(laurel.url(), ChildProcess.ADMIN_KEY, BenchRuleset.source());
        work(laurel, plan.users());
        progress.accept(String.format(Locale.ROOT, "%,d users are there", plan.users()));
    }

    /** Sends events of one user after the other. */
    private void work(ChildProcess laurel, int events) throws InterruptedException {
        try (var committed = new CommittedEvents(laurel.bootstrapServers(), LedgerConfig.APPLICATION_ID,
                Topics.COMMANDS.name())) {
            long before = committed.count();
            long first = nextEvent;
            new KafkaThroughput.Backlog(laurel.bootstrapServers()).write(events,
                    number -> LaurelSubject.command(first + number,
                            UniformUsers.name((first + number) % plan.users()), System.currentTimeMillis()));
            nextEvent += events;
            // Once there are users, half of the events are still in progress.
            long awaited = before + (first == 0 ? events : events / 2);
            long deadlineNanos = System.nanoTime() + WORK_TIMEOUT.toNanos();
            while (committed.count() < awaited) {
                laurel.expectAlive();
                if (System.nanoTime() - deadlineNanos > 0) {
                    throw new IllegalStateException("the events were not processed within " + WORK_TIMEOUT);
                }
                TimeUnit.MILLISECONDS.sleep(CHECK_MS);
            }
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
                throw new IllegalStateException("it calls itself ready, and answers " + answer.statusCode() + " for "
                        + user + ": " + answer.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("it calls itself ready, and does not answer", e);
        }
    }

    private static double secondsSince(long nanos) {
        return (System.nanoTime() - nanos) / 1e9;
    }

    private static double median(List<Double> values) {
        return Median.of(values.stream().mapToDouble(Double::doubleValue));
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

        /** @param users {@code null} for the default */
        static Plan of(Integer users, boolean isQuick) {
            int given = users != null ? users : isQuick ? USERS_QUICK : USERS;
            return new Plan(PARTITIONS, given, isQuick ? 1 : 3);
        }
    }
}
