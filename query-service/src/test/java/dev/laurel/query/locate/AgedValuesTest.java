package dev.laurel.query.locate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.query.locate.AgedValues.Limits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AgedValuesTest {

    private static final Duration AGE = Duration.ofSeconds(1);

    private final AtomicLong nowNs = new AtomicLong();
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final List<String> read = new ArrayList<>();
    private boolean isReadable = true;

    private String read(String key) {
        read.add(key);
        if (!isReadable) {
            throw new NotReadyException("a node is away");
        }
        return key + read.size();
    }

    private AgedValues<String, String> atOnce(Duration refreshedAfter) {
        return new AgedValues<>(
                new Limits<>(_ -> AGE, refreshedAfter, _ -> 1, 10), this::read, Runnable::run, nowNs::get);
    }

    @Test
    void shouldShowAValueUntilItIsTooOld() {
        var values = atOnce(null);

        assertEquals("a1", values.get("a"));
        nowNs.addAndGet(AGE.toNanos() - 1);
        assertEquals("a1", values.get("a"));
        assertEquals("b2", values.get("b"));
        nowNs.addAndGet(1);
        assertEquals("a3", values.get("a"));
    }

    @Test
    void shouldReadAValueOnceForAllWhoWait() {
        var values = new AgedValues<String, String>(Limits.of(AGE, 10), this::read, waiting::add, nowNs::get);

        assertNull(values.get("a", Duration.ZERO));
        assertNull(values.get("a", Duration.ZERO));
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
        assertEquals("a1", values.get("a", Duration.ZERO));
        assertEquals(List.of("a"), read);
    }

    @Test
    void shouldNotKeepAFailure() {
        var values = atOnce(null);
        isReadable = false;
        assertThrows(NotReadyException.class, () -> values.get("a"));
        assertThrows(NotReadyException.class, () -> values.get("a", AGE));
        isReadable = true;

        assertEquals("a3", values.get("a"));
    }

    @Test
    void shouldReadAgainInTheBackgroundBeforeTheAge() {
        var values = atOnce(AGE.dividedBy(2));

        assertEquals("a1", values.get("a"));
        nowNs.addAndGet(AGE.toNanos() - 1);
        values.get("a"); // as it is known
        assertEquals("a2", values.get("a"));
    }
}
