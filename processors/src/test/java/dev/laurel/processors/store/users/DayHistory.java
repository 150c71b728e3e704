package dev.laurel.processors.store.users;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;

/** A history of days in memory, with nothing else in it. */
final class DayHistory implements UserHistory {

    static final DayHistory NONE = new DayHistory();

    private final Map<Integer, NavigableMap<Integer, DayBucket>> days = new HashMap<>();

    /** How often days were read. */
    int reads;

    void put(int number, int day, DayBucket bucket) {
        days.computeIfAbsent(number, _ -> new TreeMap<>()).put(day, bucket);
    }

    private NavigableMap<Integer, DayBucket> of(int number) {
        return days.getOrDefault(number, new TreeMap<>());
    }

    @Override
    public DayBucket day(int number, int day) {
        return of(number).get(day);
    }

    @Override
    public List<Day> days(int number, int first, int last) {
        reads++;
        return last < first
                ? List.of()
                : of(number).subMap(first, true, last, true).entrySet().stream()
                        .map(day -> new Day(day.getKey(), day.getValue()))
                        .toList();
    }

    @Override
    public long activeDays(int block) {
        return 0;
    }

    @Override
    public StreakBlock streakBlock(StreakFrequency frequency, int block) {
        return null;
    }

    @Override
    public List<Award> ledgerPage(int system, int page) {
        return List.of();
    }

    @Override
    public LeaderboardState boardRun(int board, int run) {
        return null;
    }

    @Override
    public UUID eventWith(int metric, String idempotencyKey) {
        return null;
    }

    @Override
    public CompiledRuleset rules(long version) {
        return null;
    }
}
