package dev.laurel.schemas.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.command.UserChange.Change;
import org.junit.jupiter.api.Test;

class UserChangeTest {

    @Test
    void shouldKeepTheOldValue() {
        Change<String> keep = Change.keep();

        assertEquals("old", keep.appliedTo("old"));
        assertFalse(keep.isGiven());
    }

    @Test
    void shouldClearToNull() {
        Change<String> clear = Change.clear();

        assertNull(clear.appliedTo("old"));
        assertTrue(clear.isGiven());
    }

    @Test
    void shouldSetTheNewValue() {
        assertEquals("new", Change.set("new").appliedTo("old"));
        assertEquals("new", Change.set("new").appliedTo(null));
        assertTrue(Change.set("new").isGiven());
    }

    @Test
    void shouldCompareByValue() {
        assertEquals(Change.keep(), new Change.Keep<String>());
        assertEquals(Change.set(1), Change.set(1));
    }
}
