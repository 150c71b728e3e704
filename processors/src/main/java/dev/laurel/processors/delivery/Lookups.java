package dev.laurel.processors.delivery;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * What delivery asks the nodes for: what an event of a leaderboard says of others than those who caused it. Blocks as long as
 * a read does; thread-safe.
 */
public interface Lookups {

    /** Cannot be answered now; later it can. */
    final class NotNow extends Exception {

        private static final long serialVersionUID = 1L;

        public NotNow(String message) {
            super(message);
        }
    }

    /** The user as the API shows it; empty if there is none. */
    Optional<UserBody> user(UserKey user) throws NotNow;

    /**
     * All places of a group of a run, best first, with their exact values; empty if there is no such leaderboard. It may be a
     * moment behind what was heard of it: who asks must look whether what it knows has come there.
     *
     * @param leaderboard its key
     * @param group values of the breakdown attributes, in their order; empty on a leaderboard without
     */
    List<RankingBody> ranking(TenantId tenant, String leaderboard, LocalDate runStart, List<String> group)
            throws NotNow;
}
