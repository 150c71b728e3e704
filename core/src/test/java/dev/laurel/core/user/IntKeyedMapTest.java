package dev.laurel.core.user;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class IntKeyedMapTest {

    @Test
    void shouldKeepAscendingOrderWhateverTheOrderOfPutting() {
        var values = IntKeyedMap.<String>empty()
                .with(7, "g")
                .with(2, "b")
                .with(9, "i")
                .with(1, "a");

        assertEquals("{1=a, 2=b, 7=g, 9=i}", values.toString());
    }

    @Test
    void shouldBeEqualWhenContentIsEqual() {
        var one = IntKeyedMap.<String>empty().with(1, "a").with(2, "b");
        var other = IntKeyedMap.<String>empty().with(2, "x").with(1, "a").with(2, "b");

        assertEquals(one, other);
        assertEquals(one.hashCode(), other.hashCode());
        assertNotEquals(one, one.with(2, "c"));
    }

    @Test
    void shouldNotChangeTheOldMapByAChange() {
        var before = IntKeyedMap.<String>empty().with(1, "a");

        before.with(1, "changed").with(2, "b");

        assertEquals("{1=a}", before.toString());
    }

    @Test
    void shouldFindNothingUnderAnUnknownNumber() {
        var values = IntKeyedMap.<String>empty().with(3, "c");

        assertNull(values.get(2));
        assertFalse(values.contains(4));
        assertTrue(values.contains(3));
    }

    @Test
    void shouldRefuseNumbersThatDoNotAscend() {
        assertThrows(IllegalArgumentException.class, () -> IntKeyedMap.ofSorted(new int[] {1, 1}, new Object[2]));
        assertThrows(IllegalArgumentException.class, () -> IntKeyedMap.ofSorted(new int[] {2, 1}, new Object[2]));
    }
}
