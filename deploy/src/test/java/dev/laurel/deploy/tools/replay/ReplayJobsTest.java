package dev.laurel.deploy.tools.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.compare.ComparisonTotals;
import dev.laurel.deploy.tools.replay.ReplayReport.Counts;
import dev.laurel.gateway.http.Replays.Addition;
import dev.laurel.gateway.http.Replays.Draft;
import dev.laurel.gateway.http.Replays.Figures;
import dev.laurel.gateway.http.Replays.Format;
import dev.laurel.gateway.http.Replays.Replay;
import dev.laurel.gateway.http.Replays.State;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The states, limits and files of replays, without replaying anything. */
@Timeout(60)
final class ReplayJobsTest {

    private static final TenantId NONE = TenantId.NONE;
    private static final Author EDITOR = new Author(Author.Type.KEY, "k1", "Editor");
    private static final RulesetSource RULES = RulesetSource.of(Map.of("metrics", Map.of("laps", Map.of())));

    @TempDir
    private Path folder;

    private final AtomicLong seconds = new AtomicLong();
    /** Each permit lets one replay end. */
    private final Semaphore ends = new Semaphore(0);

    @AutoClose
    private ReplayJobs jobs;

    @BeforeEach
    void open() {
        jobs = opened(1);
    }

    private ReplayJobs opened(int running) {
        InstantSource clock = () -> Instant.EPOCH.plusSeconds(seconds.incrementAndGet());
        return ReplayJobs.open(folder, running, clock, this::work);
    }

    private Figures work(
            Replay replay, RulesetSource document, Path state, ReportFiles files, ReplayJobs.JobProgress progress)
            throws InterruptedException {
        progress.begin("read the log", "records", 200);
        progress.stepTo(50);
        while (!ends.tryAcquire(10, TimeUnit.MILLISECONDS)) {
            if (progress.isStopped()) {
                throw new ReplayPlan.Stopped();
            }
        }
        if (replay.name().equals("broken")) {
            throw new CommandFailed("there is no live state");
        }
        files.end(new ReplayReport(
                replay.name(),
                true,
                Instant.EPOCH,
                7L,
                Duration.ofSeconds(1),
                new ComparisonTotals(5).sums(),
                Counts.NONE,
                0,
                List.of(),
                List.of()));
        return new Figures(7, 3, 1);
    }

    private Replay add(String name) {
        return ((Addition.Added) jobs.add(draft(NONE, false, name))).replay();
    }

    private static Draft draft(TenantId tenant, boolean isBound, String name) {
        return new Draft(tenant, EDITOR, isBound, name, 4, RULES);
    }

    private Replay await(UUID id, State state) throws InterruptedException {
        await(() -> found(id).state() == state, () -> found(id).toString());
        return found(id);
    }

