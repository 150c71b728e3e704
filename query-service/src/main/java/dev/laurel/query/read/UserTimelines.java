package dev.laurel.query.read;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.IntKeyedMap;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.MessageState.SentMessage;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.core.user.StreakSnapshot.Change;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.core.user.UserBoost;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.query.partition.CurrentUsers;
import dev.laurel.query.partition.CurrentUsers.Present;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Achievement;
import dev.laurel.schemas.ruleset.Level;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.wire.UserBody.TimelineEntryBody;
import dev.laurel.schemas.wire.UserBody.TimelineEntryBody.NamedBody;
import dev.laurel.schemas.wire.UserBody.TimelineEntryBody.SentBody;
import dev.laurel.schemas.wire.UserBody.TimelineEntryBody.SentTemplateBody;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What happened to a user, newest first (docs/admin-api.md B7 "Timeline"), merged from what the state keeps anyway: nothing is stored
 * for it. The few things that the state has in memory are put in order; ledgers of points and the periods of the streak are read as far
 * as a page needs them. Thread-safe.
 */
public record UserTimelines(CurrentUsers users, int maxAwards) {

    /** The awards that one page passes over, which bounds a page of rare types. */
    static final int MAX_AWARDS = 5_000;

    /** Periods of a streak that are read together. */
    private static final int PERIODS = 32;

    /** The largest distance of a place from 1970. */
    private static final long MAX_MS = 1_000_000_000_000_000L;

    /** The types of entries. Of two at the same time, the type that is later here is the older one. */
    public enum Type {
        LEVEL_CHANGED("points.level_changed"),
        POINTS_AWARDED("points.awarded"),
        ACHIEVEMENT_COMPLETED("achievement.completed"),
        STREAK_EXTENDED("streak.extended"),
        STREAK_STARTED("streak.started"),
        STREAK_RESTORED("streak.restored"),
        STREAK_RESET("streak.reset"),
        FREEZE_CONSUMED("streak.freeze_consumed"),
        STREAK_LOST("streak.lost"),
        MESSAGE_SENT("message.sent"),
        BOOST_FINISHED("points.boost_finished"),
        BOOST_STARTED("points.boost_started"),
        BOOST_CREATED("points.boost_created"),
        PAUSE_ENDED("streak.pause_ended"),
        PAUSE_STARTED("streak.pause_started"),
        PAUSE_PLANNED("streak.pause_planned"),
        USER_CREATED("user.created");

        private final String text;

        Type(String text) {
            this.text = text;
        }

        /** The name in the API. */
        public String text() {
            return text;
        }
    }

    /**
     * Where a page ends.
     *
     * @param ledgers how far the ledger of each points system is read, by its number
     */
    public record TimelinePlace(long atMs, int type, String id, Map<Integer, Integer> ledgers) {

        public TimelinePlace {
            if (atMs != Math.clamp(atMs, -MAX_MS, MAX_MS) || id == null) {
                throw new IllegalArgumentException("no entry is at this place");
            }
            ledgers = Map.copyOf(ledgers);
        }
    }

    /** @param next the place to continue after; null: there are no older entries */
    public record TimelinePage(
            List<TimelineEntryBody> entries, @Nullable TimelinePlace next) {}

    /**
     * @param id makes entries of a type at the same time distinct and gives them an order
     * @param details adds what happened to the body
     */
    private record Entry(long atMs, Type type, String id, UnaryOperator<TimelineEntryBody> details) {

        static final Comparator<Entry> NEWEST_FIRST = Comparator.comparingLong(Entry::atMs)
                .reversed()
                .thenComparing(Entry::type)
                .thenComparing(Entry::id);

        TimelineEntryBody body() {
            return details.apply(bodyOf(type, atMs));
        }

        static TimelineEntryBody bodyOf(Type type, long atMs) {
            return TimelineEntryBody.of(type.text, Instant.ofEpochMilli(atMs));
        }

        boolean follows(@Nullable TimelinePlace place) {
            if (place == null || atMs != place.atMs) {
                return place == null || atMs < place.atMs;
            }
            return type.ordinal() != place.type ? type.ordinal() > place.type : id.compareTo(place.id) > 0;
        }
    }

    /** Entries, newest first. */
    private static class Source {

        /** The next entries; empty if there are no more. */
        final Deque<Entry> entries = new ArrayDeque<>();

        /** Adds the next entries where none are left. */
        void read() {}

        Entry head() {
            return entries.element();
        }

