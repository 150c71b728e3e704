package dev.laurel.delivery.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.sending.MessageDelivery.Ending;
import dev.laurel.processors.topology.LedgerDriver.Published;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Simulates messages under kills, restarts, replacements and a failing service, in random order. More and other histories:
 * {@code -Dlaurel.sending.seed=…} (one) and {@code -Dlaurel.sending.histories=…}.
 */
class SendingSimulationTest {

    private static final int DEFAULT_HISTORIES = 400;
    private static final int STEPS = 600;

    private final Published published = SendingTemplates.published();

    private static void disturb(SendingWorld world, Random random) {
        switch (random.nextInt(12)) {
            case 0, 1, 2 -> world.kill();
            case 3 -> world.closeInGoodOrder();
            case 4 -> world.replace();
            case 5 -> world.endZombie();
            case 6, 7, 8 -> world.commit();
            case 9 -> world.pass(Duration.ofSeconds(random.nextInt(300)));
            case 10 -> world.pass(random.nextInt(20) == 0 ? Duration.ofDays(random.nextInt(9)) : Duration.ZERO);
            default -> world.erase();
        }
    }

    private SendingWorld run(long seed) {
        var random = new Random(seed);
        var world = new SendingWorld(seed + 1, published, false);
        try {
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(20)) {
                    case 0 -> world.message();
                    case 1 -> disturb(world, random);
                    default -> world.work();
                }
            }
            world.settle();
            world.check();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError("-Dlaurel.sending.seed=" + seed, e);
        }
        return world;
    }

    @Test
    void shouldSendNothingTwiceAndReportEverythingThatIsNotSent() {
        Long given = Long.getLong("laurel.sending.seed");
        if (given != null) {
            run(given);
            return;
        }
        long sent = 0;
        long doubtful = 0;
        for (long seed = 1; seed <= Integer.getInteger("laurel.sending.histories", DEFAULT_HISTORIES); seed++) {
            SendingWorld world = run(seed);
            sent += world.sent();
            doubtful += world.ended(Ending.DOUBTFUL);
        }
        assertTrue(sent > 1_000 && doubtful > 100, "sent " + sent + ", doubtful " + doubtful);
    }

    /** An orderly stop loses nothing, even with marks and attempts in progress. */
    @Test
    void shouldSendEachMessageExactlyOnceWhenLivesEndOrderly() {
        for (long seed = 1; seed <= 100; seed++) {
            var random = new Random(seed);
            var world = new SendingWorld(seed + 1, published, true);
            int copies = 0;
            for (int step = 0; step < STEPS; step++) {
                switch (random.nextInt(20)) {
                    case 0 -> copies += world.message(Duration.ZERO);
                    case 1 -> world.closeInGoodOrder();
                    case 2 -> world.commit();
                    default -> world.work();
                }
            }
            world.settle();
            world.check();
            assertEquals(copies, world.ended(Ending.SENT), "seed " + seed);
            assertEquals(copies, world.sent(), "seed " + seed);
        }
    }

    /** A kill before the mark is set loses nothing, either. */
    @Test
    void shouldSendAMessageWithoutMarkAfterAKill() {
        var world = new SendingWorld(1, published, true);
        int copies = 0;
        for (int i = 0; i < 20; i++) {
            copies += world.message(Duration.ZERO);
        }
        world.readOutbox();
        assertEquals(0, world.marks());
        world.kill();
        world.settle();
        assertEquals(copies, world.sent());
    }
}
