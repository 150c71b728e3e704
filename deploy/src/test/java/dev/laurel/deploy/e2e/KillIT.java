package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that SIGKILL at any moment loses no event and counts none twice, on either way into the log, and that a process is ready only when
 * it shows what was in the log when it started; the program runs in a process of its own. With {@code -Dlaurel.full=true} there are more
 * events, and the first kill comes after 10,000.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class KillIT {

    private static final long SEED = 20260304;
    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    /** With a hundred events each, some users complete the achievement of the season, and some do not. */
    private static final int USERS = IS_FULL ? 500 : 30;

    private static final int EVENTS = IS_FULL ? 50_000 : 3_000;
    private static final Duration LENGTH = Duration.ofDays(120);

    /** Events committed at the first kill: some, but far from all. */
    private static final int FIRST_KILL_AT = IS_FULL ? 10_000 : 500;

    private static final int SECOND_KILL_AT = IS_FULL ? 20_000 : 1_250;

    private static final int IMPORTED_BEFORE_KILL = IS_FULL ? 10_000 : 500;

    /** Events after which the producer waits for the first kill, so that events remain to be sent. */
    private static final int PRODUCED_BEFORE_KILL = IS_FULL ? 33_000 : 2_000;

    @TempDir
    private Path scratch;

    private final Season season = new Season(SEED, USERS, EVENTS, Instant.now().minus(Duration.ofHours(1)), LENGTH);

    @Test
    void shouldHaveCountedEachEventOnceWhenReadyAfterKills() throws Exception {
        try (E2eKafka kafka = E2eKafka.start()) {
            killAfterAnEdit(kafka);
            killWhileProducing(kafka);
            killWhileCatchingUp(kafka);

            long startedNs = System.nanoTime();
            try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                    var client = laurel.client()) {
                long readyMs = (System.nanoTime() - startedNs) / 1_000_000;
                client.get("/readyz").expect(200);
                new SeasonCheck(season, laurel.bootstrapServers()).assertTotals(client);
                checkAll(laurel, client);
                System.out.printf(
                        "%,d events of %d users, killed after %,d and %,d: each counted once; ready %,d ms after the "
                                + "second kill%n",
                        EVENTS, USERS, FIRST_KILL_AT, SECOND_KILL_AT, readyMs);
            }
        }
    }

    private void checkAll(LaurelProcess laurel, LaurelClient client) {
        var check = new SeasonCheck(season, laurel.bootstrapServers());
        check.assertLogHoldsEachEventOnce();
        check.awaitProcessed();
        check.assertEveryUserIsExact(client);
        check.assertEffectsAddUp();
    }

    /** The same season through {@code laurel import}, which is killed and continued together with the server. */
    @Test
    @EnabledIfSystemProperty(named = "laurel.slow", matches = "true")
    void shouldContinueAKilledImport() throws Exception {
        Path file = writeLines();
        try (E2eKafka kafka = E2eKafka.start()) {
            killWhileImporting(kafka, file);

            try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                    var client = laurel.client()) {
                Process importer = startImport(laurel, file);
                String said = new String(importer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertEquals(0, importer.waitFor(), said);
                checkAll(laurel, client);
                System.out.printf(
                        "%,d events imported, killed after %,d: each counted once; the import that went on says: %s%n",
                        EVENTS, IMPORTED_BEFORE_KILL, said.strip());
            }
        }
    }

    private void killWhileImporting(E2eKafka kafka, Path file) throws IOException {
        try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                var client = laurel.client()) {
            client.put("/admin/v1/ruleset", Season.RULESET).expect(200);
            var check = new SeasonCheck(season, laurel.bootstrapServers());
            Process importer = startImport(laurel, file);
            try {
                check.awaitWritten(IMPORTED_BEFORE_KILL);
                assertTrue(importer.isAlive(), "the import ended before the kill");
            } finally {
                importer.destroyForcibly();
                laurel.kill();
            }
        }
    }

    private Path writeLines() throws IOException {
        Path file = scratch.resolve("season.ndjson");
        return Files.write(file, (Iterable<String>) IntStream.range(0, EVENTS)
                .mapToObj(number -> season.event(number).line())::iterator);
    }

    private static Process startImport(LaurelProcess laurel, Path file) throws IOException {
        return LaurelProcess.start("import", file.toString(), "--kafka", laurel.bootstrapServers());
    }

    /** The log ends with transaction markers, which no consumer reads. */
    private void killAfterAnEdit(E2eKafka kafka) throws IOException {
        try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                var client = laurel.client()) {
            client.put("/admin/v1/ruleset", Season.RULESET).expect(200);
            laurel.kill();
        }
    }

    private void killWhileProducing(E2eKafka kafka) throws Exception {
        var killed = new CountDownLatch(1);
        try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers());
                var client = laurel.client()) {
            client.get("/readyz").expect(200);
            var producer = new SeasonProducer(season, laurel.bootstrapServers());
            CompletableFuture<Void> producing = CompletableFuture.runAsync(() -> {
                producer.send(0, PRODUCED_BEFORE_KILL);
                await(killed);
                producer.trySend(PRODUCED_BEFORE_KILL, EVENTS);
            });
            new SeasonCheck(season, laurel.bootstrapServers()).awaitCommitted(FIRST_KILL_AT);
            killed.countDown();
            laurel.kill();
            producer.abandon();
            producing.join();
        }
    }

    /** Kills the next process while it restores its stores and catches up. */
    private void killWhileCatchingUp(E2eKafka kafka) throws IOException {
        try (var laurel = LaurelProcess.standalone(scratch.resolve("data"), kafka.externalServers())) {
            var check = new SeasonCheck(season, laurel.bootstrapServers());
            try (var producer = new SeasonProducer(season, laurel.bootstrapServers())) {
                int resumed = producer.sendMissing(check.numbersSent());
                assertTrue(kafka.externalServers() != null || resumed > 0, "the first kill came too late");
            }
            check.awaitTaken();
            check.awaitCommitted(SECOND_KILL_AT);
            laurel.kill();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the kill", e);
        }
    }
}
