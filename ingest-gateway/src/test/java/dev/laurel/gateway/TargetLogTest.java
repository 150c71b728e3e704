package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class TargetLogTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private final TargetLog log = new TargetLog("narrow", LONG);

    private static RecordMetadata at(int partition, long offset) {
        return new RecordMetadata(new TopicPartition("narrow", partition), offset, 0, 0, 0, 0);
    }

    @Test
    void shouldKnowTheLastOffsetOfEachPartition() throws Exception {
        log.enter().settled(at(0, 5));
        TargetLog.Target late = log.enter();
        log.enter().settled(at(3, 2));
        log.enter().settled(null);
        late.settled(at(0, 4));

        log.awaitSettled();
        assertEquals(Map.of(0, 5L, 3, 2L), log.acknowledged());
    }

    @Test
    void shouldHoldCommandsBackUntilTheNextLogIsOpen() throws Exception {
        log.hold();
        var entered = new CompletableFuture<TargetLog.Target>();
        Thread.ofVirtual().start(() -> entered.complete(log.enter()));

        assertFalse(entered.isDone());
        log.open("wide");

        assertEquals("wide", entered.get(LONG.toSeconds(), TimeUnit.SECONDS).name());
        assertEquals(Map.of(), log.acknowledged());
    }

    @Test
    void shouldWaitForUnacknowledgedCommands() throws Exception {
        TargetLog.Target target = log.enter();
        log.hold();
        var idle = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try {
                log.awaitSettled();
                idle.complete(true);
            } catch (InterruptedException e) {
                idle.completeExceptionally(e);
            }
        });

        assertFalse(idle.isDone());
        target.settled(at(1, 9));

        assertTrue(idle.get(LONG.toSeconds(), TimeUnit.SECONDS));
        assertEquals(Map.of(1, 9L), log.acknowledged());
    }

    @Test
    void shouldRefuseCommandsAfterTheTimeout() {
        var withoutTimeout = new TargetLog("narrow", Duration.ZERO);
        withoutTimeout.hold();

        assertNull(withoutTimeout.enter());
    }
}
