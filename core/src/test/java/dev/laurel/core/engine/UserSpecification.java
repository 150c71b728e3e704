package dev.laurel.core.engine;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.engine.Outcome.EventResult;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.LeaderboardState;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserHistory;
import dev.laurel.core.user.UserHistory.HistoryOverlay;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.Command.RecordEvent;
import dev.laurel.schemas.command.Command.UserCommand;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.wire.StreakBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/**
 * A test of the core by plain calls: given rules and a history, when one more command is applied, then the state, the effects
 * and the writes are checked. The user's history is kept in maps.
 */
final class UserSpecification {

    static final UserId USER = new UserId("swimmer-77");
    private static final UserKey KEY = UserKey.of("swimmer-77");

    private final Memory memory = new Memory();
    private Ruleset document;
    private CompiledRuleset rules;
    private UserState state;
    private long offset;
    private long clockMs = Long.MIN_VALUE;

    private UserSpecification(Ruleset document) {
        become(document);
    }

    private void become(Ruleset next) {
        document = next;
        rules = new CompiledRuleset(next);
        memory.rules.put(next.version(), rules);
    }

    static UserSpecification given(String rulesetYaml, TestLeaderboard... boards) {
        return new UserSpecification(TestLeaderboard.first(rulesetYaml, boards));
    }

    /** A user with a lap at noon of each of these days of March 2026. */
    static UserSpecification givenDays(String rulesetYaml, int... daysOfMarch) {
        UserSpecification user = given(rulesetYaml);
        for (int day : daysOfMarch) {
            user.event(noon(day), "laps", "1");
        }
        return user;
    }

    static String noon(int dayOfMarch) {
        return "2026-03-%02dT12:00:00Z".formatted(dayOfMarch);
    }

    /** Rules made without YAML. */
    static UserSpecification given(Ruleset document) {
        return new UserSpecification(document);
    }

    /** The ruleset's next version, published at the beginning. */
    UserSpecification rulesBecome(String rulesetYaml) {
        return rulesBecome("1970-01-01T00:00:00Z", rulesetYaml);
    }

    /** The ruleset's next version, published at that time, with these leaderboards. */
    UserSpecification rulesBecome(String at, String rulesetYaml, TestLeaderboard... boards) {
        become(TestLeaderboard.next(document, rulesetYaml, Instant.parse(at), boards));
        return this;
    }

    Outcome.Applied event(String at, String metric, String value) {
        return applied(at, eventOf(metric, value));
    }

    Outcome.Applied eventIn(String zone, String at, String metric, String value) {
        return applied(at, with(eventOf(metric, value), UserChange.mention(USER).withTz(ZoneId.of(zone))));
    }

    Outcome.Applied identify(String at, UserChange change) {
        return applied(at, new IdentifyUser(change, false));
    }

    Outcome.Applied moveTo(String zone, String at) {
        return identify(at, UserChange.mention(USER).withTz(ZoneId.of(zone)));
    }

    Outcome.Applied applied(String at, UserCommand command) {
        return assertInstanceOf(Outcome.Applied.class, apply(at, command));
    }

    Refusal refused(String at, UserCommand command) {
        return assertInstanceOf(Outcome.Refused.class, apply(at, command)).refusal();
    }

    Outcome apply(String at, UserCommand command) {
        var context = new CommandContext(KEY, Instant.parse(at).toEpochMilli(), 0, offset++, clockMs);
        Outcome outcome = UserEngine.apply(state, rules, command, context, memory);
        if (outcome instanceof Outcome.Applied applied) {
            state = applied.state();
            applied.writes().forEach(memory::write);
        }
        return outcome;
    }

    /** Moves time in the user's partition of the log. */
    UserSpecification clockAt(String at) {
        clockMs = Instant.parse(at).toEpochMilli();
        return this;
    }

    /** The offset of the last command or tick. */
    long offset() {
        return offset - 1;
    }

    /** Applies a tick to the user. */
    List<Effect> tick(String at) {
        return woken(at).effects();
    }