        Entry next() {
            Entry next = entries.remove();
            read();
            return next;
        }
    }

    public UserTimelines(CurrentUsers users) {
        this(users, MAX_AWARDS);
    }

    /**
     * The entries of these types that follow a place; null if the user is unknown. A page may have fewer entries than the limit although
     * others follow.
     *
     * @param after null: from the newest
     */
    public @Nullable TimelinePage page(UserKey user, Set<Type> types, @Nullable TimelinePlace after, int limit) {
        return users.find(user, present -> new Reading(user, present, types, after).page(limit))
                .orElse(null);
    }

    /** The reading of one page. */
    private final class Reading {

        private final UserKey user;
        private final Present present;
        private final UserState state;
        private final CompiledRuleset rules;
        private final ZoneId zone;
        private final Set<Type> types;
        private final @Nullable TimelinePlace after;
        private int awardsPassedOver;

        Reading(UserKey user, Present present, Set<Type> types, @Nullable TimelinePlace after) {
            this.user = user;
            this.present = present;
            this.state = present.state();
            this.rules = present.rules();
            this.zone = rules.zoneOf(state.profile().tz());
            this.types = types;
            this.after = after;
        }

        TimelinePage page(int limit) {
            List<Ledger> ledgers = ledgers();
            var sources = new PriorityQueue<>(Comparator.comparing(Source::head, Entry.NEWEST_FIRST));
            Stream.concat(Stream.of(new Small(), new Streak()), ledgers.stream())
                    .filter(source -> !source.entries.isEmpty())
                    .forEach(sources::add);
            var entries = new ArrayList<TimelineEntryBody>();
            Entry last = null;
            while (entries.size() < limit && awardsPassedOver <= maxAwards && !sources.isEmpty()) {
                Source source = sources.remove();
                last = source.next();
                entries.add(last.body());
                if (!source.entries.isEmpty()) {
                    sources.add(source);
                }
            }
            if (sources.isEmpty() && awardsPassedOver <= maxAwards) {
                return new TimelinePage(entries, null);
            }
            var positions = new HashMap<Integer, Integer>();
            ledgers.forEach(ledger -> positions.put(ledger.system, ledger.position));
            return new TimelinePage(
                    entries,
                    last != null
                            ? new TimelinePlace(last.atMs, last.type.ordinal(), last.id, positions)
                            : after != null
                                    ? new TimelinePlace(after.atMs, after.type, after.id, positions)
                                    : new TimelinePlace(MAX_MS, 0, "", positions));
        }

        private List<Ledger> ledgers() {
            if (!types.contains(Type.POINTS_AWARDED) && !types.contains(Type.LEVEL_CHANGED)) {
                return List.of();
            }
            var ledgers = new ArrayList<Ledger>();
            IntKeyedMap<PointsState> points = state.points();
            for (int i = 0; i < points.size(); i++) {
                int system = points.numberAt(i);
                int newest = points.valueAt(i).awards() * 2 - 1;
                // A system without a position had no awards when the first page was read.
                int position = after == null ? newest : Math.min(newest, after.ledgers.getOrDefault(system, -1));
                ledgers.add(new Ledger(system, points.valueAt(i), position));
            }
            return ledgers;
        }

        private LocalDate date(int day) {
            return LocalDate.ofEpochDay(day);
        }

        /** What the state has in memory, in order. */
        private final class Small extends Source {

            private final List<Entry> all = new ArrayList<>();

            Small() {
                add(state.createdMs(), Type.USER_CREATED, "", body -> body);
                addCompletions();
                for (Reset reset : state.streak().resets()) {
                    add(
                            reset.atMs(),
                            Type.STREAK_RESET,
                            "",
                            body -> body.on(date(reset.day()), null).undone(reset.isUndone()));
                }
                state.streak().pauses().forEach(this::addPause);
                state.boosts().forEach(this::addBoost);
                for (SentMessage sent : state.messages().sent()) {
                    add(sent.dueMs(), Type.MESSAGE_SENT, Long.toHexString(sent.id()), body -> body.of(sentOf(sent)));
                }
                all.stream().sorted(Entry.NEWEST_FIRST).forEach(entries::add);
            }

            private void add(long atMs, Type type, String id, UnaryOperator<TimelineEntryBody> details) {
                var entry = new Entry(atMs, type, id, details);
                if (types.contains(type) && atMs <= present.nowMs() && entry.follows(after)) {
                    all.add(entry);
                }
            }

