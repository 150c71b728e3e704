package dev.laurel.processors.core.rules;

import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.RankBy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The leaderboards of a ruleset. Versions with the same leaderboards share one. */
final class BoardIndex {

    private final List<BoardRules> all;
    private final List<BoardRules> open;
    private final List<BoardRules> ofStreaks;
    private final List<BoardRules> counted;
    private final Lazy<Map<String, BoardRules>> byKey;
    private final Lazy<Map<Integer, BoardRules>> byNumber;

    /** @param near the index of another version, whose parts are shared; null: there is none */
    BoardIndex(List<Leaderboard> boards, @Nullable BoardIndex near) {
        var rules = new ArrayList<BoardRules>(boards.size());
        for (int i = 0; i < boards.size(); i++) {
            BoardRules other = near == null || i >= near.all.size() ? null : near.all.get(i);
            rules.add(other != null && other.board() == boards.get(i) ? other : new BoardRules(boards.get(i)));
        }
        this.all = List.copyOf(rules);
        this.open = all.stream().filter(BoardRules::isOpen).toList();
        this.ofStreaks = openOf(new RankBy.StreakLength());
        this.counted = all.stream().filter(BoardRules::ranksAll).toList();
        List<BoardRules> each = all;
        this.byKey = new Lazy<>(() -> {
            var keys = new LinkedHashMap<String, BoardRules>();
            each.forEach(board -> keys.put(board.board().key(), board));
            return keys;
        });
        this.byNumber = new Lazy<>(() -> {
            var numbers = new HashMap<Integer, BoardRules>();
            each.forEach(board -> numbers.put(board.number(), board));
            return numbers;
        });
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
        return byKey.get().get(key);
    }

    @Nullable
    BoardRules get(int number) {
        return byNumber.get().get(number);
    }
}
