package dev.laurel.processors.core.view;

import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.PointsSystemBody.LevelUsersBody;
import java.util.ArrayList;
import java.util.List;

/**
 * Counts the users on each level of a points system (docs/application-api.md §6 "level-summary"). Accepts totals in any order.
 * Not thread-safe.
 */
public final class LevelUsers {

    private final PointsSystem system;
    private final long[] users;

    public LevelUsers(PointsSystem system) {
        this.system = system;
        this.users = new long[system.levels().size()];
    }

    /** The lowest total of each level, ascending. */
    public long[] steps() {
        return system.levels().stream().mapToLong(level -> switch (system.levelAt()) {
            case EXCEEDS -> level.points() + 1;
            case REACHES -> level.points();
        }).toArray();
    }

    /** Adds users with a total, which may be 0, since a level may begin at 0. */
    public void add(long total, long count) {
        int held = system.levelsBelow(total);
        if (held > 0) {
            users[held - 1] += count;
        }
    }

    /** All levels, in ascending order. */
    public List<LevelUsersBody> toBodies() {
        var bodies = new ArrayList<LevelUsersBody>(users.length);
        for (int i = 0; i < users.length; i++) {
            bodies.add(new LevelUsersBody(PointsBodies.level(system.levels().get(i)), users[i]));
        }
        return bodies;
    }
}
