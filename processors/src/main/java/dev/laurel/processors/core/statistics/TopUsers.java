package dev.laurel.processors.core.statistics;

import dev.laurel.processors.core.engine.Outcome.CountedEvent;
import dev.laurel.processors.core.statistics.TopList.Member;
import dev.laurel.processors.core.user.IntKeyedMap;
import dev.laurel.processors.core.user.MetricState;
import dev.laurel.processors.core.user.PointsState;
import dev.laurel.processors.core.user.RecentDays;
import dev.laurel.processors.core.user.UserHistory.Day;
import dev.laurel.processors.core.user.UserHistory;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.UserId;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The users of a tenant who have the most events, the most of a metric and the most points. The lists of the last
 * {@value #WINDOW_DAYS} days have a column for each day with which such a window may end while the lists are in use, because users in
 * different time zones have different local dates. What a user has in a window with a given end changes only with the user's events, so
 * that nothing has to be done when time passes.
 *
 * <p>A user who is not in a list of recent days, and according to {@link RecentDays} cannot be in it, costs
 * some comparisons. Only for others whose values are not known the days are read. Not thread-safe.
 */
public final class TopUsers {

    /** The length of the window of recent days. */
    static final int WINDOW_DAYS = 30;

    /** The ends of windows: from the day before the first to two days after it. */
    static final int ENDS = 4;

    private final int firstEnd;
    private final int kept;
    private final Map<Ranking, IntKeyedMap<TopList>> lists = new EnumMap<>(Ranking.class);
    private final Map<UserId, Member> members = new HashMap<>();

    /** The user who was asked about last, in a list or not: a change asks several times. */
    private @Nullable Member last;
    private int numberOfLists;
    private boolean isShort;

    /** By what users are ranked. The names are a wire format between nodes. */
    public enum Ranking {
        /** The number of all events. No object. */
        EVENTS(false),
        /** The total of a metric. */
        VALUE(false),
        /** The total of a points system. */
        POINTS(false),
        /** The number of events in the last 30 days. No object. */
        RECENT_EVENTS(true),
        /** What the values of a metric add up to in the last 30 days. */
        RECENT_VALUE(true);

        private final boolean isRecent;

        Ranking(boolean isRecent) {
            this.isRecent = isRecent;
        }

        /** Whether it depends on the user's local date. */
        public boolean isRecent() {
            return isRecent;
        }
    }

    /**
     * @param today the date in UTC; windows may end on the local dates of this day and of the next one
     * @param kept how many users are kept of each list
     */
    TopUsers(int today, int kept) {
        this.firstEnd = firstEnd(today);
        this.kept = kept;
        for (Ranking ranking : Ranking.values()) {
            lists.put(ranking, IntKeyedMap.empty());
        }
    }

    /** The first day with which a window may end, if the date in UTC is {@code today}: that of the westernmost zone. */
    static int firstEnd(int today) {
        return today - 1;
    }

    /** Null: nobody has a value. @param object the number of a metric or a points system; 0 for a ranking without */
    @Nullable
    Contenders find(Ranking ranking, int object) {
        TopList list = requireNonNull(lists.get(ranking)).get(object);
        return list == null ? null : list.contenders(firstEnd);
    }

    private TopList list(Ranking ranking, int object) {
        IntKeyedMap<TopList> ofRanking = requireNonNull(lists.get(ranking));
        TopList list = ofRanking.get(object);
        if (list == null) {
            list = new TopList(members, numberOfLists++, ranking.isRecent() ? ENDS : 1, kept);
            lists.put(ranking, ofRanking.with(object, list));
        }
        return list;
    }

    private Member memberOf(UserState user) {
        if (last == null || !last.user().equals(user.id())) {
            Member member = members.get(user.id());
            last = member == null ? new Member(user.id()) : member;
        }
        return last;
    }

    private void put(TopList list, Member member, @Nullable BigDecimal... values) {
        list.put(member, values);
        isShort |= list.isShort();
    }

    /** Whether some list has lost so many users that the lists should be rebuilt. */
    boolean areShort() {
        return isShort;
    }

    /** Adds a user who is in no list. @param history of the user */
    void add(UserState state, UserHistory history) {
        Member member = memberOf(state);
        IntKeyedMap<MetricState> metrics = state.metrics();
        if (metrics.size() > 0) {
            putEvents(member, state);
            addRecentEvents(member, state, history, 0, ENDS - 1);
        }
        for (int i = 0; i < metrics.size(); i++) {
            put(list(Ranking.VALUE, metrics.numberAt(i)), member, metrics.valueAt(i).total());
            addRecentValue(member, state, metrics.numberAt(i), history, 0, ENDS - 1);
        }
        for (int i = 0; i < state.points().size(); i++) {
            putPoints(member, state, state.points().numberAt(i));
        }
    }

    private void putEvents(Member member, UserState state) {
        put(list(Ranking.EVENTS, 0), member, UserValue.eventsOf(state));
    }

    private void putPoints(Member member, UserState state, int system) {
        put(list(Ranking.POINTS, system), member, BigDecimal.valueOf(PointsState.totalOf(state.points(), system)));
    }

    /** Adds a user whose values are not known, and who cannot belong to the list because of other columns than these. */
    private void addRecentEvents(Member member, UserState state, UserHistory history, int firstColumn, int lastColumn) {
        TopList list = list(Ranking.RECENT_EVENTS, 0);
        BigDecimal most = UserValue.mostEvents(state, firstDay());
        if (most == null || most.signum() > 0 && list.mayContain(state.id(), most, firstColumn, lastColumn)) {
            var sums = new BigDecimal[ENDS];
            for (int i = 0; i < state.metrics().size(); i++) {
                addDays(state.metrics().valueAt(i), state.metrics().numberAt(i), history, sums, true);
            }
            put(list, member, sums);
        }
    }

    private void addRecentValue(Member member, UserState state, int metric, UserHistory history, int firstColumn,
            int lastColumn) {
        TopList list = list(Ranking.RECENT_VALUE, metric);
        MetricState counted = requireNonNull(state.metrics().get(metric));
        BigDecimal most = UserValue.mostValue(counted, firstDay());
        if (counted.day() >= firstDay()
                && (most == null || list.mayContain(state.id(), most, firstColumn, lastColumn))) {
            var sums = new BigDecimal[ENDS];
            addDays(counted, metric, history, sums, false);
            put(list, member, sums);
        }
    }

    /** The first window that contains a day. */
    private int firstColumn(int day) {
        return Math.max(0, day - firstEnd);
    }

    /** The last window that contains a day; before {@link #firstColumn} if none does. */
    private int lastColumn(int day) {
        return Math.min(ENDS - 1, day + WINDOW_DAYS - 1 - firstEnd);
    }

    /** The first day of the first window. */
    private int firstDay() {
        return UserValue.firstDay(firstEnd);
    }

    /** Adds the days of a metric to the sums of the windows. */
    private void addDays(MetricState metric, int number, UserHistory history, @Nullable BigDecimal[] sums,
            boolean areEvents) {
        for (Day day : metric.days(number, history, firstDay(), firstEnd + ENDS - 1)) {
            TopList.add(sums, firstColumn(day.day()), lastColumn(day.day()), UserValue.changeOn(day, areEvents));
        }
    }

    /** @param state as it was added */
    void remove(UserState state) {
        Member member = memberOf(state);
        for (IntKeyedMap<TopList> ofRanking : lists.values()) {
            for (int i = 0; i < ofRanking.size(); i++) {
                TopList list = ofRanking.valueAt(i);
                list.remove(member);
                isShort |= list.isShort();
            }
        }
    }

    /** Whether the lists are the same before and after a change that left all points as they are. @param event null: there was none */
    boolean isSame(UserState after, @Nullable CountedEvent event) {
        if (event == null) {
            return true;
        }
        MetricState metric = requireNonNull(after.metrics().get(event.metric()));
        Member member = memberOf(after);
        int first = firstColumn(event.day());
        int last = lastColumn(event.day());
        return isOutside(Ranking.EVENTS, 0, member, UserValue.eventsOf(after), 0, 0)
                && isOutside(Ranking.VALUE, event.metric(), member, metric.total(), 0, 0)
                && (first > last
                        || isOutside(Ranking.RECENT_EVENTS, 0, member, UserValue.mostEvents(after, firstDay()), first,
                                last)
                                && isOutside(Ranking.RECENT_VALUE, event.metric(), member,
                                        UserValue.mostValue(metric, firstDay()), first, last));
    }

    /** @param most not less than the value of the user; null: unknown */
    private boolean isOutside(Ranking ranking, int object, Member member, @Nullable BigDecimal most, int firstColumn,
            int lastColumn) {
        TopList list = requireNonNull(lists.get(ranking)).get(object);
        return list != null && most != null && list.find(member) == null
                && !list.mayContain(member.user(), most, firstColumn, lastColumn);
    }

    /** Applies a change. @param history of the user, after the change */
    void change(UserState before, UserState after, @Nullable CountedEvent event, UserHistory history) {
        Member member = memberOf(after);
        for (int i = 0; i < after.points().size(); i++) {
            int system = after.points().numberAt(i);
            if (PointsState.totalOf(before.points(), system) != after.points().valueAt(i).total()) {
                putPoints(member, after, system);
            }
        }
        if (event != null) {
            MetricState metric = requireNonNull(after.metrics().get(event.metric()));
            putEvents(member, after);
            put(list(Ranking.VALUE, event.metric()), member, metric.total());
            if (firstColumn(event.day()) <= lastColumn(event.day())) {
                changeRecent(member, after, event, history);
            }
        }
    }

    private void changeRecent(Member member, UserState after, CountedEvent event, UserHistory history) {
        int first = firstColumn(event.day());
        int last = lastColumn(event.day());
        if (!addTo(list(Ranking.RECENT_EVENTS, 0), member, first, last, BigDecimal.ONE)) {
            addRecentEvents(member, after, history, first, last);
        }
        if (!addTo(list(Ranking.RECENT_VALUE, event.metric()), member, first, last, event.value())) {
            addRecentValue(member, after, event.metric(), history, first, last);
        }
    }

    /** Adds what an event adds. @return false if the values of the user are not known */
    private boolean addTo(TopList list, Member member, int firstColumn, int lastColumn, BigDecimal change) {
        TopList.Row row = list.find(member);
        if (row == null) {
            return false;
        }
        list.add(row, firstColumn, lastColumn, change);
        isShort |= list.isShort();
        return true;
    }
}
