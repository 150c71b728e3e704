package dev.laurel.warehouse;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.MetricState;
import dev.laurel.core.user.PointsState;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.Profile;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakState;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.store.users.UserCodecs;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.serde.Times;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The rows that follow from the entries of stores. Pure.
 *
 * <p>The store of users has what is newest of days, awards and periods; when something newer begins, the former moves to a store of its
 * own. Records of different topics arrive in any order, so rows of the one store never replace those of the other: {@code newest} in
 * their keys tells them apart.
 */
public final class StoreRows {

    private static final Pattern CHANGELOG = Pattern.compile("laurel-(?:ledger|boards)(?:-g\\d+)?-([a-z-]+)-changelog");

    /** PostgreSQL and connectors store dates of these years; commands may have any. */
    private static final LocalDate FIRST_DATE = LocalDate.of(1, 1, 1);

    private static final LocalDate LAST_DATE = LocalDate.of(9999, 12, 31);

    /** The stores that tables are made of. */
    public static final List<String> STORES = List.of(
            StoreNames.USERS,
            StoreNames.METRIC_DAYS,
            StoreNames.STREAK_PERIODS,
            StoreNames.POINTS_LEDGER,
            StoreNames.LEADERBOARD_ENTRIES);

    private StoreRows() {}

    /** The store of a changelog topic, which may be that of any generation; null: it is none of those that tables are made of. */
    public static @Nullable String storeOf(String topic) {
        Matcher matcher = CHANGELOG.matcher(topic);
        return matcher.matches() && STORES.contains(matcher.group(1)) ? matcher.group(1) : null;
    }

    /**
     * The rows of a record. Empty: it is of a kind that has none.
     *
     * @param store see {@link #storeOf}
     * @param value null after the deletion of the entry
     * @throws StoredFormatException if it is damaged or was written by another release
     */
    public static List<RowSet> of(String store, byte[] key, byte @Nullable [] value) {
        try {
            return switch (store) {
                case StoreNames.USERS -> {
                    UserKey user = UserKey.parse(key);
                    yield user(tenant(user), id(user), UserCodecs.USER.decodeIfPresent(value));
                }
                case StoreNames.METRIC_DAYS -> day(ByteBuffer.wrap(key), value);
                case StoreNames.STREAK_PERIODS -> periods(ByteBuffer.wrap(key), value);
                case StoreNames.POINTS_LEDGER -> awards(ByteBuffer.wrap(key), value);
                case StoreNames.LEADERBOARD_ENTRIES -> participant(Bytes.wrap(key), value);
                default -> throw new IllegalArgumentException("no table is made of the store " + store);
            };
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new StoredFormatException("a key of the store " + store + " is damaged", e);
        }
    }

    private static UserKey user(ByteBuffer key) {
        var user = new byte[key.getShort()];
        key.get(user);
        return UserKey.parse(user);
    }

    private static List<RowSet> day(ByteBuffer key, byte @Nullable [] value) {
        UserKey user = user(key);
        int number = StoreKeys.ordered(key.getInt());
        LocalDate date = date(StoreKeys.ordered(key.getInt()));
        // Blocks of active days have the number 0; runs of leaderboards have another version byte than days.
        if (number == 0 || value != null && value.length > 0 && value[0] == UserCodecs.BOARD_RUN.version()) {
            return List.of();
        }
        DayBucket bucket = UserCodecs.DAY.decodeIfPresent(value);
        return List.of(
                bucket == null
                        ? RowSet.none(Table.DAYS, tenant(user), id(user), false, number, date)
                        : RowSet.one(
                                Table.DAYS,
                                tenant(user),
                                id(user),
                                false,
                                number,
                                date,
                                decimal(bucket.change()),
                                bucket.events()));
    }

    private static List<RowSet> periods(ByteBuffer key, byte @Nullable [] value) {
        UserKey user = user(key);
        StreakFrequency frequency = StreakFrequency.values()[key.get()];
        int block = StoreKeys.ordered(key.getInt());
        return List.of(periods(
                List.of(tenant(user), id(user), false, IssueList.word(frequency), block),
                frequency,
                UserCodecs.STREAK_BLOCK.decodeIfPresent(value)));
    }

