package dev.laurel.processors.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.laurel.processors.core.user.Numbered;
import dev.laurel.processors.core.user.Preferences;
import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.StreakState;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentUsersTest {

    private final RecentUsers recent = new RecentUsers(4);

    @Test
    void shouldKnowTheStateOfTheBytesItWasGiven() {
        UserState ann = state("ann", 1);
        recent.put(key("ann"), new byte[]{1, 2, 3}, ann);

        assertSame(ann, recent.get(key("ann"), new byte[]{1, 2, 3}));
    }

    @Test
    void shouldNotKnowAStateThatTheStoreHasNotAnyMore() {
        recent.put(key("ann"), new byte[]{1, 2, 3}, state("ann", 1));

        assertNull(recent.get(key("ann"), new byte[]{1, 2, 4}));
        assertNull(recent.get(key("ann"), new byte[]{1, 2}));
    }

    @Test
    void shouldNeverTakeOneUserForAnother() {
        for (int user = 0; user < 50_000; user++) {
            recent.put(key("user-" + user), bytes(user), state("user-" + user, user));
        }
        int known = 0;
        for (int user = 0; user < 50_000; user++) {
            UserState state = recent.get(key("user-" + user), bytes(user));
            if (state != null) {
                known++;
                assertEquals(user, state.sequence());
            }
        }
        assertEquals(4096, known, "every slot is in use");
    }

    private static byte[] key(String user) {
        return user.getBytes(UTF_8);
    }

    private static byte[] bytes(int user) {
        return ("state of " + user).getBytes(UTF_8);
    }

    private static UserState state(String id, long sequence) {
        return new UserState(new UserId(id), Profile.BLANK, Preferences.NONE, false, 0, 0, 0, sequence, 0,
                Numbered.empty(), Numbered.empty(), Numbered.empty(), Numbered.empty(), StreakState.NONE, List.of(), 0);
    }
}
