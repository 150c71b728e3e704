package dev.laurel.query.read;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.StreakBodies;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.PresentUsers.Present;
import dev.laurel.query.partition.PresentUsers;
import dev.laurel.query.read.LeaderboardReads.RunOfUser;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.ObjectIdentity;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Exports everything that is stored about one user (docs/admin-api.md B7), as of now. It writes piece by piece, so that data that
 * grows over the years is never in memory as a whole. Thread-safe.
 *
 * <pre>
 * user, preferences           as in the application API
 * metrics[]                   id, key, name, total, days[]: date, change; includes deleted metrics
 * streak                      as in the application API, with the history since the first day
 * freezes                     the number available
 * pauses[]                    as in the admin API
 * points[]                    id, key, name, total, awards[], oldest first, as in the application API; includes deleted systems
 * boosts[]                    as in the admin API
 * achievements[]              completed ones, as in the application API
 * leaderboards[]              start and end of each run of the user, leaderboard as in the application API with history
 * idempotencyKeys[]           metricId, key, eventId
 * </pre>
 */
public final class UserExports {

    /** About fifty years of days. */
    private static final int MAX_PERIODS = 20_000;

    private final PresentUsers users;
    private final LeaderboardReads leaderboards;

    private record ExportedDay(LocalDate date, BigDecimal change) {}

    private record ExportedKey(@Nullable UUID metricId, String key, UUID eventId) {}

    public UserExports(PresentUsers users, LeaderboardReads leaderboards) {
        this.users = users;
        this.leaderboards = leaderboards;
    }

    /**
     * Writes the export to {@code sink}.
     *
     * @return false if the user is unknown; then nothing was written
     * @throws NotReadyException before anything is written, or in the middle if the partition moves to another node then
     */
    public boolean export(UserKey user, Sink sink) {
        return users.find(user, present -> {
            List<RunOfUser> runs = leaderboards.runsOf(user);
            write(user, present, runs, sink);
            return true;
        }).isPresent();
    }

    private void write(UserKey user, Present present, List<RunOfUser> runs, Sink sink) {
        UserState state = present.state();
        CompiledRuleset rules = present.rules();
        sink.beginObject(null);
        sink.put("user", Bodies.user(state));
        sink.put("preferences", Bodies.preferences(state.preferences(), rules));
        int firstDay = writeMetrics(present, sink);
        sink.put("streak", StreakBodies.streak(state, rules, present.history(), present.nowMs(),
                periodsSince(firstDay, present), null)); // no rank: it depends on other users
        sink.put("freezes", state.streak().freezes());
        sink.putList("pauses", state.streak().pauses().stream().map(pause -> Bodies.pause(state, pause)));
        writePoints(user, present, sink);
        sink.putList("boosts", state.boosts().stream()
                .map(boost -> PointsBodies.boost(state.id(), boost, present.today())));
        sink.putList("achievements", rules.document().achievements().stream()
                .filter(achievement -> state.completions().contains(achievement.number()))
                .map(achievement -> AchievementBodies.of(state, achievement, rules)));
        sink.putList("leaderboards", runs.stream());
        sink.beginList("idempotencyKeys");
        present.reader().forEachIdempotencyKey(user.bytes(),
                (metric, used, eventId) -> sink.put(null, new ExportedKey(metricId(rules, metric), used, eventId)));
        sink.end();
        sink.end();
    }