    private static List<RowSet> awards(ByteBuffer key, byte @Nullable [] value) {
        UserKey user = user(key);
        int system = StoreKeys.ordered(key.getInt());
        int page = StoreKeys.ordered(key.getInt());
        List<Award> awards = UserCodecs.LEDGER_PAGE.decodeIfPresent(value);
        return List.of(new RowSet(
                Table.AWARDS,
                List.of(tenant(user), id(user), false, system, page),
                awards == null ? List.of() : awards(tenant(user), id(user), false, awards)));
    }

    private static String tenant(UserKey user) {
        return text(user.tenant().value());
    }

    private static String id(UserKey user) {
        return text(user.user().value());
    }

    private static List<RowSet> user(String tenant, String id, @Nullable UserState state) {
        if (state == null) {
            return List.of(
                    RowSet.none(Table.USERS, tenant, id),
                    RowSet.none(Table.DAYS, tenant, id, true),
                    RowSet.none(Table.COMPLETIONS, tenant, id),
                    RowSet.none(Table.AWARDS, tenant, id, true),
                    RowSet.none(Table.PERIODS, tenant, id, true));
        }
        var days = new ArrayList<@Nullable Object[]>();
        for (int i = 0; i < state.metrics().size(); i++) {
            MetricState metric = state.metrics().valueAt(i);
            days.add(new Object[] {
                tenant,
                id,
                true,
                state.metrics().numberAt(i),
                date(metric.day()),
                decimal(metric.bucket().change()),
                metric.bucket().events()
            });
        }
        var awards = new ArrayList<@Nullable Object[]>();
        for (int i = 0; i < state.points().size(); i++) {
            PointsState points = state.points().valueAt(i);
            if (points.day() != PointsState.NONE.day()) {
                days.add(new @Nullable Object[] {
                    tenant,
                    id,
                    true,
                    state.points().numberAt(i),
                    date(points.day()),
                    BigDecimal.valueOf(points.dayChange()),
                    null
                });
            }
            awards.addAll(awards(tenant, id, true, points.newest()));
        }
        var completions = new ArrayList<@Nullable Object[]>();
        for (int i = 0; i < state.completions().size(); i++) {
            completions.add(new Object[] {
                tenant,
                id,
                state.completions().numberAt(i),
                time(state.completions().valueAt(i))
            });
        }
        return List.of(
                RowSet.one(Table.USERS, profile(tenant, id, state)),
                new RowSet(Table.DAYS, List.of(tenant, id, true), days),
                new RowSet(Table.COMPLETIONS, List.of(tenant, id), completions),
                new RowSet(Table.AWARDS, List.of(tenant, id, true), awards),
                periods(
                        List.of(tenant, id, true),
                        state.streak().periods().frequency(),
                        state.streak().newest()));
    }

    private static @Nullable Object[] profile(String tenant, String id, UserState state) {
        Profile profile = state.profile();
        StreakState streak = state.streak();
        DayOfWeek weekStart = streak.periods().weekStart();
        return new @Nullable Object[] {
            tenant,
            id,
            textOrNull(profile.name()),
            textOrNull(profile.email()),
            profile.tz() == null ? null : profile.tz().getId(),
            profile.signUpDate() == null
                    ? null
                    : date(Math.toIntExact(profile.signUpDate().toEpochDay())),
            profile.subscribeToEmails(),
            state.control(),
            json(profile.attributes()),
            time(state.createdMs()),
            time(state.updatedMs()),
            state.lastEventMs() == UserState.NO_EVENT ? null : time(state.lastEventMs()),
            IssueList.word(streak.periods().frequency()),
            state.preferences().wantsStreak() ? streak.length() : 0,
            streak.longest(),
            streak.extendedAtMs() == StreakState.NEVER ? null : time(streak.extendedAtMs()),
            streak.freezes(),
            new Periods(StreakFrequency.WEEKLY, weekStart).firstDay(0)
        };
    }

