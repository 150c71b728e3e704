package dev.laurel.deploy.tools.replay;

import dev.laurel.gateway.http.Replays;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.platform.command.Progress;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays as jobs of a process. Each has a folder with its record, its rules and, once it is finished, its reports; they outlive the
 * process. A replay that runs when the process ends has failed, and one that waits begins after the next start. Thread-safe.
 */
public final class ReplayJobs implements Replays, AutoCloseable {

    public static final int MAX_RUNNING = 16;
    static final int MAX_QUEUED = 10;

    /** Of one tenant, if the author is bound to it, so that no tenant holds up the others. */
    static final int MAX_QUEUED_BOUND = 2;

    static final int MAX_STORED = 20;

    /** A report of JSON has some 300 bytes for each. */
    private static final int MAX_USERS = 100_000;

    private static final int LARGEST = 100;

    /** A replay that is asked to stop needs two or three seconds to delete what it has made. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ReplayJobs.class);
    private static final String RECORD = "replay.json";
    private static final String RULESET = "ruleset.json";
    private static final String WORK = "work";
    private static final String ENDED = "The process ended while the replay ran.";

    private final Path folder;
    private final Work work;
    private final InstantSource clock;
    private final FileChannel lock;
    private final ExecutorService threads;
    private final Map<UUID, Job> jobs = new LinkedHashMap<>(); // oldest first
    private boolean isClosing;

    /** Does a replay. */
    interface Work {

        /**
         * @param folder for temporary state
         * @param files receive the report
         * @param progress takes the steps
         * @return the totals
         * @throws CommandFailed if it cannot be done, or was asked to stop
         */
        Figures replay(Replay replay, RulesetSource document, Path folder, ReportFiles files, JobProgress progress)
                throws InterruptedException;
    }

    private static final class Job {
        private final JobProgress progress = new JobProgress(System::nanoTime);
        private volatile Replay replay;

        /** Whether a thread works for it, which lasts a while after it was cancelled. */
        private boolean isAtWork;

        Job(Replay replay) {
            this.replay = replay;
        }
    }

    private ReplayJobs(Path folder, int running, Work work, InstantSource clock, FileChannel lock) {
        this.folder = folder;
        this.work = work;
        this.clock = clock;
        this.lock = lock;
        // Daemons, so that none can keep the process from ending.
        this.threads = Executors.newFixedThreadPool(
                running, Thread.ofPlatform().daemon().name("laurel-replay-", 0).factory());
    }

    /**
     * Offers replays.
     *
     * @param folder of the replays, for one process at a time; created if it does not exist
     * @param running number of replays at the same time
     * @param clock clock of the instance, which determines the moment that both states are shown at
     * @param rocksDbBytes memory for RocksDB of this process
     * @throws CommandFailed if the folder cannot be used
     */
    public static ReplayJobs open(Path folder, int running, KafkaAccess kafka, InstantSource clock, long rocksDbBytes) {
        return open(folder, running, InstantSource.system(), (replay, document, state, files, progress) -> {
            var selection = new ReplayPlan.UserSelection(replay.tenant(), Set.of());
            boolean isOfOneOfSeveral =
                    AccessTable.read(kafka, table -> table.index().isMultiTenant());
            var plan = new ReplayPlan(
                    kafka,
                    CandidateRuleset.document(replay.name(), document),
                    replay.tenant(),
                    selection,
                    isOfOneOfSeveral,
                    false,
                    false,
                    true,
                    0,
                    clock,
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    LARGEST,
                    state,
                    new ReplayPlan.Resources(1, rocksDbBytes),
                    null);
            var totals = new ArrayList<Figures>(1);
            new ReplayJob(plan, progress, progress::isStopped).run(() -> files, outcome -> {
                var of = Objects.requireNonNull(outcome.report(), "no other process takes part")
                        .totals();
                totals.add(new Figures(of.users(), of.different(), of.onlyOtherRank()));
            });
            return totals.getFirst();
        });
    }

    static ReplayJobs open(Path folder, int running, InstantSource clock, Work work) {
        return CommandFailed.attempt("the folder of replays " + folder + " cannot be used", () -> {
            FileChannel lock = LocalFiles.lock(
                    Files.createDirectories(folder).resolve("lock"),
                    "the folder of replays " + folder + " is in use by another process; give each its own");
            var opened = new ReplayJobs(folder, running, work, clock, lock);
            opened.load();
            return opened;
        });
    }

    private synchronized void load() throws IOException {
        deleteAll(folder.resolve(WORK)); // of a process that was killed
        List<Replay> found = new ArrayList<>();
        try (Stream<Path> folders = Files.list(folder)) {
            for (Path record : folders.map(one -> one.resolve(RECORD))
                    .filter(Files::exists)
                    .toList()) {
                found.add(Json.read(Files.readAllBytes(record), Replay.class));
            }
        }
        found.sort(Comparator.comparing(Replay::createdAt));
        for (Replay replay : found) {
            var job = new Job(replay);
            jobs.put(replay.id(), job);
            switch (replay.state()) {
                case QUEUED -> submit(job);
                case RUNNING -> end(job, null, ENDED);
                case FINISHED, FAILED, CANCELLED -> {
                    // Nothing is left to do.
                }
            }
        }
    }

