package dev.laurel.core.rules;

import dev.laurel.core.leaderboard.BoardRules;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import dev.laurel.schemas.ruleset.Leaderboard;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The leaderboards of a ruleset. */
final class BoardIndex {

    private final List<BoardRules> all;
    private final List<BoardRules> open;
    private final List<BoardRules> ofStreaks;
    private final List<BoardRules> counted;
    private final Map<String, BoardRules> byKey = new LinkedHashMap<>();
    private final Map<Integer, BoardRules> byNumber = new HashMap<>();

    BoardIndex(List<Leaderboard> boards) {
        this.all = boards.stream().map(BoardRules::new).toList();
        this.open = all.stream().filter(BoardRules::isOpen).toList();
        this.ofStreaks = openOf(new RankBy.StreakLength());
        this.counted = all.stream().filter(BoardRules::ranksAll).toList();
        for (BoardRules board : all) {
            byKey.put(board.board().key(), board);
            byNumber.put(board.number(), board);
        }
    }

    List<BoardRules> all() {
        return all;
    }

    List<BoardRules> open() {
        return open;
    }

    List<BoardRules> ofStreaks() {
        return ofStreaks;
    }

    List<BoardRules> counted() {
        return counted;
    }

    List<BoardRules> openOf(RankBy rankBy) {
        return open.stream().filter(rules -> rules.board().rankBy().equals(rankBy)).toList();
    }

    @Nullable
    BoardRules get(String key) {
        return byKey.get(key);
    }

    @Nullable
    BoardRules get(int number) {
        return byNumber.get(number);
    }
}
