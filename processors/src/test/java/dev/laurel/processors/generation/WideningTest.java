package dev.laurel.processors.generation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.GenerationPromoted;
import dev.laurel.schemas.command.Command.RevokeOwnedBoost;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.Command.TimersHeld;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.UserResourceIds;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class WideningTest {

    private static final byte[] EVENT =
            "{\"type\":\"event\",\"metric\":\"laps\",\"value\":1,\"user\":{\"id\":\"ida\"}}".getBytes(UTF_8);

    /** This also holds for a second widening of the first wide log. */
    @Test
    void shouldKeepAllUsersOfAWidePartitionTogetherInOneNarrowOne() {
        var random = new Random(5);
        for (int narrow : new int[] {1, 2, 3, 4, 12}) {
            for (int factor : new int[] {2, 3, 4}) {
                var widening = new Widening(narrow, narrow * factor);
                for (int i = 0; i < 500; i++) {
                    byte[] key = ("user-" + random.nextInt()).getBytes(UTF_8);
                    int from = new LogLayout(narrow).partitionOf(key);
                    int to = new LogLayout(narrow * factor).partitionOf(key);
                    assertEquals(from, widening.sourceOf(to));
                    assertEquals(Set.of(to), widening.targetsOf(from, key, EVENT));
                }
            }
        }
    }

    @Test
    void shouldCopyAMarkerIntoAllPartitionsThatComeFromItsOwn() {
        var widening = new Widening(4, 12);

        assertEquals(Set.of(1, 5, 9), places(widening, 1, new Tick()));
        assertEquals(Set.of(3, 7, 11), places(widening, 3, new TimersHeld("import")));
        assertEquals(Set.of(0, 4, 8), places(widening, 0, new GenerationPromoted(2)));
    }

    @Test
    void shouldCopyACommandAboutAnObjectToItsOwner() {
        var widening = new Widening(4, 8);
        for (int i = 0; i < 50; i++) {
            UserKey owner = UserKey.of("user-" + i);
            UUID boost = UserResourceIds.of(owner, new UUID(i, i));
            int from = new LogLayout(4).partitionOf(owner.bytes());
            int to = new LogLayout(8).partitionOf(owner.bytes());

            assertEquals(Set.of(to), places(widening, from, new RevokeOwnedBoost(TenantId.NONE, boost, "gems")));
        }
    }

    /** The partition is wrong in both logs. */
    @Test
    void shouldCopyARejectedRecordIntoOnePartitionThatRejectsItAgain() {
        var widening = new Widening(4, 8);
        byte[] key = "ida".getBytes(UTF_8);
        int elsewhere = (new LogLayout(4).partitionOf(key) + 1) % 4;

        assertEquals(Set.of(elsewhere), widening.targetsOf(elsewhere, key, EVENT));
        assertEquals(Set.of(2), widening.targetsOf(2, null, EVENT));
        assertEquals(Set.of(2), widening.targetsOf(2, null, null));
        assertEquals(Set.of(2), widening.targetsOf(2, key, "no command".getBytes(UTF_8)));
    }

    @Test
    void shouldRefuseOtherNumbersThanMultiples() {
        assertThrows(IllegalArgumentException.class, () -> new Widening(4, 10));
        assertThrows(IllegalArgumentException.class, () -> new Widening(4, 4));
        assertThrows(IllegalArgumentException.class, () -> new Widening(4, 2));
    }

    private static Set<Integer> places(Widening widening, int partition, Command command) {
        return widening.targetsOf(partition, null, CommandJson.write(command));
    }
}