    /** Applies a tick to the user. Returns its whole result. */
    UserEngine.Advanced woken(String at) {
        var woken = UserEngine.wake(
                state,
                rules,
                new CommandContext(KEY, Instant.parse(at).toEpochMilli(), 0, offset++, clockMs),
                memory,
                Integer.MAX_VALUE);
        state = woken.state();
        woken.writes().forEach(memory::write);
        return woken;
    }

    /** The state at a later moment by a read, which stores nothing. */
    UserState read(String at) {
        return UserEngine.advance(KEY, state, rules, memory, Instant.parse(at).toEpochMilli())
                .state();
    }

    int lengthAt(String at) {
        return read(at).streak().length();
    }

    /** The body of the streak at that time. */
    StreakBody streakAt(String at, int periods) {
        long atMs = Instant.parse(at).toEpochMilli();
        var advanced = UserEngine.advance(KEY, state, rules, memory, atMs);
        return StreakBodies.streak(
                advanced.state(), rules, new HistoryOverlay(memory, advanced.writes()), atMs, periods, null);
    }

    static EventResult resultOf(Outcome outcome) {
        return assertInstanceOf(
                EventResult.class,
                switch (outcome) {
                    case Outcome.Applied applied -> applied.answer();
                    case Outcome.Repeated repeated -> repeated.answer();
                    case Outcome.Refused _, Outcome.Notified _, Outcome.Erased _ -> null;
                });
    }

    UserState state() {
        return state;
    }

    CompiledRuleset rules() {
        return rules;
    }

    BigDecimal total(String metric) {
        return state.metrics().get(rules.metric(metric).metric().number()).total();
    }

    /** The sum of a day, from the state or the history. */
    BigDecimal change(String metric, String date) {
        int number = rules.metric(metric).metric().number();
        int day = day(date);
        MetricState newest = state.metrics().get(number);
        if (newest.day() == day) {
            return newest.bucket().change();
        }
        DayBucket bucket = memory.day(number, day);
        return bucket == null ? BigDecimal.ZERO : bucket.change();
    }

    long points(String system) {
        PointsState points = state.points().get(rules.pointsSystem(system).number());
        return points == null ? 0 : points.total();
    }

    /** All awards of {@code xp}, oldest first: full pages, then those in the state. */
    List<Award> ledger() {
        int system = rules.pointsSystem("xp").number();
        var awards = new ArrayList<>(memory.ledger.getOrDefault(system, List.of()));
        PointsState points = state.points().get(system);
        awards.addAll(points == null ? List.of() : points.newest());
        return awards;
    }

    /** The value in the newest run of a leaderboard, if any. */
    LeaderboardState board(int number) {
        return state.boards().get(number);
    }

    /** The value in the newest run, as text. */
    String boardValue(int number) {
        return board(number).value().toPlainString();
    }

    /** The value in an older run, named by its first day, if it is stored. */
    String olderRun(int number, String firstDay) {
        LeaderboardState run = memory.boardRun(number, day(firstDay));
        return run == null ? null : run.value().toPlainString();
    }

    /** The score of the current run, if any. */
    static Score current(Outcome outcome, int board) {
        return scores(outcome).stream()
                .filter(score -> score.rules().number() == board && score.isCurrent())
                .collect(onlyOne());
    }

    /** The score of another run than the current one, if any. */
    static Score older(Outcome outcome, int board) {
        return scores(outcome).stream()
                .filter(score -> score.rules().number() == board && !score.isCurrent())
                .collect(onlyOne());
    }

    private static Collector<Score, ?, Score> onlyOne() {
        return Collectors.reducing(null, (none, score) -> {
            if (none != null) {
                throw new AssertionError("more than one: " + none + " and " + score);
            }
            return score;
        });
    }

