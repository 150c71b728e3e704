package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the users of one tenant by groups with equal attributes. Attributes that differ for every user would make as many
 * groups as there are users: once the {@link Room} for groups is full, users of new groups are counted together, and then
 * only counts of all users are known. Not thread-safe.
 */
final class TenantStatistics {

    /** The memory for the groups of all tenants, in characters approximately. */
    static final class Room {

        private static final long OF_A_GROUP = 300;
        private static final long OF_AN_ATTRIBUTE = 160;

        private long left;

        Room(long size) {
            this.left = size;
        }

        private boolean take(Map<String, String> attributes) {
            long size = sizeOf(attributes);
            if (size > left) {
                return false;
            }
            left -= size;
            return true;
        }

        private void giveBack(Map<String, String> attributes) {
            left += sizeOf(attributes);
        }

        private static long sizeOf(Map<String, String> attributes) {
            long size = OF_A_GROUP;
            for (var attribute : attributes.entrySet()) {
                size += OF_AN_ATTRIBUTE + attribute.getKey().length() + attribute.getValue().length();
            }
            return size;
        }
    }

    private final Room room;
    private final Map<Map<String, String>, UserGroup> groups = new HashMap<>();

    /** The users for whose group there was no room. While there are any, no group is added: it could not be complete. */
    private final UserGroup others = new UserGroup();
    private final StreakStatistics streaks;
    private final UserSample sample = new UserSample();

    TenantStatistics(Room room, int streaksKept) {
        this.room = room;
        this.streaks = new StreakStatistics(streaksKept);
    }

    StreakStatistics streaks() {
        return streaks;
    }

    UserSample sample() {
        return sample;
    }

    /** Whether so many users were lost that the statistics should be rebuilt. */
    boolean needsRebuild() {
        return streaks.isShort() || sample.hasShrunk();
    }

    void add(UserState state) {
        joined(state).join(state.points());
        streaks.add(state);
        sample.offer(state.id());
    }

    private UserGroup joined(UserState state) {
        Map<String, String> attributes = state.profile().attributes();
        UserGroup group = groups.get(attributes);
        if (group != null) {
            return group;
        }
        if (others.users() > 0 || !room.take(attributes)) {
            return others;
        }
        group = new UserGroup();
        groups.put(attributes, group);
        return group;
    }

    /** @param state as it was added */
    void remove(UserState state) {
        leave(state);
        streaks.remove(state);
        sample.remove(state.id());
    }

    private void leave(UserState state) {
        Map<String, String> attributes = state.profile().attributes();
        UserGroup group = groups.getOrDefault(attributes, others);
        group.leave(state.points());
        if (group != others && group.users() == 0) {
            groups.remove(attributes);
            room.giveBack(attributes);
        }
    }

    /** Whether nothing counted here has changed. */
    static boolean isSame(UserState before, UserState after) {
        return hasSameAttributes(before, after) && UserGroup.isSame(before.points(), after.points())
                && StreakStatistics.isSame(before, after);
    }

    private static boolean hasSameAttributes(UserState before, UserState after) {
        return before.profile() == after.profile()
                || before.profile().attributes().equals(after.profile().attributes());
    }

    /** @param before as it was added */
    void change(UserState before, UserState after) {
        if (!hasSameAttributes(before, after)) {
            leave(before);
            joined(after).join(after.points());
        } else if (!UserGroup.isSame(before.points(), after.points())) {
            groups.getOrDefault(before.profile().attributes(), others).change(before.points(), after.points());
        }
        if (!StreakStatistics.isSame(before, after)) {
            streaks.remove(before);
            streaks.add(after);
        }
    }

    /** @return false, and nothing was visited, if the matching users are not known */
    boolean forEachTotal(int system, List<AttributeFilter> filters, LongCounts.Visitor visitor) {
        if (!filters.isEmpty() && others.users() > 0) {
            return false;
        }
        groups.forEach((attributes, group) -> {
            if (AttributeFilters.match(filters, attributes)) {
                group.forEachTotal(system, visitor);
            }
        });
        others.forEachTotal(system, visitor);
        return true;
    }
}
