package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.store.BoardReader;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.List;
import java.util.function.Supplier;

/** Reads one partition's leaderboards: from memory what its task holds there, else from its stores. Thread-safe. */
public final class StoredBoards implements BoardReads {

    private final BoardViews views;
    private final int partition;
    private final Supplier<BoardReader> stores;

    /**
     * @param partition of {@code laurel.scores}
     * @param stores opens the partition's stores; fails with {@code InvalidStateStoreException} while they are not here
     */
    public StoredBoards(BoardViews views, int partition, Supplier<BoardReader> stores) {
        this.views = views;
        this.partition = partition;
        this.stores = stores;
    }

    @Override
    public Ranking ranking(BoardGroup group, int limit) {
        Ranking held = views.find(partition, group);
        return (held == null ? stores.get().ranking(group) : held).best(limit);
    }

    @Override
    public List<List<String>> groups(TenantId tenant, int board, int run, int limit) {
        return stores.get().groups(tenant, board, run, limit);
    }

    @Override
    public List<String> groupOf(TenantId tenant, int board, int run, UserId user) {
        return stores.get().groupOf(tenant, board, run, user);
    }

    @Override
    public List<DayEnd> dayEnds(BoardGroup group, UserId user, int count) {
        return stores.get().dayEnds(group, user, count);
    }

    @Override
    public List<DayEnd> dayEnds(BoardGroup group, UserId user, int firstDay, int lastDay) {
        return stores.get().dayEnds(group, user, firstDay, lastDay);
    }

    @Override
    public List<BoardGroup> groupsOf(TenantId tenant, int board, UserId user, int firstRun, int lastRun, int limit) {
        return stores.get().groupsOf(tenant, board, user, firstRun, lastRun, limit);
    }
}
