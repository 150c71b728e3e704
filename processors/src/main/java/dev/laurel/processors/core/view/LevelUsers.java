package dev.laurel.processors.core.view;

import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.LevelUsersBody;
import java.util.ArrayList;
import java.util.List;

/**
 * How many users hold which level of a points system (application-api.md §6 "level-summary"). Counts totals one by one, in
 * any order and in any number of parts. One thread.
 */
public final class LevelUsers {

    private final PointsSystem system;
    private final long[] users;

    public LevelUsers(PointsSystem system) {
        this.system = system;
        this.users = new long[system.levels().size()];
    }

    /** A user without points counts too: in systems where levels are reached, a level may stand at 0. */
    public void add(long total) {
        Level held = system.levelOf(total);
        if (held != null) {
            users[system.levels().indexOf(held)]++;
        }
    }

    /** @param part of the same system */
    public void add(LevelUsers part) {
        for (int i = 0; i < users.length; i++) {
            users[i] += part.users[i];
        }
    }

    /** Every level, ascending. */
    public List<LevelUsersBody> toBodies() {
        var bodies = new ArrayList<LevelUsersBody>(users.length);
        for (int i = 0; i < users.length; i++) {
            bodies.add(new LevelUsersBody(PointsBodies.level(system.levels().get(i)), users[i]));
        }
        return bodies;
    }
}
