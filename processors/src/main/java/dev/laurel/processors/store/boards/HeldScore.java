package dev.laurel.processors.store.boards;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A score that has not been sent to its leaderboard, because it is below a floor that may have fallen since.
 *
 * @param score above 0, in a group
 * @param offset of the command in the log
 * @param before the highest value that the user may still have on the leaderboard
 * @param isSilent whether another generation produces the output
 * @param key of the leaderboard
 * @param waiting who awaits the verdict
 */
public record HeldScore(
        Scored score, long offset, BigDecimal before, boolean isSilent, String key, List<ReplyTo> waiting) {

    /** Whether the score may change a ranking with this floor. @param floor null: unknown, or there is room */
    public boolean mayMatter(@Nullable BigDecimal floor) {
        return floor == null || score.value().compareTo(floor) > 0 || before.compareTo(floor) >= 0;
    }

    public LeaderboardGroup group() {
        return new LeaderboardGroup(score.tenant(), score.board(), score.run(), score.group());
    }
}
