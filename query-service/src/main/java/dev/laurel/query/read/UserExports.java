package dev.laurel.query.read;

import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.UserHistory.Day;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.AchievementBodies;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.core.view.StreakBodies;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.CurrentUsers.Present;
import dev.laurel.query.read.LeaderboardReads.RunOfUser;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Achievement.AchievementTrigger;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.PointsTrigger;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.wire.PointsSystemBody.AwardBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Exports everything that is stored about one user (docs/admin-api.md B7), as of now. It writes piece by piece, so that data that
 * grows over the years is never in memory as a whole. Thread-safe.
 *
 * <p>An export is for the person that it is about, and cannot be imported: its first field says so. The log is what an instance
 * is restored from (docs/operations/runbooks/restore.md).
 *
 * <pre>
 * about, exported             what the document is, and its time
 * user, preferences           as in the application API
 * attributesAtCreation        the values of attributes with analytics at the user's creation; the days on which the user was active,
 *                             which are also kept for analytics, are those of the metrics
 * lastEvent                   time of the newest event, null if there is none
 * metrics[]                   id, key, name, total, events, days[]: date, change, events, attributes (sums by key and value);
 *                             includes deleted metrics
 * sums[]                      sums of the events that match a filter: object (achievement or trigger), id, key, sum
 * streak                      as in the application API, with the history since the first day
 * freezes                     the number available
 * pauses[]                    as in the admin API
 * points[]                    id, key, name, total, triggers[] (id, key, times: how often a threshold or an interval has passed),
 *                             awards[], oldest first, as in the application API; includes deleted systems
 * boosts[]                    as in the admin API
 * achievements[]              completed ones, as in the application API
 * deletedAchievements[]       id, key, achievedAt of completed ones that are no longer in the ruleset
 * messages                    what is remembered so that no message is sent twice or missed
 * leaderboards[]              start and end of each run of the user, leaderboard as in the application API with history
 * idempotencyKeys[]           metricId, key, eventId; of a final run that was rewarded leaderboardId, run (its first date)
 * </pre>
 */
public record UserExports(CurrentUsers users, LeaderboardReads leaderboards) {

    /** About fifty years of days. */
    private static final int MAX_PERIODS = 20_000;

    private static final String ABOUT =
            "Everything that is stored about one user, for that person. It cannot be imported: an "
                    + "instance is copied by 'laurel topics backup' and 'laurel topics restore'.";

    private record ExportedDay(
            LocalDate date, BigDecimal change, int events, Map<String, Map<String, BigDecimal>> attributes) {}

    private record ExportedSum(
            @Nullable String object,
            @Nullable UUID id,
            @Nullable String key,
            BigDecimal sum) {}

    private record ExportedCount(
            @Nullable UUID id, @Nullable String key, long times) {}

    private record ExportedCompletion(
            @Nullable UUID id, @Nullable String key, Instant achievedAt) {}

    /**
     * What is remembered about messages.
     *
     * @param reactivatedDays days without events at the last reactivation since the newest event
     * @param remindedPeriod first day of the streak period of the last reminder
     * @param recapDay a day of the earliest period without a recap
     * @param recappedTo last day of the last recap
     * @param achievementsDue when the message about the waiting achievements is due
     */
    private record ExportedMessages(
            int reactivatedDays,
            @Nullable LocalDate remindedPeriod,
            @Nullable LocalDate recapDay,
            @Nullable LocalDate recappedTo,
            @Nullable Instant achievementsDue,
            List<UUID> waitingAchievements) {}

    /** An object of the ruleset, or one that was. @param object such as {@code trigger} */
    private record Named(
            @Nullable String object,
            @Nullable UUID id,
            @Nullable String key,
            @Nullable String name) {

        static final Named UNKNOWN = new Named(null, null, null, null);

        /** An object whose key is its name. */
        Named(String object, UUID id, String key) {
            this(object, id, key, key);
        }
    }

    private record ExportedKey(@Nullable UUID metricId, String key, UUID eventId) {}

    /** A final run that was rewarded. @param run its first date; null: the leaderboard does not repeat */
    private record ExportedRun(
            @Nullable UUID leaderboardId, @Nullable LocalDate run) {

        static ExportedRun of(@Nullable UUID leaderboard, int run) {
            return new ExportedRun(leaderboard, run == Runs.PERPETUAL ? null : LocalDate.ofEpochDay(run));
        }
    }

    /**
     * Writes the export as one JSON object.
     *
     * @return false if the user is unknown; then nothing was written
     * @throws NotReadyException before anything is written, or in the middle if the partition moves to another node then
     */
    public boolean export(UserKey user, JsonGenerator json) {
        return users.find(user, present -> {
                    List<RunOfUser> runs = leaderboards.runsOf(user);
                    new Export(user, present, namesOf(present.rules()), json).write(runs);
                    return true;
                })
                .isPresent();
    }