    private static List<@Nullable Object[]> awards(String tenant, String id, boolean newest, List<Award> awards) {
        return awards.stream()
                .map(award -> new @Nullable Object[] {
                    tenant,
                    id,
                    newest,
                    award.system(),
                    PointsState.pageOf(award.sequence()),
                    award.sequence(),
                    time(award.atMs()),
                    award.awarded(),
                    award.total(),
                    award.trigger(),
                    award.rulesetVersion(),
                    award.boosts().size()
                })
                .toList();
    }

    /** @param scope with or without the frequency and the block */
    private static RowSet periods(List<Object> scope, StreakFrequency frequency, @Nullable StreakBlock block) {
        var rows = new ArrayList<@Nullable Object[]>();
        if (block != null && !block.isBlank()) {
            int first = StreakBlock.firstOf(block.number());
            for (int period = first; period < first + StreakBlock.SIZE; period++) {
                Verdict verdict = block.verdict(period);
                String status = status(verdict);
                if (status != null) {
                    boolean isMet = verdict == Verdict.MET || verdict == Verdict.RESET;
                    rows.add(new @Nullable Object[] {
                        scope.get(0),
                        scope.get(1),
                        scope.get(2),
                        IssueList.word(frequency),
                        block.number(),
                        period,
                        status,
                        isMet ? block.metOn(period) : null
                    });
                }
            }
        }
        return new RowSet(Table.PERIODS, scope, rows);
    }

    private static @Nullable String status(Verdict verdict) {
        return switch (verdict) {
            case NONE -> null;
            case MET -> "met";
            case FROZEN -> "frozen";
            case RESTORED -> "restored";
            case EXCUSED -> "excused";
            case PAUSED -> "paused";
            case RESET -> "met_before_reset";
        };
    }

    private static List<RowSet> participant(Bytes key, byte @Nullable [] value) {
        byte[] bytes = key.get();
        if (bytes[0] != LeaderboardKeys.PARTICIPANT) {
            return List.of();
        }
        LeaderboardGroup group = LeaderboardKeys.groupOf(key);
        int from = LeaderboardKeys.ofGroup(LeaderboardKeys.PARTICIPANT, group).length;
        String values = json(group.values());
        // A group may have more text than the key of a table can.
        String groupId = group.values().isEmpty()
                ? ""
                : UUID.nameUUIDFromBytes(values.getBytes(UTF_8)).toString();
        String tenant = text(group.tenant().value());
        String user = text(new UserId(new String(bytes, from, bytes.length - from, UTF_8)).value());
        Participant participant = LeaderboardCodecs.PARTICIPANT.decodeIfPresent(value);
        return List.of(
                participant == null
                        ? RowSet.none(Table.PARTICIPANTS, tenant, group.board(), group.run(), groupId, user)
                        : RowSet.one(
                                Table.PARTICIPANTS,
                                tenant,
                                group.board(),
                                group.run(),
                                groupId,
                                user,
                                values,
                                decimal(participant.standing().value()),
                                time(participant.standing().changedMs()),
                                IssueList.word(participant.standing().visibility())));
    }

    private static @Nullable String textOrNull(@Nullable String text) {
        return text == null ? null : text(text);
    }

    /** PostgreSQL has no character U+0000; names and attributes may have it. */
    private static String text(String text) {
        return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
    }

    private static String json(Map<String, String> texts) {
        var stored = new TreeMap<String, String>();
        texts.forEach((key, value) -> stored.put(text(key), text(value)));
        return Json.text(stored);
    }

    private static String json(List<String> texts) {
        return Json.text(texts.stream().map(StoreRows::text).toList());
    }

    private static BigDecimal decimal(BigDecimal value) {
        return value.scale() <= Column.Type.SCALE ? value : value.setScale(Column.Type.SCALE, RoundingMode.HALF_EVEN);
    }

    private static LocalDate date(int day) {
        LocalDate date = LocalDate.ofEpochDay(day);
        return date.isBefore(FIRST_DATE) ? FIRST_DATE : date.isAfter(LAST_DATE) ? LAST_DATE : date;
    }

    private static Instant time(long atMs) {
        Instant time = Instant.ofEpochMilli(atMs);
        return time.isBefore(Times.MIN) ? Times.MIN : time.isAfter(Times.MAX) ? Times.MAX : time;
    }
}
