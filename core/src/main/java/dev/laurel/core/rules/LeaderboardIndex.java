package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The leaderboards of a ruleset. */
final class LeaderboardIndex {

    private final List<LeaderboardRules> all;
    private final List<LeaderboardRules> open;
    private final List<LeaderboardRules> ofStreaks;
    private final List<LeaderboardRules> counted;
    private final Map<String, LeaderboardRules> byKey = new LinkedHashMap<>();
    private final Map<Integer, LeaderboardRules> byNumber = new HashMap<>();

    LeaderboardIndex(List<Leaderboard> boards) {
        this.all = boards.stream().map(LeaderboardRules::new).toList();
        this.open = all.stream().filter(LeaderboardRules::isOpen).toList();
        this.ofStreaks = openOf(new RankBy.StreakLength());
        this.counted = all.stream().filter(LeaderboardRules::ranksAll).toList();
        for (LeaderboardRules board : all) {
            byKey.put(board.board().key(), board);
            byNumber.put(board.number(), board);
        }
    }

    List<LeaderboardRules> all() {
        return all;
    }

    List<LeaderboardRules> open() {
        return open;
    }

    List<LeaderboardRules> ofStreaks() {
        return ofStreaks;
    }

    List<LeaderboardRules> counted() {
        return counted;
    }

    List<LeaderboardRules> openOf(RankBy rankBy) {
        return open.stream().filter(rules -> rules.board().rankBy().equals(rankBy)).toList();
    }

    @Nullable
    LeaderboardRules get(String key) {
        return byKey.get(key);
    }

    @Nullable
    LeaderboardRules get(int number) {
        return byNumber.get(number);
    }
}
