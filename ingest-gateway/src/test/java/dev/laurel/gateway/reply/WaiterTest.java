package dev.laurel.gateway.reply;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An answer and its parts, in whatever order they come. */
class WaiterTest {

    private static final Answer.Replied ANSWER = new Answer.Replied(201, new byte[]{1});

    private final Waiter waiter = new Waiter();

    private void part(String name, String body) {
        waiter.part(name, body.getBytes(UTF_8));
    }

    private static List<String> there(Answer answer) {
        var texts = new ArrayList<String>();
        ((Answer.Replied) answer).parts().there()
                .forEach((name, body) -> texts.add(name + "=" + new String(body, UTF_8)));
        return texts;
    }

    private List<String> there() {
        return there(waiter.outcome().getNow(null));
    }

    @Test
    void shouldBeDoneWithAWholeAnswer() {
        waiter.answer(ANSWER, List.of());

        assertSame(ANSWER, waiter.outcome().getNow(null));
    }

    @Test
    void shouldWaitForEveryPartOfTheAnswer() {
        waiter.answer(ANSWER, List.of("a", "b"));
        part("b", "2");
        assertFalse(waiter.outcome().isDone());
        part("a", "1");

        assertEquals(List.of("a=1", "b=2"), there(), "in the order of the answer");
        var replied = (Answer.Replied) waiter.outcome().getNow(null);
        assertEquals(201, replied.status());
        assertSame(ANSWER.body(), replied.body());
        assertEquals(List.of(), replied.parts().missing());
    }

    @Test
    void shouldTakePartsThatOvertakeTheAnswer() {
        part("b", "2");
        part("a", "1");
        assertFalse(waiter.outcome().isDone());
        waiter.answer(ANSWER, List.of("a", "b"));

        assertEquals(List.of("a=1", "b=2"), there());
    }

    @Test
    void shouldLetTheFirstOfEachPartWin() {
        part("a", "early");
        part("a", "repeated early");
        waiter.answer(ANSWER, List.of("a", "b", "c"));
        part("a", "repeated late");
        part("b", "late");
        part("b", "repeated late");
        part("c", "last");

        assertEquals(List.of("a=early", "b=late", "c=last"), there());
    }

    @Test
    void shouldLetTheFirstAnswerWin() {
        waiter.answer(ANSWER, List.of("a"));
        waiter.answer(new Answer.Replied(422, new byte[]{2}), List.of());
        assertFalse(waiter.outcome().isDone());
        part("a", "1");

        assertEquals(201, ((Answer.Replied) waiter.outcome().getNow(null)).status());
    }

    @Test
    void shouldPassOverPartsThatTheAnswerDoesNotName() {
        part("x", "early");
        waiter.answer(ANSWER, List.of("a"));
        part("y", "late");
        part("a", "1");

        assertEquals(List.of("a=1"), there());
    }

    @Test
    void shouldPassOverPartsOfAWholeAnswer() {
        waiter.answer(ANSWER, List.of());
        part("a", "late");

        assertSame(ANSWER, waiter.asFarAsKnown());
    }

    @Test
    void shouldNameWhatIsMissing() {
        part("c", "3");
        waiter.answer(ANSWER, List.of("a", "b", "c", "d"));
        part("b", "2");

        var known = (Answer.Replied) waiter.asFarAsKnown();
        assertEquals(List.of("b=2", "c=3"), there(known));
        assertEquals(List.of("a", "d"), known.parts().missing());
    }

    @Test
    void shouldBePendingWithPartsOnly() {
        part("a", "1");

        assertSame(Answer.PENDING, waiter.asFarAsKnown());
    }

    @Test
    void shouldNotEndOtherwiseOnceTheAnswerIsThere() {
        waiter.answer(ANSWER, List.of("a"));
        waiter.end(Answer.PENDING);
        assertFalse(waiter.outcome().isDone());
        part("a", "1");

        assertEquals(List.of("a=1"), there());
    }

    @Test
    void shouldGiveUpWithWhatItKnows() {
        waiter.answer(ANSWER, List.of("a"));
        waiter.abandon();

        assertEquals(List.of("a"), ((Answer.Replied) waiter.outcome().getNow(null)).parts().missing());
    }

    @Test
    void shouldKeepAThousandPartsAtMostBeforeTheAnswer() {
        for (int i = 0; i < 1_001; i++) {
            part("p" + i, "early");
        }
        waiter.answer(ANSWER, List.of("p0", "p999", "p1000"));

        assertFalse(waiter.outcome().isDone());
        assertEquals(List.of("p1000"), ((Answer.Replied) waiter.asFarAsKnown()).parts().missing());
        part("p1000", "late");
        assertTrue(waiter.outcome().isDone());
    }
}