    @Override
    public synchronized Addition add(Draft draft) {
        if (isClosing) {
            return new Addition.Refused("The process is stopping. Nothing was stored; try again.");
        }
        long queued = jobs.values().stream()
                .filter(job -> job.replay.state() == State.QUEUED)
                .count();
        if (queued >= MAX_QUEUED) {
            return new Addition.Refused(MAX_QUEUED
                    + " replays wait already, which is the maximum. Cancel one, or try again when one has begun.");
        }
        if (draft.isBound() && count(draft.tenant(), State.QUEUED::equals) >= MAX_QUEUED_BOUND) {
            return new Addition.Refused(MAX_QUEUED_BOUND + " replays of the tenant wait already, which is the maximum."
                    + " Cancel one, or try again when one has begun.");
        }
        var job = new Job(new Replay(
                UUID.randomUUID(),
                draft.tenant(),
                draft.name(),
                draft.author(),
                draft.baseVersion(),
                State.QUEUED,
                now(),
                null,
                null,
                null,
                null,
                null));
        CommandFailed.attempt(
                "cannot write a replay to " + folder,
                () -> Files.write(
                        Files.createDirectories(folderOf(job)).resolve(RULESET), Json.write(draft.document())));
        store(job, job.replay);
        jobs.put(job.replay.id(), job);
        deleteTooMany();
        submit(job);
        return new Addition.Added(job.replay);
    }

    private long count(TenantId tenant, Predicate<State> isCounted) {
        return jobs.values().stream()
                .map(job -> job.replay)
                .filter(replay -> replay.tenant().equals(tenant) && isCounted.test(replay.state()))
                .count();
    }

    /** Deletes replays of the tenants that have the most, so that a tenant with many deletes its own. */
    private void deleteTooMany() {
        while (jobs.size() > MAX_STORED) {
            Job first = jobs.values().stream()
                    .filter(job -> job.replay.state().isFinal()) // oldest first
                    .max(Comparator.comparingLong(job -> count(job.replay.tenant(), _ -> true)))
                    .orElse(null);
            if (first == null) {
                return;
            }
            remove(first);
        }
    }

    private void submit(Job job) {
        threads.execute(() -> run(job));
    }