    /** @return the first day on which anything happened, today if nothing ever did */
    private static int writeMetrics(Present present, Sink sink) {
        int firstDay = present.today();
        sink.beginList("metrics");
        var metrics = present.state().metrics();
        for (int i = 0; i < metrics.size(); i++) {
            int number = metrics.numberAt(i);
            MetricState counted = metrics.valueAt(i);
            sink.beginObject(null);
            Metric metric = metricOf(present.rules(), number);
            writeName(sink, present.rules(), number, metric == null ? null : metric.id(),
                    metric == null ? null : metric.key(),
                    metric == null ? null : metric.name());
            sink.put("total", counted.total());
            sink.beginList("days");
            for (Day day : present.history().days(number, Integer.MIN_VALUE, counted.day() - 1)) {
                firstDay = Math.min(firstDay, day.day());
                sink.put(null, new ExportedDay(LocalDate.ofEpochDay(day.day()), day.bucket().change()));
            }
            firstDay = Math.min(firstDay, counted.day());
            sink.put(null, new ExportedDay(LocalDate.ofEpochDay(counted.day()), counted.bucket().change()));
            sink.end();
            sink.end();
        }
        sink.end();
        return firstDay;
    }

    private static @Nullable Metric metricOf(CompiledRuleset rules, int number) {
        return rules.metrics().stream().filter(metric -> metric.number() == number).findFirst().orElse(null);
    }

    private static @Nullable UUID metricId(CompiledRuleset rules, int number) {
        Metric metric = metricOf(rules, number);
        ObjectIdentity retired = metric == null ? retiredOf(rules, number) : null;
        return metric != null ? metric.id() : retired == null ? null : retired.id();
    }

    private static @Nullable ObjectIdentity retiredOf(CompiledRuleset rules, int number) {
        return rules.document().retired().stream().filter(one -> one.number() == number).findFirst().orElse(null);
    }

    /** Writes id, key and name; of an object that is no longer in the ruleset, the key is the name. @param id null: such an object */
    private static void writeName(Sink sink, CompiledRuleset rules, int number, @Nullable UUID id,
            @Nullable String key, @Nullable String name) {
        ObjectIdentity retired = id == null ? retiredOf(rules, number) : null;
        sink.put("id", retired == null ? id : retired.id());
        sink.put("key", retired == null ? key : retired.key());
        sink.put("name", retired == null ? name : retired.key());
    }

    private static int periodsSince(int firstDay, Present present) {
        UserState state = present.state();
        Periods periods = state.streak().periods();
        int created = LocalDays.dayOf(state.createdMs(), present.rules().zoneOf(state.profile().tz()));
        int count = periods.of(present.today()) - periods.of(Math.min(firstDay, created)) + 1;
        return Math.clamp(count, 1, MAX_PERIODS);
    }

    private void writePoints(UserKey user, Present present, Sink sink) {
        sink.beginList("points");
        var points = present.state().points();
        for (int i = 0; i < points.size(); i++) {
            int number = points.numberAt(i);
            PointsState state = points.valueAt(i);
            PointsSystem system = present.rules().document().pointsSystems().stream()
                    .filter(one -> one.number() == number).findFirst().orElse(null);
            sink.beginObject(null);
            writeName(sink, present.rules(), number, system == null ? null : system.id(),
                    system == null ? null : system.key(), system == null ? null : system.name());
            sink.put("total", state.total());
            Level level = system == null ? null : system.levelOf(state.total());
            sink.put("level", PointsBodies.level(level));
            var pages = IntStream.range(0, PointsState.pageOf(state.awards()))
                    .mapToObj(page -> present.history().ledgerPage(number, page));
            sink.putList("awards", Stream.concat(pages, Stream.of(state.newest())).flatMap(List::stream)
                    .map(award -> awardOf(user, award, present.today())));
            sink.end();
        }
        sink.end();
    }

    private AwardBody awardOf(UserKey user, Award award, int today) {
        CompiledRuleset rules = users.rulesets().published(user.tenant(), award.rulesetVersion());
        return PointsBodies.award(user, rules.referencedSystem(award.system()), award, rules, today);
    }

    /** Receives an export piece by piece, in the order of the document. Names are null inside a list. */
    public interface Sink {

        void put(@Nullable String name, @Nullable Object body);

        void beginObject(@Nullable String name);

        void beginList(String name);

        /** Ends the object or list that was begun last. */
        void end();

        default void putList(String name, Stream<?> bodies) {
            beginList(name);
            bodies.forEachOrdered(body -> put(null, body));
            end();
        }
    }
}