    private static void await(BooleanSupplier condition, Supplier<String> description) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertTrue(condition.getAsBoolean(), description));
    }

    private Replay found(UUID id) {
        return assertPresent(jobs.find(NONE, id));
    }

    private static Replay assertPresent(Replay replay) {
        assertNotNull(replay);
        return replay;
    }

    private Set<String> files(UUID id) {
        try (Stream<Path> files = Files.list(folder.resolve(id.toString()))) {
            return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void shouldRunOneAfterTheOther() throws Exception {
        Replay first = add("first");
        Replay second = add("second");

        Replay running = await(first.id(), State.RUNNING);
        await(
                () -> found(first.id()).progress() != null
                        && found(first.id()).progress().done() == 50,
                () -> "no progress");
        assertEquals(200, found(first.id()).progress().total());
        assertEquals(State.QUEUED, found(second.id()).state());
        assertEquals(EDITOR, running.author());
        assertEquals(4, running.baseVersion());
        assertNull(jobs.report(NONE, first.id(), Format.JSON));

        ends.release(2);
        Replay finished = await(first.id(), State.FINISHED);
        await(second.id(), State.FINISHED);
        assertEquals(new Figures(7, 3, 1), finished.figures());
        assertTrue(finished.createdAt().isBefore(finished.startedAt()));
        assertTrue(finished.startedAt().isBefore(finished.endedAt()));
        assertNull(finished.progress());
        assertEquals(RULES, jobs.ruleset(NONE, first.id()));
        assertTrue(Files.readString(jobs.report(NONE, first.id(), Format.JSON)).contains("\"rules\":\"first\""));
        assertTrue(Files.readString(jobs.report(NONE, first.id(), Format.CSV)).startsWith("user,tenant,"));
        assertEquals(
                List.of("second", "first"),
                jobs.list(NONE).stream().map(Replay::name).toList());
    }

    @Test
    void shouldShowAReplayToItsTenantOnly() {
        Replay replay = add("first");
        var other = new TenantId("other");

        assertNull(jobs.find(other, replay.id()));
        assertNull(jobs.ruleset(other, replay.id()));
        assertNull(jobs.cancel(other, replay.id()));
        assertFalse(jobs.delete(other, replay.id()));
        assertNull(jobs.report(other, replay.id(), Format.CSV));
        assertEquals(List.of(), jobs.list(other));
    }

    @Test
    void shouldSayWhyAReplayHasFailed() throws Exception {
        Replay replay = add("broken");
        ends.release();

        assertEquals("there is no live state", await(replay.id(), State.FAILED).error());
        assertEquals(Set.of("replay.json", "ruleset.json"), files(replay.id()));
    }

    @Test
    void shouldCancelAtOnceAndDeleteAfterwards() throws Exception {
        Replay running = add("running");
        Replay waiting = add("waiting");
        await(running.id(), State.RUNNING);

        assertEquals(State.CANCELLED, jobs.cancel(NONE, running.id()).state());
        assertEquals(State.CANCELLED, jobs.cancel(NONE, waiting.id()).state());
        assertNull(jobs.cancel(NONE, running.id()), "it has ended");
        await(
                () -> files(running.id()).equals(Set.of("replay.json", "ruleset.json")),
                () -> "the reports are not deleted");
        assertEquals(State.CANCELLED, found(running.id()).state());

        assertTrue(jobs.delete(NONE, running.id()));
        assertNull(jobs.find(NONE, running.id()));
        // Its thread may still be at work, and deletes the folder at its end.
        await(() -> !Files.exists(folder.resolve(running.id().toString())), () -> "the folder is not deleted");
        assertFalse(jobs.delete(NONE, running.id()));
    }

    @Test
    void shouldNotDeleteWhatRuns() throws Exception {
        Replay replay = add("running");
        await(replay.id(), State.RUNNING);

        assertFalse(jobs.delete(NONE, replay.id()));
        assertEquals(State.RUNNING, found(replay.id()).state());
    }

    @Test
    void shouldLetTenWait() throws Exception {
        await(add("running").id(), State.RUNNING);
        var waiting = new ArrayList<Replay>();
        for (int i = 0; i < ReplayJobs.MAX_QUEUED; i++) {
            waiting.add(add("waiting " + i));
        }

        Addition refused = jobs.add(draft(NONE, false, "one more"));
        assertEquals(
                new Addition.Refused(
                        "10 replays wait already, which is the maximum. Cancel one, or try again when one has begun."),
                refused);

        jobs.cancel(NONE, waiting.getLast().id());
        add("instead");
    }

    @Test
    void shouldLetTwoWaitForEditorsOfATenant() throws Exception {
        await(add("running").id(), State.RUNNING);
        var acme = new TenantId("acme");
        for (int i = 0; i < ReplayJobs.MAX_QUEUED_BOUND; i++) {
            assertInstanceOf(Addition.Added.class, jobs.add(draft(acme, true, "acme " + i)));
        }

        assertEquals(
                new Addition.Refused("2 replays of the tenant wait already, which is the maximum. Cancel one, or try"
                        + " again when one has begun."),
                jobs.add(draft(acme, true, "one more")));

        assertInstanceOf(Addition.Added.class, jobs.add(draft(new TenantId("pool"), true, "pool")));
        assertInstanceOf(Addition.Added.class, jobs.add(draft(acme, false, "by an operator")));
    }

    @Test
    void shouldDeleteReplaysOfTheTenantThatHasTheMost() throws Exception {
        Replay first = add("0");
        ends.release();
        await(first.id(), State.FINISHED);
        var acme = new TenantId("acme");
        var ofAcme = new ArrayList<Replay>();
        for (int i = 1; i <= ReplayJobs.MAX_STORED; i++) {
            var added = (Addition.Added) jobs.add(draft(acme, true, Integer.toString(i)));
            ofAcme.add(added.replay());
            ends.release();
            await(
                    () -> jobs.list(acme).stream()
                            .allMatch(replay -> replay.state().isFinal()),
                    () -> "it runs");
        }

        assertEquals(State.FINISHED, found(first.id()).state());
        assertNull(jobs.find(acme, ofAcme.getFirst().id()));
        assertEquals(ReplayJobs.MAX_STORED - 1, jobs.list(acme).size());
    }

    @Test
    void shouldKeepTheNewestTwenty() throws Exception {
        Replay first = add("0");
        ends.release();
        for (int i = 1; i < ReplayJobs.MAX_STORED; i++) {
            ends.release();
            await(add(Integer.toString(i)).id(), State.FINISHED);
        }
        assertEquals(ReplayJobs.MAX_STORED, jobs.list(NONE).size());

        add("20");

        assertEquals(ReplayJobs.MAX_STORED, jobs.list(NONE).size());
        assertNull(jobs.find(NONE, first.id()));
        assertFalse(Files.exists(folder.resolve(first.id().toString())));
    }

    @Test
    void shouldKeepReplaysOverAnEndOfTheProcess() throws Exception {
        Replay finished = add("finished");
        ends.release();
        await(finished.id(), State.FINISHED);
        Replay running = add("running");
        Replay waiting = add("waiting");
        await(running.id(), State.RUNNING);
        Files.createDirectories(folder.resolve("work/replay-1/live"));

        jobs.close();
        jobs = opened(1);

        assertEquals(State.FINISHED, found(finished.id()).state());
        assertNotNull(jobs.report(NONE, finished.id(), Format.LARGEST));
        assertEquals(State.FAILED, found(running.id()).state());
        assertEquals(
                "The process ended while the replay ran.", found(running.id()).error());
        assertFalse(Files.exists(folder.resolve("work")));
        ends.release();
        await(waiting.id(), State.FINISHED);
    }

    @Test
    void shouldFailWhatRanWhenTheProcessWasKilled() throws Exception {
        Replay running = add("running");
        await(running.id(), State.RUNNING);
        String record = Files.readString(folder.resolve(running.id() + "/replay.json"));
        jobs.close();
        Files.writeString(folder.resolve(running.id() + "/replay.json"), record);

        jobs = opened(1);

        assertEquals(
                "The process ended while the replay ran.", found(running.id()).error());
    }

    @Test
    void shouldBeOfOneProcess() {
        String refused = assertThrows(CommandFailed.class, () -> opened(1)).getMessage();

        assertTrue(refused.contains("is in use by another process"), refused);
    }

    @Test
    void shouldEstimateTheTimeLeft() {
        var now = new AtomicLong();
        var progress = new ReplayJobs.JobProgress(now::get);
        assertNull(progress.shown());

        progress.begin("read the log", "records", 1_000);
        assertNull(progress.shown().secondsLeft());
        now.set(TimeUnit.SECONDS.toNanos(10));
        progress.stepTo(200);
        assertEquals(40, progress.shown().secondsLeft());
        progress.stepTo(1_100);
        assertEquals(1_100, progress.shown().total(), "records arrive meanwhile");
        assertEquals(0, progress.shown().secondsLeft());
    }
}
