package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.rules.AttributeFilters;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.ruleset.AttributeFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the users of one tenant by groups with equal attributes. Attributes that differ for every user would make as many
 * groups as there are users. Once the {@link GroupMemory} is used up, users of new groups are counted together, and counts by
 * attributes are unavailable. Not thread-safe.
 */
final class TenantStatistics {

    private final GroupMemory memory;

    /** What the groups take of the memory. */
    private long reserved;

    /** Whether groups take nothing of the memory any more. */
    private boolean isDetached;
    private final Map<Map<String, String>, UserGroup> groups = new HashMap<>();

    /** The users whose groups had no memory. While there are any, no group is added, since it would be incomplete. */
    private final UserGroup others = new UserGroup();
    private final StreakStatistics streaks;
    private final UserSample sample = new UserSample();
    private final TopUsers top;

    TenantStatistics(GroupMemory memory, int streaksKept, TopUsers top) {
        this.memory = memory;
        this.streaks = new StreakStatistics(streaksKept);
        this.top = top;
    }

    StreakStatistics streaks() {
        return streaks;
    }

    UserSample sample() {
        return sample;
    }

    TopUsers top() {
        return top;
    }

    /** Whether streaks, the top users or the sample have lost so many users that the statistics should be rebuilt. */
    boolean needsRebuild() {
        return streaks.isShort() || sample.hasShrunk() || top.areShort();
    }

    /** @param history of the user */
    void add(UserState state, UserHistory history) {
        groupFor(state).join(state.points());
        streaks.add(state);
        top.add(state, history);
        sample.offer(state.id());
    }

    private UserGroup groupFor(UserState state) {
        Map<String, String> attributes = state.profile().attributes();
        UserGroup group = groups.get(attributes);
        if (group != null) {
            return group;
        }
        if (others.users() > 0 || !reserve(attributes)) {
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
        top.remove(state);
        sample.remove(state.id());
    }

    private void leave(UserState state) {
        Map<String, String> attributes = state.profile().attributes();
        UserGroup group = groups.getOrDefault(attributes, others);
        group.leave(state.points());
        if (group != others && group.users() == 0) {
            groups.remove(attributes);
            release(GroupMemory.sizeOf(attributes));
        }
    }

    private boolean reserve(Map<String, String> attributes) {
        long size = GroupMemory.sizeOf(attributes);
        if (!isDetached && !memory.reserve(size)) {
            return false;
        }
        reserved += size;
        return true;
    }

    private void release(long size) {
        reserved -= size;
        if (!isDetached) {
            memory.release(size);
        }
    }

    /** Returns the memory for groups. They stay, and new ones take none. */
    void detach() {
        release(reserved);
        isDetached = true;
    }

    /** Whether the statistics are the same for both states. @param event that made the change, if one did */
    boolean isSame(UserState before, UserState after, @Nullable CountedEvent event) {
        return hasSameAttributes(before, after) && UserGroup.isSame(before.points(), after.points())
                && StreakStatistics.isSame(before, after) && top.isSame(after, event);
    }

    private static boolean hasSameAttributes(UserState before, UserState after) {
        return before.profile() == after.profile()
                || before.profile().attributes().equals(after.profile().attributes());
    }

    /**
     * @param before as it was added
     * @param event that made the change, if one did
     * @param history of the user, after the change
     */
    void change(UserState before, UserState after, @Nullable CountedEvent event, UserHistory history) {
        top.change(before, after, event, history);
        if (!hasSameAttributes(before, after)) {
            leave(before);
            groupFor(after).join(after.points());
        } else if (!UserGroup.isSame(before.points(), after.points())) {
            groups.getOrDefault(before.profile().attributes(), others).change(before.points(), after.points());
        }
        if (!StreakStatistics.isSame(before, after)) {
            streaks.remove(before);
            streaks.add(after);
        }
    }

    /** @return false, without a visit, if the matching users are not known */
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