            private void addCompletions() {
                IntKeyedMap<Long> completions = state.completions();
                for (int i = 0; i < completions.size(); i++) {
                    int number = completions.numberAt(i);
                    NamedBody named = achievement(number);
                    if (named != null) {
                        add(
                                completions.valueAt(i),
                                Type.ACHIEVEMENT_COMPLETED,
                                Integer.toString(number),
                                body -> body.of(named));
                    }
                }
            }

            private @Nullable NamedBody achievement(int number) {
                Achievement known = rules.achievement(number);
                return known != null
                        ? new NamedBody(known.id(), known.key(), known.name())
                        : rules.document().retired().stream()
                                .filter(one -> one.number() == number)
                                .map(one -> new NamedBody(one.id(), one.key(), null))
                                .findFirst()
                                .orElse(null);
            }

            private void addPause(Pause pause) {
                Long createdMs =
                        present.reader().owned().createdMs(Kind.PAUSE, user.tenant(), pause.id(), user.bytes());
                if (createdMs != null) {
                    add(
                            createdMs,
                            Type.PAUSE_PLANNED,
                            pause.id().toString(),
                            body -> body.of(Bodies.pause(state, pause)));
                }
                if (pause.coversTo() >= pause.start()) {
                    addPause(Type.PAUSE_STARTED, pause, pause.start(), pause.start());
                    addPause(Type.PAUSE_ENDED, pause, pause.coversTo(), pause.coversTo() + 1);
                }
            }

            private void addPause(Type type, Pause pause, int day, int beginsOn) {
                add(
                        LocalDays.startOf(beginsOn, zone),
                        type,
                        pause.id().toString(),
                        body -> body.on(date(day), null).of(Bodies.pause(state, pause)));
            }

            private void addBoost(UserBoost boost) {
                String id = boost.id().toString();
                add(boost.createdMs(), Type.BOOST_CREATED, id, body -> of(body, boost));
                add(
                        LocalDays.startOf(boost.start(), zone),
                        Type.BOOST_STARTED,
                        id,
                        body -> of(body.on(date(boost.start()), null), boost));
                if (boost.end() != UserBoost.OPEN) {
                    add(
                            LocalDays.startOf(boost.end() + 1, zone),
                            Type.BOOST_FINISHED,
                            id,
                            body -> of(body.on(date(boost.end()), null), boost));
                }
            }

            private TimelineEntryBody of(TimelineEntryBody entry, UserBoost boost) {
                PointsSystem system = rules.pointsSystem(boost.system());
                return entry.of(
                        system == null ? null : named(system), PointsBodies.boost(state.id(), boost, present.today()));
            }

            private SentBody sentOf(SentMessage sent) {
                var templates = new ArrayList<SentTemplateBody>();
                for (int number : new int[] {
                    sent.counted().emailTemplate(), sent.counted().pushTemplate()
                }) {
                    if (number != 0) {
                        String channel = number == sent.counted().emailTemplate() ? "email" : "push";
                        templates.add(rules.document().notifications().templates().stream()
                                .filter(one -> one.number() == number)
                                .map(Reading::sent)
                                .findFirst()
                                .orElse(new SentTemplateBody(channel, null, null)));
                    }
                }
                return new SentBody(templates, sent.isReturned(), sent.isOpened(), sent.isClicked());
            }
        }

        private static NamedBody named(PointsSystem system) {
            return new NamedBody(system.id(), system.key(), system.name());
        }

        private static SentTemplateBody sent(Template template) {
            return new SentTemplateBody(IssueList.word(template.channel()), template.id(), template.name());
        }

        /** The periods of the streak since the creation of the user, some at a time. */
        private final class Streak extends Source {

            private final Periods periods = state.streak().periods();
            private final StreakSnapshot streak = new StreakSnapshot(state, rules, present.history(), present.today());
            private final int first;

            /** The newest period that is not read yet. */
            private int next;

            Streak() {
                first = periods.of(state.streak().createdDay());
                int newest = after == null
                        ? streak.current()
                        : Math.min(streak.current(), periods.of(LocalDays.dayOf(after.atMs, zone)));
                boolean isWanted = rules.streak().isEnabled()
                        && types.stream()
                                .anyMatch(type -> type.ordinal() >= Type.STREAK_EXTENDED.ordinal()
                                        && type.ordinal() <= Type.STREAK_LOST.ordinal());
                next = isWanted ? newest : first - 1;
                read();
            }

