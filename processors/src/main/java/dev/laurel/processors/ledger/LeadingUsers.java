package dev.laurel.processors.ledger;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.store.users.TopList;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The users of one partition of the log who may take part in a group of a leaderboard: a {@link TopList} of each group and run. The first
 * thousand of all users are among the first thousand of each partition, so the leaderboard needs to know these only. Who leads follows
 * from the users' states and the log alone. The lists are in the state of the partition, as {@code 'n' group}; a run's are deleted when
 * a later run begins and this one is final. One task, one thread.
 */
final class LeadingUsers {

    private static final char KIND = 'n';
    private static final int USERS_AT_ONCE = 1_000;

    private final KeyValueStore<Bytes, byte[]> store;
    private final UserStores users;
    private final LeadLimits limits;
    private final Listener listener;
    private final Map<LeaderboardGroup, TopList> lists = new HashMap<>();

    /** The newest runs with lists; {@link Runs#NONE} if there is none. */
    private final Map<Board, Integer> newestRuns = new HashMap<>();

    private record Board(TenantId tenant, int number) {}

    /** Receives the changes of other users than the one who has changed. */
    interface Listener {

        /** A user leads no more, since others are better. */
        void left(LeaderboardGroup group, UserId user);

        /** A user leads now, since others have left. */
        void joined(LeaderboardGroup group, Standing standing);
    }

    /** What a change does to a user. */
    enum Lead {
        /** The user leads now. */
        LEADS,
        /** The user leads no more. */
        LEFT,
        /** The user neither led nor leads. */
        NONE
    }

    /**
     * @param partitionState the store that contains the lists
     * @param users with the present states: a change is stored before it is followed
     */
    LeadingUsers(KeyValueStore<Bytes, byte[]> partitionState, UserStores users, LeadLimits limits, Listener listener) {
        this.store = partitionState;
        this.users = users;
        this.limits = limits;
        this.listener = listener;
    }

    /**
     * Follows a change of a user's standing in a group, which is stored.
     *
     * @param before null: the user had none
     * @param after null: the user has none
     */
    Lead follow(LeaderboardGroup group, LeaderboardRules rules, @Nullable Standing before, @Nullable Standing after) {
        TopList list = list(group, rules);
        boolean led = before != null && list.isAboveFloor(before);
        if (after != null && list.isAboveFloor(after)) {
            if (!led) {
                return add(group, list, after) ? Lead.LEADS : Lead.NONE;
            }
            list.follow(after.user(), after);
            return Lead.LEADS;
        }
        if (before == null || !led) {
            return Lead.NONE;
        }
        list.remove(before.user());
        boolean isShort = list.hasFloor() && list.count() < limits.least();
        return isShort && refill(group, list, before.user()) ? Lead.LEADS : Lead.LEFT;
    }

    /** Adds a user above the floor, which may rise. @return whether the user is still above it */
    private boolean add(LeaderboardGroup group, TopList list, Standing added) {
        boolean leads = true;
        for (UserId left : list.add(added)) {
            if (left.equals(added.user())) {
                leads = false;
            } else {
                listener.left(group, left);
            }
        }
        return leads;
    }

    /** Whether a user with this standing, which has not changed, leads. */
    boolean leads(LeaderboardGroup group, LeaderboardRules rules, Standing standing) {
        return list(group, rules).isAboveFloor(standing);
    }

    /** Fills a list from the states of all users. @return whether a user is among those who are added */
    private boolean refill(LeaderboardGroup group, TopList list, UserId user) {
        var all = new ArrayList<Standing>();
        Bytes next = UserStores.firstOf(group.tenant());
        while (next != null) {
            UserStores.Page<UserStores.Stored> page = users.ofTenant(group.tenant(), next, USERS_AT_ONCE);
            for (UserStores.Stored stored : page.users()) {
                Standing standing = standing(group, stored.key(), stored.state());
                if (standing != null) {
                    all.add(standing);
                }
            }
            next = page.next();
        }
        boolean isAdded = false;
        for (Standing joined : list.refill(all)) {
            if (joined.user().equals(user)) {
                isAdded = true;
            } else {
                listener.joined(group, joined);
            }
        }
        return isAdded;
    }

    private @Nullable Standing standing(LeaderboardGroup group, byte[] key, @Nullable UserState user) {
        LeaderboardState state =
                user == null ? null : users.historyOf(key, _ -> null).boardRun(user, group.board(), group.run());
        return user != null
                        && state != null
                        && state.value().signum() > 0
                        && group.values().equals(state.group())
                ? new Standing(
                        user.id(), user.profile().name(), user.preferences().shown(), state.value(), state.changedMs())
                : null;
    }

    private TopList list(LeaderboardGroup group, LeaderboardRules rules) {
        TopList known = lists.get(group);
        if (known == null) {
            begin(new Board(group.tenant(), group.board()), group.run(), rules);
            known = new TopList(
                    store,
                    LeaderboardKeys.ofGroup(KIND, group),
                    user -> {
                        byte[] key = new UserKey(group.tenant(), user).bytes();
                        return standing(group, key, users.load(key));
                    },
                    limits.size());
            lists.put(group, known);
        }
        return known;
    }

    /** If a run is newer than all with lists, deletes the lists of those that are final beside it: a replay deletes the same. */
    private void begin(Board board, int run, LeaderboardRules rules) {
        int newest = newestRuns.computeIfAbsent(board, this::newestStored);
        if (run > newest) {
            newestRuns.put(board, run);
            int oldest = rules.runs().oldestCounted(run);
            if (newest != Runs.NONE && oldest > rules.runs().oldestCounted(newest)) {
                delete(board, oldest);
            }
        }
    }

    private int newestStored(Board board) {
        byte[] prefix = LeaderboardKeys.ofBoard(KIND, board.tenant, board.number);
        try (KeyValueIterator<Bytes, byte[]> newest =
                store.reverseRange(Bytes.wrap(prefix), StoreKeys.afterAllWith(prefix.clone()))) {
            return newest.hasNext() ? LeaderboardKeys.groupOf(newest.next().key).run() : Runs.NONE;
        }
    }

    /** Deletes the lists of a leaderboard of the runs before another one. */
    private void delete(Board board, int run) {
        lists.keySet()
                .removeIf(group -> group.run() < run
                        && group.board() == board.number
                        && group.tenant().equals(board.tenant));
        StoreScans.keys(
                        store,
                        Bytes.wrap(LeaderboardKeys.ofBoard(KIND, board.tenant, board.number)),
                        Bytes.wrap(LeaderboardKeys.ofRun(KIND, board.tenant, board.number, run)),
                        StoreScans.ALL)
                .forEach(store::delete);
    }

    /** Deletes the lists of a leaderboard that the rules no longer have. */
    void deleteAll(TenantId tenant, int number) {
        var board = new Board(tenant, number);
        delete(board, Integer.MAX_VALUE);
        newestRuns.remove(board);
    }

    /** Writes what has changed since the last call. Called before each commit. */
    void write() {
        if (TopList.write(lists.values())) {
            lists.clear();
        }
    }
}