    /** The writing of one export. @param names the objects whose numbers the user keeps */
    private final class Export {

        private final UserKey user;
        private final Present present;
        private final UserState state;
        private final CompiledRuleset rules;
        private final Map<Integer, Named> names;
        private final JsonGenerator json;

        Export(UserKey user, Present present, Map<Integer, Named> names, JsonGenerator json) {
            this.user = user;
            this.present = present;
            this.state = present.state();
            this.rules = present.rules();
            this.names = names;
            this.json = json;
        }

        void write(List<RunOfUser> runs) {
            json.writeStartObject();
            put("about", ABOUT);
            put("exported", Instant.ofEpochMilli(present.nowMs()));
            put("user", Bodies.user(state));
            put("preferences", Bodies.preferences(state.preferences(), rules));
            put("attributesAtCreation", byKey(state.active().cohort()));
            put(
                    "lastEvent",
                    state.lastEventMs() == UserState.NO_EVENT ? null : Instant.ofEpochMilli(state.lastEventMs()));
            int firstDay = writeMetrics();
            putList("sums", streamOf(state.sums(), (number, sum) -> {
                Named named = named(number);
                return new ExportedSum(named.object, named.id, named.key, sum);
            }));
            put(
                    "streak",
                    StreakBodies.streak(
                            state,
                            rules,
                            present.history(),
                            present.nowMs(),
                            periodsSince(firstDay),
                            null)); // no rank: it depends on other users
            put("freezes", state.streak().freezes());
            putList("pauses", state.streak().pauses().stream().map(pause -> Bodies.pause(state, pause)));
            writePoints();
            putList(
                    "boosts",
                    state.boosts().stream().map(boost -> PointsBodies.boost(state.id(), boost, present.today())));
            putList(
                    "achievements",
                    rules.document().achievements().stream()
                            .filter(achievement -> state.completions().contains(achievement.number()))
                            .map(achievement -> AchievementBodies.of(state, achievement, rules)));
            Set<Integer> known = rules.document().achievements().stream()
                    .map(Achievement::number)
                    .collect(Collectors.toSet());
            putList("deletedAchievements", streamOf(state.completions(), (number, atMs) -> {
                Named named = named(number);
                return known.contains(number)
                        ? null
                        : new ExportedCompletion(named.id, named.key, Instant.ofEpochMilli(atMs));
            }));
            put("messages", messages());
            putList("leaderboards", runs.stream());
            json.writeArrayPropertyStart("idempotencyKeys");
            present.reader().forEachIdempotencyKey(user.bytes(), (number, used, id) -> {
                Named of = named(number);
                json.writePOJO(
                        Leaderboard.KIND.name().equals(of.object)
                                ? ExportedRun.of(of.id, Integer.parseInt(used))
                                : new ExportedKey(of.id, used, id));
            });
            json.writeEndArray();
            json.writeEndObject();
        }

        private void put(String name, @Nullable Object value) {
            json.writePOJOProperty(name, value);
        }

        private void putList(String name, Stream<?> bodies) {
            json.writeArrayPropertyStart(name);
            bodies.forEachOrdered(json::writePOJO);
            json.writeEndArray();
        }

        private Named named(int number) {
            return names.getOrDefault(number, Named.UNKNOWN);
        }

        private void writeName(int number) {
            Named named = named(number);
            put("id", named.id);
            put("key", named.key);
            put("name", named.name);
        }

        /** @return the first day on which anything happened, today if nothing ever did */
        private int writeMetrics() {
            int firstDay = present.today();
            json.writeArrayPropertyStart("metrics");
            var metrics = state.metrics();
            for (int i = 0; i < metrics.size(); i++) {
                int number = metrics.numberAt(i);
                MetricState counted = metrics.valueAt(i);
                json.writeStartObject();
                writeName(number);
                put("total", counted.total());
                long events = counted.bucket().events();
                json.writeArrayPropertyStart("days");
                for (Day day : present.history().days(number, Integer.MIN_VALUE, counted.day() - 1)) {
                    firstDay = Math.min(firstDay, day.day());
                    events += day.bucket().events();
                    json.writePOJO(exported(day.day(), day.bucket()));
                }
                firstDay = Math.min(firstDay, counted.day());
                json.writePOJO(exported(counted.day(), counted.bucket()));
                json.writeEndArray();
                put("events", events);
                json.writeEndObject();
            }
            json.writeEndArray();
            return firstDay;
        }

        private ExportedDay exported(int day, DayBucket bucket) {
            return new ExportedDay(
                    LocalDate.ofEpochDay(day),
                    bucket.change(),
                    bucket.events(),
                    byKey(bucket.attributes().values()));
        }