            @Override
            void read() {
                while (entries.isEmpty() && next >= first) {
                    int from = Math.max(first, next - PERIODS + 1);
                    streak.changes(from, next).stream()
                            .map(this::entryOf)
                            .filter(entry -> types.contains(entry.type) && entry.follows(after))
                            .forEach(entries::add);
                    next = from - 1;
                }
            }

            private Entry entryOf(Change change) {
                // Descending, as the periods are read.
                String id = "%08x".formatted(~(change.period() ^ Integer.MIN_VALUE));
                Type type = switch (change.kind()) {
                    case EXTENDED -> change.length() == 1 ? Type.STREAK_STARTED : Type.STREAK_EXTENDED;
                    case RESTORED -> Type.STREAK_RESTORED;
                    case FROZEN -> Type.FREEZE_CONSUMED;
                    case LOST -> Type.STREAK_LOST;
                };
                long atMs = switch (change.kind()) {
                    case EXTENDED -> metAtMs(change.day());
                    case RESTORED -> LocalDays.startOf(change.day(), zone);
                    case FROZEN, LOST -> LocalDays.startOf(change.day() + 1, zone);
                };
                return new Entry(atMs, type, id, body -> body.on(date(change.day()), change.length()));
            }

            /**
             * The beginning of the date, but not before the user. The time of the last extension is known, but an entry must not move when
             * it is no longer the last one.
             */
            private long metAtMs(int day) {
                long startMs = LocalDays.startOf(day, zone);
                return LocalDays.dayOf(state.createdMs(), zone) == day ? Math.max(startMs, state.createdMs()) : startMs;
            }
        }

        /**
         * The awards of a points system with the changes of level that they made. A late award keeps its place in the ledger: its time
         * in the order is that of the award after it.
         */
        private final class Ledger extends Source {

            private final int system;
            private final PointsState points;

            /** Twice the number of the next award, with 1 for its change of level, which comes first. */
            private int position;

            private long orderMs;
            private int page = -1;
            private List<Award> awards = List.of();

            Ledger(int system, PointsState points, int position) {
                this.system = system;
                this.points = points;
                this.position = position;
                this.orderMs = after == null ? MAX_MS : after.atMs;
                read();
            }

            private Award award(int sequence) {
                int wanted = PointsState.pageOf(sequence);
                if (wanted != page) {
                    page = wanted;
                    awards = wanted == PointsState.pageOf(points.awards())
                            ? points.newest()
                            : present.history().ledgerPage(system, wanted);
                }
                return awards.get(sequence % PointsState.PAGE);
            }

            /** Finds the next entry of a wanted type, at the position. */
            @Override
            void read() {
                while (entries.isEmpty() && position >= 0 && awardsPassedOver <= maxAwards) {
                    Award award = award(position / 2);
                    boolean isLevel = position % 2 == 1;
                    orderMs = Math.min(orderMs, award.atMs());
                    Entry found = !types.contains(isLevel ? Type.LEVEL_CHANGED : Type.POINTS_AWARDED)
                            ? null
                            : isLevel ? levelEntry(award) : awardEntry(award);
                    if (found != null) {
                        entries.add(found);
                    } else {
                        position--;
                        awardsPassedOver++;
                    }
                }
            }

            @Override
            Entry next() {
                position--;
                return super.next();
            }

            private Entry awardEntry(Award award) {
                return new Entry(orderMs, Type.POINTS_AWARDED, id(award), _ -> {
                    CompiledRuleset made = rulesOf(award);
                    PointsSystem then = made.referencedSystem(system);
                    return Entry.bodyOf(Type.POINTS_AWARDED, award.atMs())
                            .of(named(then), PointsBodies.award(user, then, award, made, present.today()));
                });
            }

            private @Nullable Entry levelEntry(Award award) {
                PointsSystem then = rulesOf(award).referencedSystem(system);
                Level former = then.levelOf(award.total() - award.awarded());
                Level reached = then.levelOf(award.total());
                boolean isSame =
                        former == null ? reached == null : reached != null && former.number() == reached.number();
                return isSame
                        ? null
                        : new Entry(
                                orderMs,
                                Type.LEVEL_CHANGED,
                                id(award),
                                _ -> Entry.bodyOf(Type.LEVEL_CHANGED, award.atMs())
                                        .of(named(then), PointsBodies.level(former), PointsBodies.level(reached)));
            }

            private String id(Award award) {
                return system + " " + award.sequence();
            }

            private CompiledRuleset rulesOf(Award award) {
                return users.rulesets().published(user.tenant(), award.rulesetVersion());
            }
        }
    }
}
