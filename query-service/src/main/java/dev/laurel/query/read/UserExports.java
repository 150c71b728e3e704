package dev.laurel.query.read;

import dev.laurel.processors.core.engine.UserEngine;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.rules.Periods;
import dev.laurel.processors.core.user.HistoryOverlay;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState.Award;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.StreakState.Pause;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.AchievementBodies;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.core.view.StreakBodies;
import dev.laurel.processors.store.UserReader;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.UserPartitions;
import dev.laurel.query.read.LeaderboardReads.RunOfUser;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Retired;
import java.math.BigDecimal;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Exports everything that is stored about one user (docs/admin-api.md B7), as of now and piece by piece: data that grows with the
 * years is never in memory as a whole. Thread-safe.
 *
 * <pre>
 * user, preferences           as in the application API
 * metrics[]                   id, key, name, total, days[]: date, change; metrics that are deleted too
 * streak                      as in the application API, with the history since the first day
 * freezes                     the number available
 * pauses[]                    as in the admin API
 * points[]                    id, key, name, total, awards[], oldest first, as in the application API; deleted systems too
 * boosts[]                    as in the admin API
 * achievements[]              those completed, as in the application API
 * leaderboards[]              start and end of each run the user is on, leaderboard as in the application API with history
 * idempotencyKeys[]           metricId, key, eventId
 * </pre>
 */
public final class UserExports {

    /** About fifty years of days. */
    private static final int MAX_PERIODS = 20_000;

    private final UserPartitions partitions;
    private final RulesetVersions rulesets;
    private final LeaderboardReads leaderboards;
    private final InstantSource clock;

    private record DayOfExport(LocalDate date, BigDecimal change) {}

    private record KeyOfExport(@Nullable UUID metricId, String key, UUID eventId) {}

    /** The state of one export. */
    private record Export(UserKey user, UserState state, CompiledRuleset rules, UserHistory history, long nowMs,
            Sink sink) {

        int today() {
            return Bodies.today(state, rules, nowMs);
        }
    }

    public UserExports(UserPartitions partitions, RulesetVersions rulesets, LeaderboardReads leaderboards,
            InstantSource clock) {
        this.partitions = partitions;
        this.rulesets = rulesets;
        this.leaderboards = leaderboards;
        this.clock = clock;
    }

    /**
     * Writes the export to {@code sink}.
     *
     * @return false if the user is unknown; then nothing was written
     * @throws NotReadyException before anything is written, or in the middle if the partition moves away then
     */
    public boolean export(UserKey user, Sink sink) {
        byte[] key = user.bytes();
        return partitions.readOwner(key, reader -> {
            UserState stored = reader.user(key);
            if (stored == null) {
                return false;
            }
            List<RunOfUser> runs = leaderboards.runsOf(user);
            CompiledRuleset rules = rulesets.newest(user.tenant());
            UserHistory history = reader.historyOf(key, version -> rulesets.get(user.tenant(), version));
            long nowMs = clock.millis();
            var now = UserEngine.advance(user, stored, rules, history, nowMs);
            write(new Export(user, now.state(), rules, new HistoryOverlay(history, now.writes()), nowMs, sink), reader,
                    runs);
            return true;
        });
    }

    private void write(Export export, UserReader reader, List<RunOfUser> runs) {
        UserState state = export.state();
        CompiledRuleset rules = export.rules();
        Sink sink = export.sink();
        sink.beginObject(null);
        sink.put("user", Bodies.user(state));
        sink.put("preferences", Bodies.preferences(state.preferences(), rules));
        int firstDay = writeMetrics(export);
        sink.put("streak", StreakBodies.streak(state, rules, export.history(), export.nowMs(),
                periodsSince(firstDay, export), null)); // no rank: it depends on other users
        sink.put("freezes", state.streak().freezes());
        sink.beginList("pauses");
        for (Pause pause : state.streak().pauses()) {
            sink.put(null, Bodies.pause(state, pause));
        }
        sink.end();
        writePoints(export);
        sink.beginList("boosts");
        for (UserBoost boost : state.boosts()) {
            sink.put(null, PointsBodies.boost(state.id(), boost, export.today()));
        }
        sink.end();
        sink.beginList("achievements");
        for (Achievement achievement : rules.document().achievements()) {
            if (state.completions().contains(achievement.number())) {
                sink.put(null, AchievementBodies.of(state, achievement, rules));
            }
        }
        sink.end();
        sink.beginList("leaderboards");
        runs.forEach(run -> sink.put(null, run));
        sink.end();
        sink.beginList("idempotencyKeys");
        reader.forEachIdempotencyKey(export.user().bytes(),
                (metric, used, eventId) -> sink.put(null, new KeyOfExport(metricId(rules, metric), used, eventId)));
        sink.end();
        sink.end();
    }

