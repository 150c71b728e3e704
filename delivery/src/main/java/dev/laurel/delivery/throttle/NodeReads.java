package dev.laurel.delivery.throttle;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import dev.laurel.schemas.wire.UserBody;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads from the nodes what the events of leaderboards contain. Blocks while it reads; thread-safe. */
public interface NodeReads {

    /** Thrown when the nodes cannot answer at the moment. */
    final class NotNow extends Exception {

        public NotNow(@Nullable String message) {
            super(message);
        }
    }

    /** The user as the API shows it; empty if there is none. */
    Optional<UserBody> user(UserKey user) throws NotNow;

    /**
     * All ranks of a group of a run, best first, with exact values; empty if there is no such leaderboard. The answer may be
     * older than the newest event about the group.
     *
     * @param leaderboard key
     * @param group values of the breakdown attributes, in their order; empty on a leaderboard without breakdown
     */
    List<RankingBody> ranking(TenantId tenant, String leaderboard, LocalDate runStart, List<String> group)
            throws NotNow;
}