        /** Values of attributes by their keys. */
        private <V> Map<String, V> byKey(IntKeyedMap<? extends V> values) {
            var byKey = new TreeMap<String, V>();
            for (int i = 0; i < values.size(); i++) {
                int number = values.numberAt(i);
                byKey.put(Objects.requireNonNullElse(named(number).key, String.valueOf(number)), values.valueAt(i));
            }
            return byKey;
        }

        private ExportedMessages messages() {
            MessageState messages = state.messages();
            return new ExportedMessages(
                    messages.reactivatedDays(),
                    messages.remindedTo() == MessageState.NONE_YET
                            ? null
                            : LocalDate.ofEpochDay(state.streak().periods().firstDay(messages.remindedTo())),
                    dateOf(messages.recapDay()),
                    dateOf(messages.recappedTo()),
                    messages.windowMs() == 0 ? null : Instant.ofEpochMilli(messages.windowMs()),
                    messages.waiting().stream()
                            .map(number -> named(number).id)
                            .filter(Objects::nonNull)
                            .toList());
        }

        private static @Nullable LocalDate dateOf(int day) {
            return day == MessageState.NONE_YET ? null : LocalDate.ofEpochDay(day);
        }

        private int periodsSince(int firstDay) {
            Periods periods = state.streak().periods();
            int created = LocalDays.dayOf(
                    state.createdMs(), rules.zoneOf(state.profile().tz()));
            int count = periods.of(present.today()) - periods.of(Math.min(firstDay, created)) + 1;
            return Math.clamp(count, 1, MAX_PERIODS);
        }

        private void writePoints() {
            json.writeArrayPropertyStart("points");
            var points = state.points();
            for (int i = 0; i < points.size(); i++) {
                int number = points.numberAt(i);
                PointsState counted = points.valueAt(i);
                PointsSystem system = rules.pointsSystem(number);
                json.writeStartObject();
                writeName(number);
                put("total", counted.total());
                put("level", PointsBodies.level(system == null ? null : system.levelOf(counted.total())));
                putList("triggers", streamOf(counted.counts(), (trigger, times) -> {
                    Named named = named(trigger);
                    return new ExportedCount(named.id, named.key, times);
                }));
                var pages = IntStream.range(0, PointsState.pageOf(counted.awards()))
                        .mapToObj(page -> present.history().ledgerPage(number, page));
                putList(
                        "awards",
                        Stream.concat(pages, Stream.of(counted.newest()))
                                .flatMap(List::stream)
                                .map(this::exported));
                json.writeEndObject();
            }
            json.writeEndArray();
        }

        private AwardBody exported(Award award) {
            CompiledRuleset made = users.rulesets().published(user.tenant(), award.rulesetVersion());
            return PointsBodies.award(user, made.referencedSystem(award.system()), award, made, present.today());
        }
    }

    /** The objects whose numbers users keep, deleted ones included. */
    private static Map<Integer, Named> namesOf(CompiledRuleset rules) {
        var names = new HashMap<Integer, Named>();
        Ruleset document = rules.document();
        document.retired()
                .forEach(
                        retired -> names.put(retired.number(), new Named(retired.kind(), retired.id(), retired.key())));
        document.metrics()
                .forEach(metric -> names.put(
                        metric.number(), new Named(Metric.KIND.name(), metric.id(), metric.key(), metric.name())));
        document.attributes()
                .forEach(attribute -> names.put(
                        attribute.number(), new Named(Attribute.KIND.name(), attribute.id(), attribute.key())));
        for (Achievement achievement : document.achievements()) {
            var named = new Named(Achievement.KIND.name(), achievement.id(), achievement.key());
            names.put(achievement.number(), named);
            if (achievement.trigger() instanceof AchievementTrigger.MetricTotal total && total.sumNumber() != 0) {
                names.put(total.sumNumber(), named);
            }
        }
        for (PointsSystem system : document.pointsSystems()) {
            names.put(system.number(), new Named(PointsSystem.KIND.name(), system.id(), system.key(), system.name()));
            system.triggers()
                    .forEach(trigger -> names.put(
                            trigger.number(), new Named(PointsTrigger.KIND.name(), trigger.id(), trigger.key())));
        }
        document.leaderboards()
                .forEach(board ->
                        names.put(board.number(), new Named(Leaderboard.KIND.name(), board.id(), board.key())));
        return names;
    }

    /** Leaves out what is null. */
    private static <V, T> Stream<T> streamOf(IntKeyedMap<V> values, BiFunction<Integer, V, @Nullable T> mapping) {
        return IntStream.range(0, values.size())
                .mapToObj(i -> mapping.apply(values.numberAt(i), values.valueAt(i)))
                .filter(Objects::nonNull);
    }
}