    static List<Score> scores(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Applied applied -> applied.scores();
            case Outcome.Repeated repeated -> repeated.scores();
            case Outcome.Refused _, Outcome.Notified _, Outcome.Erased _ -> List.of();
        };
    }

    static long ms(String at) {
        return Instant.parse(at).toEpochMilli();
    }

    Memory memory() {
        return memory;
    }

    static RecordEvent eventOf(String metric, String value) {
        return new RecordEvent(
                UserChange.mention(USER), metric, Amounts.canonical(new BigDecimal(value)), Map.of(), null, null);
    }

    static RecordEvent with(RecordEvent event, UserChange change) {
        return new RecordEvent(
                change, event.metric(), event.value(), event.attributes(), event.idempotencyKey(), event.eventId());
    }

    static RecordEvent keyed(RecordEvent event, String idempotencyKey) {
        return new RecordEvent(
                event.user(), event.metric(), event.value(), event.attributes(), idempotencyKey, event.eventId());
    }

    /** Sets an attribute of the user. */
    static UserChange having(String attribute, String value) {
        return new UserChange(
                USER,
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Change.keep(),
                Map.of(attribute, Change.set(value)));
    }

    static int day(String date) {
        return Math.toIntExact(LocalDate.parse(date).toEpochDay());
    }

    /** A user's history in maps. */
    static final class Memory implements UserHistory {
        final Map<List<Integer>, DayBucket> days = new HashMap<>();
        final Map<Integer, Long> activeDays = new HashMap<>();
        final Map<List<Object>, StreakBlock> blocks = new HashMap<>();
        final Map<Long, CompiledRuleset> rules = new HashMap<>();
        LongFunction<CompiledRuleset> rulesOf = rules::get;
        final Map<Integer, List<Award>> ledger = new HashMap<>();
        final Map<List<Integer>, LeaderboardState> boardRuns = new HashMap<>();
        final Map<List<Object>, UUID> keys = new HashMap<>();

        void write(HistoryWrite write) {
            switch (write) {
                case HistoryWrite.PutDay(int metric, int day, DayBucket bucket) ->
                    days.put(List.of(metric, day), bucket);
                case HistoryWrite.PutActiveDays(int block, long bits) -> activeDays.put(block, bits);
                case HistoryWrite.PutStreakBlock(StreakFrequency frequency, StreakBlock block) ->
                    blocks.put(List.of(frequency, block.number()), block);
                case HistoryWrite.PutLedgerPage(int system, int page, List<Award> awards) -> {
                    if (page * PointsState.PAGE
                            != ledger.getOrDefault(system, List.of()).size()) {
                        throw new AssertionError("page " + page + " does not follow the one before");
                    }
                    ledger.computeIfAbsent(system, _ -> new ArrayList<>()).addAll(awards);
                }
                case HistoryWrite.PutBoardRun(int board, LeaderboardState run) ->
                    boardRuns.put(List.of(board, run.run()), run);
                case HistoryWrite.UseIdempotencyKey(int metric, String key, UUID eventId) ->
                    keys.put(List.of(metric, key), eventId);
            }
        }

        @Override
        public DayBucket day(int metric, int day) {
            return days.get(List.of(metric, day));
        }

        @Override
        public List<Day> days(int number, int first, int last) {
            return days.entrySet().stream()
                    .filter(e -> e.getKey().getFirst() == number
                            && e.getKey().getLast() >= first
                            && e.getKey().getLast() <= last)
                    .map(e -> new Day(e.getKey().getLast(), e.getValue()))
                    .sorted(Comparator.comparingInt(Day::day))
                    .toList();
        }

        @Override
        public long activeDays(int block) {
            return activeDays.getOrDefault(block, 0L);
        }

        @Override
        public StreakBlock streakBlock(StreakFrequency frequency, int block) {
            return blocks.get(List.of(frequency, block));
        }

        @Override
        public List<Award> ledgerPage(int system, int page) {
            List<Award> all = ledger.getOrDefault(system, List.of());
            int from = page * PointsState.PAGE;
            return from >= all.size() ? null : all.subList(from, from + PointsState.PAGE);
        }

        @Override
        public LeaderboardState boardRun(int board, int run) {
            return boardRuns.get(List.of(board, run));
        }

        @Override
        public CompiledRuleset rules(long version) {
            return rulesOf.apply(version);
        }

        @Override
        public UUID eventWith(int metric, String idempotencyKey) {
            return keys.get(List.of((Object) metric, idempotencyKey));
        }
    }
}
