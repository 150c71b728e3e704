package dev.laurel.processors.core.user;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.laurel.processors.TestRulesets;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.IdentifyUser;
import dev.laurel.schemas.command.RecordEvent;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.command.UserCommand;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Ruleset;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Given rules and what has happened, when one more command comes, then look at the state, the effects and the writes. Plain
 * calls of the core; the user's history lies in maps.
 */
final class UserSpecification {

    static final UserId USER = new UserId("swimmer-77");
    private static final UserKey KEY = UserKey.of("swimmer-77");

    private final Memory memory = new Memory();
    private Ruleset document;
    private CompiledRuleset rules;
    private UserState state;
    private long offset;

    private UserSpecification(Ruleset document) {
        this.document = document;
        this.rules = new CompiledRuleset(document);
    }

    static UserSpecification given(String rulesetYaml) {
        return new UserSpecification(TestRulesets.first(rulesetYaml));
    }

    /** The ruleset's next version. */
    UserSpecification rulesBecome(String rulesetYaml) {
        document = TestRulesets.next(document, rulesetYaml);
        rules = new CompiledRuleset(document);
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
        var context = new CommandContext(KEY, Instant.parse(at).toEpochMilli(), 0, offset++);
        Outcome outcome = UserEngine.apply(state, rules, command, context, memory);
        if (outcome instanceof Outcome.Applied applied) {
            state = applied.state();
            applied.writes().forEach(memory::write);
        }
        return outcome;
    }

    /** A tick that names this user. */
    List<Effect> tick(String at) {
        var woken = UserEngine.wake(state, rules, Instant.parse(at).toEpochMilli());
        state = woken.state();
        return woken.effects();
    }

    /** A read: the state at a later moment, of which nothing is kept. */
    UserState read(String at) {
        return UserEngine.advance(state, rules, Instant.parse(at).toEpochMilli()).state();
    }

    int lengthAt(String at) {
        return read(at).streak().presentLength();
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

    /** The sum of a day, wherever it is kept. */
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

    /** All awards: the pages of the ledger, then the newest ones of each system. */
    List<Award> ledger() {
        var all = new ArrayList<>(memory.ledger);
        for (int i = 0; i < state.points().size(); i++) {
            all.addAll(state.points().valueAt(i).newest());
        }
        return all;
    }

    /** The length at the end of a met day, null if it was not met. */
    Integer metLength(String date) {
        StreakPeriod period = memory.streakPeriod(day(date));
        return period == null ? null : period.length();
    }

    Memory memory() {
        return memory;
    }

    static RecordEvent eventOf(String metric, String value) {
        return new RecordEvent(UserChange.mention(USER), metric, Amounts.canonical(new BigDecimal(value)), Map.of(),
                null, null);
    }

    static RecordEvent with(RecordEvent event, UserChange change) {
        return new RecordEvent(change, event.metric(), event.value(), event.attributes(), event.idempotencyKey(),
                event.eventId());
    }

    static RecordEvent keyed(RecordEvent event, String idempotencyKey) {
        return new RecordEvent(event.user(), event.metric(), event.value(), event.attributes(), idempotencyKey,
                event.eventId());
    }

    static int day(String date) {
        return Math.toIntExact(LocalDate.parse(date).toEpochDay());
    }

    /** A user's history in maps. */
    static final class Memory implements UserHistory {
        final Map<List<Integer>, DayBucket> days = new HashMap<>();
        final Map<Integer, StreakPeriod> periods = new HashMap<>();
        final List<Award> ledger = new ArrayList<>();
        final Map<List<Object>, UUID> keys = new HashMap<>();

        void write(HistoryWrite write) {
            switch (write) {
                case HistoryWrite.PutDay(int metric, int day, DayBucket bucket) ->
                    days.put(List.of(metric, day), bucket);
                case HistoryWrite.PutStreakPeriod(int day, StreakPeriod period) -> periods.put(day, period);
                case HistoryWrite.PutLedgerPage(_, _, List<Award> awards) -> ledger.addAll(awards);
                case HistoryWrite.UseIdempotencyKey(int metric, String key, UUID eventId) ->
                    keys.put(List.of(metric, key), eventId);
            }
        }

        @Override
        public DayBucket day(int metric, int day) {
            return days.get(List.of(metric, day));
        }

        @Override
        public StreakPeriod streakPeriod(int day) {
            return periods.get(day);
        }

        @Override
        public UUID eventWith(int metric, String idempotencyKey) {
            return keys.get(List.of((Object) metric, idempotencyKey));
        }
    }
}
