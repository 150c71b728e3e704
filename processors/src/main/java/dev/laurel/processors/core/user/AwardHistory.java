package dev.laurel.processors.core.user;

import java.util.ArrayList;
import java.util.List;

/** A user's awards over all their places: the newest lie in the state, the others on the pages of the ledger. */
public final class AwardHistory {

    private AwardHistory() {}

    /** The newest awards of one system, newest first, at most {@code limit}. @param system its number */
    public static List<Award> newest(UserState state, UserHistory history, int system, int limit) {
        PointsState points = state.points().get(system);
        if (points == null) {
            return List.of();
        }
        var awards = new ArrayList<Award>(Math.min(limit, points.awards()));
        addNewestFirst(awards, points.newest(), limit);
        for (int page = PointsState.pageOf(points.awards()) - 1; page >= 0 && awards.size() < limit; page--) {
            addNewestFirst(awards, history.ledgerPage(system, page), limit);
        }
        return awards;
    }

    private static void addNewestFirst(List<Award> awards, List<Award> page, int limit) {
        for (int i = page.size() - 1; i >= 0 && awards.size() < limit; i--) {
            awards.add(page.get(i));
        }
    }
}
