package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.topic.GenerationRecord.State;
import java.util.List;
import org.junit.jupiter.api.Test;

class GenerationRecordTest {

    private static final GenerationRecord CLAIMED =
            GenerationRecord.claimed(Generation.wider(2), List.of(), "laurel.commands");

    @Test
    void shouldReadBackWhatItWrites() {
        var topic = Topics.GENERATIONS;
        for (GenerationRecord record : List.of(
                GenerationRecord.FIRST,
                CLAIMED,
                CLAIMED.in(State.FOLLOWED),
                CLAIMED.promoted(List.of(7L, 9L)),
                CLAIMED.promoted(List.of(7L, 9L)).inForce(List.of(1L, 2L, 3L, 4L)),
                CLAIMED.notCopied(),
                CLAIMED.builtBy(1_000_000_017),
                GenerationRecord.FIRST.inForm(2))) {
            byte[] written = topic.value().serializer().serialize(topic.name(), record);
            assertEquals(record, topic.value().deserializer().deserialize(topic.name(), written));
        }
    }

    /** Reads a record in the form from before growth existed. */
    @Test
    void shouldReadOlderRecords() {
        String older =
                "{\"number\":2,\"state\":\"IN_FORCE\",\"log\":\"laurel.commands\",\"rules\":[],\"handover\":[5]}";

        GenerationRecord read = Topics.GENERATIONS.value().deserializer().deserialize("", older.getBytes(UTF_8));

        assertEquals(List.of(5L), read.endsOfFormer());
        assertFalse(read.needsCopying());
        assertTrue(read.hasBeenPromoted());
    }

    @Test
    void shouldNeedCopyingUntilCopiedOrEndedBeforePromotion() {
        GenerationRecord inForce = CLAIMED.promoted(List.of(7L)).inForce(List.of(1L, 2L));

        assertTrue(CLAIMED.needsCopying());
        assertFalse(CLAIMED.in(State.OVER).needsCopying());
        assertTrue(inForce.needsCopying());
        assertTrue(inForce.in(State.OVER).needsCopying());
        assertFalse(inForce.notCopied().needsCopying());
        assertEquals(List.of(7L), inForce.endsOfFormer());
    }

    @Test
    void shouldNameWiderLogsByTheirGeneration() {
        assertEquals("laurel.commands-g7", Generation.wider(7).log());
        assertEquals(7, Generation.wider(7).logNumber());
        assertEquals(1, Generation.FIRST.logNumber());
        assertTrue(Generation.wider(7).bringsLog());
        assertFalse(Generation.FIRST.bringsLog());
        assertFalse(new Generation(8, "laurel.commands-g7").bringsLog());
        assertThrows(IllegalArgumentException.class, () -> Generation.numberOf("laurel.commands-green"));
    }
}
