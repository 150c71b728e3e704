package dev.laurel.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.gateway.Waiters.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests replies and their parts, in any order. */
class WaiterTest {

    private static final RequestResult.Replied REPLY = new RequestResult.Replied(201, new byte[] {1});

    private final Waiter waiter = new Waiter(() -> true, System.nanoTime() + TimeUnit.HOURS.toNanos(1));

    private void part(String name, String body) {
        waiter.part(name, body.getBytes(UTF_8));
    }

    private static List<String> arrived(RequestResult result) {
        var texts = new ArrayList<String>();
        ((RequestResult.Replied) result)
                .parts()
                .there()
                .forEach((name, body) -> texts.add(name + "=" + new String(body, UTF_8)));
        return texts;
    }

    private List<String> arrived() {
        return arrived(waiter.result().getNow(null));
    }

    @Test
    void shouldCompleteWithAReplyWithoutParts() {
        waiter.reply(REPLY, List.of());

        assertSame(REPLY, waiter.result().getNow(null));
    }

    @Test
    void shouldWaitForEveryPartOfTheReply() {
        waiter.reply(REPLY, List.of("a", "b"));
        part("b", "2");
        assertFalse(waiter.result().isDone());
        part("a", "1");

        assertEquals(List.of("a=1", "b=2"), arrived(), "not in the order of the reply");
        var replied = (RequestResult.Replied) waiter.result().getNow(null);
        assertEquals(201, replied.status());
        assertSame(REPLY.body(), replied.body());
        assertEquals(List.of(), replied.parts().missing());
    }

    @Test
    void shouldAcceptPartsThatArriveBeforeTheReply() {
        part("b", "2");
        part("a", "1");
        assertFalse(waiter.result().isDone());
        waiter.reply(REPLY, List.of("a", "b"));

        assertEquals(List.of("a=1", "b=2"), arrived());
    }

    @Test
    void shouldKeepTheFirstPartOfEachName() {
        part("a", "early");
        part("a", "repeated early");
        waiter.reply(REPLY, List.of("a", "b", "c"));
        part("a", "repeated late");
        part("b", "late");
        part("b", "repeated late");
        part("c", "last");

        assertEquals(List.of("a=early", "b=late", "c=last"), arrived());
    }

    @Test
    void shouldKeepTheFirstReply() {
        waiter.reply(REPLY, List.of("a"));
        waiter.reply(new RequestResult.Replied(422, new byte[] {2}), List.of());
        assertFalse(waiter.result().isDone());
        part("a", "1");

        assertEquals(201, ((RequestResult.Replied) waiter.result().getNow(null)).status());
    }

    @Test
    void shouldIgnorePartsThatTheReplyDoesNotList() {
        part("x", "early");
        waiter.reply(REPLY, List.of("a"));
        part("y", "late");
        part("a", "1");

        assertEquals(List.of("a=1"), arrived());
    }

    @Test
    void shouldIgnorePartsOfAReplyWithoutParts() {
        waiter.reply(REPLY, List.of());
        part("a", "late");

        assertSame(REPLY, waiter.resultSoFar());
    }

    @Test
    void shouldListMissingParts() {
        part("c", "3");
        waiter.reply(REPLY, List.of("a", "b", "c", "d"));
        part("b", "2");

        var known = (RequestResult.Replied) waiter.resultSoFar();
        assertEquals(List.of("b=2", "c=3"), arrived(known));
        assertEquals(List.of("a", "d"), known.parts().missing());
    }

    @Test
    void shouldBePendingWithPartsOnly() {
        part("a", "1");

        assertSame(RequestResult.PENDING, waiter.resultSoFar());
    }

    @Test
    void shouldIgnoreOtherEndsAfterTheReply() {
        waiter.reply(REPLY, List.of("a"));
        waiter.end(RequestResult.PENDING);
        assertFalse(waiter.result().isDone());
        part("a", "1");

        assertEquals(List.of("a=1"), arrived());
    }

    @Test
    void shouldCompleteWithWhatIsKnownWhenAbandoned() {
        waiter.reply(REPLY, List.of("a"));
        waiter.abandon();

        assertEquals(
                List.of("a"),
                ((RequestResult.Replied) waiter.result().getNow(null)).parts().missing());
    }

    @Test
    void shouldKeepAtMostAThousandPartsBeforeTheReply() {
        for (int i = 0; i < 1_001; i++) {
            part("p" + i, "early");
        }
        waiter.reply(REPLY, List.of("p0", "p999", "p1000"));

        assertFalse(waiter.result().isDone());
        assertEquals(
                List.of("p1000"),
                ((RequestResult.Replied) waiter.resultSoFar()).parts().missing());
        part("p1000", "late");
        assertTrue(waiter.result().isDone());
    }
}