    private void run(Job job) {
        if (!begin(job)) {
            return;
        }
        Path own = folderOf(job);
        Figures figures = null;
        String error = null;
        try (var files = new ReportFiles(MAX_USERS)) {
            for (Format format : Format.values()) {
                files.add(
                        own.resolve(fileOf(format)),
                        switch (format) {
                            case JSON -> JsonReport::new;
                            case LARGEST -> JsonReport::ofLargest;
                            case CSV -> CsvReport::new;
                        });
            }
            figures = work.replay(job.replay, rulesetOf(job), folder.resolve(WORK), files, job.progress);
        } catch (CommandFailed e) {
            error = job.progress.isStopped() ? ENDED : String.valueOf(e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            error = ENDED;
        } catch (RuntimeException e) {
            LOG.error("Replay {} failed", job.replay.id(), e);
            error = "The replay failed: " + e.getMessage();
        }
        end(job, figures, error);
    }

    /** Returns false if the job must not begin. */
    private synchronized boolean begin(Job job) {
        if (isClosing || job.replay.state() != State.QUEUED) {
            return false;
        }
        job.isAtWork = true;
        store(job, Records.with(job.replay, "state", State.RUNNING, "startedAt", now()));
        return true;
    }

    /** @param error null: the replay has finished */
    private synchronized void end(Job job, @Nullable Figures figures, @Nullable String error) {
        job.isAtWork = false;
        Replay replay = job.replay;
        if (error != null || replay.state() == State.CANCELLED) {
            deleteReports(job);
        }
        if (!replay.state().isFinal()) { // It may have been cancelled.
            State state = error == null ? State.FINISHED : State.FAILED;
            store(
                    job,
                    Records.with(
                            replay,
                            "state",
                            state,
                            "endedAt",
                            now(),
                            "figures",
                            error == null ? figures : null,
                            "error",
                            error));
        }
        if (!jobs.containsKey(replay.id())) { // It was deleted meanwhile.
            deleteAll(folderOf(job));
        }
    }

    @Override
    public synchronized List<Replay> list(TenantId tenant) {
        return jobs.values().stream()
                .filter(job -> job.replay.tenant().equals(tenant))
                .map(ReplayJobs::shown)
                .toList()
                .reversed();
    }

    @Override
    public @Nullable Replay find(TenantId tenant, UUID id) {
        Job job = jobOf(tenant, id);
        return job == null ? null : shown(job);
    }

    @Override
    public @Nullable RulesetSource ruleset(TenantId tenant, UUID id) {
        Job job = jobOf(tenant, id);
        return job == null ? null : rulesetOf(job);
    }

    @Override
    public @Nullable Path report(TenantId tenant, UUID id, Format format) {
        Job job = jobOf(tenant, id);
        return job == null || job.replay.state() != State.FINISHED
                ? null
                : folderOf(job).resolve(fileOf(format));
    }

    @Override
    public synchronized @Nullable Replay cancel(TenantId tenant, UUID id) {
        Job job = jobOf(tenant, id);
        if (job == null || job.replay.state().isFinal()) {
            return null;
        }
        job.progress.stop();
        store(job, Records.with(job.replay, "state", State.CANCELLED, "endedAt", now()));
        return job.replay;
    }

    @Override
    public synchronized boolean delete(TenantId tenant, UUID id) {
        Job job = jobOf(tenant, id);
        if (job == null || !job.replay.state().isFinal()) {
            return false;
        }
        remove(job);
        return true;
    }

    private synchronized @Nullable Job jobOf(TenantId tenant, UUID id) {
        Job job = jobs.get(id);
        return job == null || !job.replay.tenant().equals(tenant) ? null : job;
    }

    private void remove(Job job) {
        jobs.remove(job.replay.id());
        if (!job.isAtWork) {
            deleteAll(folderOf(job));
        }
    }

    private static Replay shown(Job job) {
        Replay replay = job.replay;
        return replay.state() != State.RUNNING ? replay : Records.with(replay, "progress", job.progress.shown());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private Path folderOf(Job job) {
        return folder.resolve(job.replay.id().toString());
    }

    private static String fileOf(Format format) {
        return switch (format) {
            case JSON -> "report.json";
            case LARGEST -> "largest.json";
            case CSV -> "report.csv";
        };
    }

    private RulesetSource rulesetOf(Job job) {
        return CommandFailed.attempt(
                "cannot read the rules of a replay",
                () -> Json.read(Files.readAllBytes(folderOf(job).resolve(RULESET)), RulesetSource.class));
    }

    /** Writes the record atomically, then makes it the one of the job. */
    private void store(Job job, Replay replay) {
        Path own = folder.resolve(replay.id().toString());
        if (Files.exists(own)) { // It may have been deleted meanwhile.
            CommandFailed.attempt(
                    "cannot write the record of a replay in " + own,
                    () -> LocalFiles.replace(own.resolve(RECORD), own.resolve(RECORD + ".draft"), Json.write(replay)));
        }
        job.replay = replay;
    }

    private void deleteReports(Job job) {
        for (Format format : Format.values()) {
            deleteAll(folderOf(job).resolve(fileOf(format)));
        }
    }

    /** Deletes a file, or a folder with its contents, as far as possible. */
    private static void deleteAll(Path path) {
        try {
            LocalFiles.delete(path);
        } catch (IOException | UncheckedIOException e) {
            LOG.warn("Cannot delete {}: {}", path, e.toString());
        }
    }

    /** Asks the replays that run to stop, and waits a few seconds for that, so that they delete what they have made. */
    @Override
    public void close() {
        synchronized (this) {
            isClosing = true;
            jobs.values().stream().filter(job -> job.isAtWork).forEach(job -> job.progress.stop());
        }
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("A replay has not stopped; 'laurel replay --clean' shows what it leaves in Kafka");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("Cannot release {}: {}", folder, e.toString());
        }
    }

    /** The progress of a job, whose thread writes it, and whether it is asked to stop. Thread-safe. */
    static final class JobProgress implements Progress {

        private final LongSupplier nanoTime;
        private volatile boolean isStopped;
        private @Nullable Step step;
        private long begunNs;

        JobProgress(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
        }

        void stop() {
            isStopped = true;
        }

        boolean isStopped() {
            return isStopped;
        }

        @Override
        public synchronized void begin(String name, String unitName, long amount) {
            begunNs = nanoTime.getAsLong();
            step = new Step(name, unitName, 0, amount, null);
        }

        @Override
        public synchronized void stepTo(long done) {
            Step current = Objects.requireNonNull(step, "a step has begun");
            long elapsedNs = nanoTime.getAsLong() - begunNs;
            long total = Math.max(done, current.total());
            Long left = done <= 0 || elapsedNs <= 0 ? null : Math.round((total - done) * (elapsedNs / 1e9) / done);
            step = new Step(current.name(), current.unit(), done, total, left);
        }

        @Override
        public synchronized void end() {
            // The step is shown until the next one begins.
        }

        /** Returns null before the first step. */
        synchronized @Nullable Step shown() {
            return step;
        }
    }
}
