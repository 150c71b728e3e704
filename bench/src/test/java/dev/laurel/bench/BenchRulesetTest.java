package dev.laurel.bench;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserState;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.CommandJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class BenchRulesetTest {
    private static final long NOON_MS = Instant.parse("2026-03-04T12:00:00Z").toEpochMilli();
    private static final CompiledRuleset RULES = new CompiledRuleset(document());

    @Test
    void shouldHaveTheSizeAndTheKindsOfARealProduct() {
        RulesetSource rules = Laurel.rules();

        assertEquals(10 + 1, rules.content().part("metrics").size());
        assertEquals(2, rules.content().part("leaderboards").size());
        assertTrue(
                Laurel.rulesWithoutLeaderboards().content().part("leaderboards").isEmpty());
        assertEquals(
                Map.of("metric", 35L, "streak", 8L, "api", 2L, "achievement", 5L),
                rules.content().part("achievements").values().values().stream()
                        .collect(groupingBy(a -> ((FieldMap) a).text("trigger"), counting())));
        assertEquals(3, rules.content().part("points").size());
        for (Object system : rules.content().part("points").values().values()) {
            assertEquals(
                    Map.of("metric", 6L, "streak", 1L, "achievement", 1L, "time", 1L, "user_creation", 1L),
                    ((FieldMap) system)
                            .part("triggers").values().values().stream()
                                    .collect(groupingBy(t -> ((FieldMap) t).text("type"), counting())));
            assertEquals(5, ((FieldMap) system).part("levels").size());
            assertEquals(3, ((FieldMap) system).part("boosts").size());
        }
    }

    /** In a full run, users have about 20 events at the beginning of the measurement and 120 at the end. */
    @Test
    void shouldLeaveAboutAsManyEffectsAsTheBarePipeline() {
        double perEvent = effectsPerEvent(200, 20, 120);

        assertTrue(perEvent > 0.26 && perEvent < 0.40, perEvent + " effects per event");
    }

    private static double effectsPerEvent(int users, int from, int to) {
        int effects = 0;
        for (int user = 0; user < users; user++) {
            UserKey key = UserKey.of("user-" + user);
            UserState state = null;
            for (int i = 0; i < to; i++) {
                long event = (long) i * users + user;
                var outcome = assertInstanceOf(
                        Outcome.Applied.class,
                        UserEngine.apply(
                                state,
                                RULES,
                                command(event, key),
                                new CommandContext(key, NOON_MS, 0, event, Long.MIN_VALUE),
                                new NoHistory()));
                state = outcome.state();
                effects += i < from ? 0 : outcome.effects().size();
            }
        }
        return (double) effects / (users * (to - from));
    }

    private static RecordEvent command(long event, UserKey key) {
        byte[] value = Laurel.event(event, key.user().value()).value();
        return assertInstanceOf(RecordEvent.class, assertDoesNotThrow(() -> CommandJson.read(value)));
    }

    private static Ruleset document() {
        var result =
                RulesetEditor.apply(Ruleset.empty(TenantId.NONE), Laurel.rulesWithoutLeaderboards(), Instant.EPOCH);
        return assertInstanceOf(RulesetEditor.Result.Changed.class, result).ruleset();
    }

    /** History of a user with all events on one day. */
    private static final class NoHistory implements UserHistory {

        @Override
        public DayBucket day(int number, int day) {
            return null;
        }

        @Override
        public List<Day> days(int number, int first, int last) {
            return List.of();
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
            return null;
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
            return RULES;
        }
    }
}
