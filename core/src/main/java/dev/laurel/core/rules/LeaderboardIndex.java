package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import java.util.List;
import java.util.Map;

/** The leaderboards of a ruleset, in ruleset order. */
record LeaderboardIndex(
        List<LeaderboardRules> all,
        List<LeaderboardRules> open,
        Map<String, LeaderboardRules> byKey,
        Map<Integer, LeaderboardRules> byNumber) {

    static LeaderboardIndex of(List<Leaderboard> boards) {
        List<LeaderboardRules> all = boards.stream().map(LeaderboardRules::new).toList();
        return new LeaderboardIndex(
                all,
                all.stream().filter(LeaderboardRules::isOpen).toList(),
                CompiledRuleset.by(all, rules -> rules.board().key()),
                CompiledRuleset.by(all, LeaderboardRules::number));
    }

    List<LeaderboardRules> openOf(RankBy rankBy) {
        return open.stream()
                .filter(rules -> rules.board().rankBy().equals(rankBy))
                .toList();
    }
}