    /** @return the first day on which anything happened, today if nothing ever did */
    private static int writeMetrics(Export export) {
        int firstDay = export.today();
        Sink sink = export.sink();
        sink.beginList("metrics");
        var metrics = export.state().metrics();
        for (int i = 0; i < metrics.size(); i++) {
            int number = metrics.numberAt(i);
            MetricState counted = metrics.valueAt(i);
            sink.beginObject(null);
            Metric metric = metricOf(export.rules(), number);
            writeName(export, number, metric == null ? null : metric.id(), metric == null ? null : metric.key(),
                    metric == null ? null : metric.name());
            sink.put("total", counted.total());
            sink.beginList("days");
            for (Day day : export.history().days(number, Integer.MIN_VALUE, counted.day() - 1)) {
                firstDay = Math.min(firstDay, day.day());
                sink.put(null, new DayOfExport(LocalDate.ofEpochDay(day.day()), day.bucket().change()));
            }
            firstDay = Math.min(firstDay, counted.day());
            sink.put(null, new DayOfExport(LocalDate.ofEpochDay(counted.day()), counted.bucket().change()));
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
        Retired retired = metric == null ? retiredOf(rules, number) : null;
        return metric != null ? metric.id() : retired == null ? null : retired.id();
    }

    private static @Nullable Retired retiredOf(CompiledRuleset rules, int number) {
        return rules.document().retired().stream().filter(one -> one.number() == number).findFirst().orElse(null);
    }

    /** An object that is no longer in the ruleset has its key as its name. @param id null for such an object */
    private static void writeName(Export export, int number, @Nullable UUID id, @Nullable String key,
            @Nullable String name) {
        Retired retired = id == null ? retiredOf(export.rules(), number) : null;
        export.sink().put("id", retired == null ? id : retired.id());
        export.sink().put("key", retired == null ? key : retired.key());
        export.sink().put("name", retired == null ? name : retired.key());
    }

    private static int periodsSince(int firstDay, Export export) {
        Periods periods = export.state().streak().periods();
        int created = LocalDays.dayOf(export.state().createdMs(),
                export.rules().zoneOf(export.state().profile().tz()));
        int count = periods.of(export.today()) - periods.of(Math.min(firstDay, created)) + 1;
        return Math.clamp(count, 1, MAX_PERIODS);
    }

    private void writePoints(Export export) {
        Sink sink = export.sink();
        sink.beginList("points");
        var points = export.state().points();
        for (int i = 0; i < points.size(); i++) {
            int number = points.numberAt(i);
            PointsState state = points.valueAt(i);
            PointsSystem system = export.rules().document().pointsSystems().stream()
                    .filter(one -> one.number() == number).findFirst().orElse(null);
            sink.beginObject(null);
            writeName(export, number, system == null ? null : system.id(), system == null ? null : system.key(),
                    system == null ? null : system.name());
            sink.put("total", state.total());
            Level level = system == null ? null : system.levelOf(state.total());
            sink.put("level", PointsBodies.level(level));
            sink.beginList("awards");
            for (int page = 0; page < PointsState.pageOf(state.awards()); page++) {
                export.history().ledgerPage(number, page).forEach(award -> writeAward(export, award));
            }
            state.newest().forEach(award -> writeAward(export, award));
            sink.end();
            sink.end();
        }
        sink.end();
    }

    private void writeAward(Export export, Award award) {
        CompiledRuleset rules = rulesets.get(export.user().tenant(), award.rulesetVersion());
        export.sink().put(null, PointsBodies.award(export.user(), rules.referencedSystem(award.system()), award, rules,
                export.today()));
    }

    /** Receives an export piece by piece, in the order of the document. Names are null inside a list. */
    public interface Sink {

        void put(@Nullable String name, @Nullable Object body);

        void beginObject(@Nullable String name);

        void beginList(String name);

        /** Ends the object or list that was begun last. */
        void end();
    }
}
