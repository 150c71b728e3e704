package dev.laurel.warehouse;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.Ranking.Participant;
import dev.laurel.core.user.DayBucket;
import dev.laurel.core.user.PointsState.Award;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.Codec.StoredFormatException;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardKeys;
import dev.laurel.processors.store.users.UserCodecs;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An entry of a store, read from its record in a changelog topic, for programs beside the applications: the key, and the value, which is
 * null after the deletion of the entry. Only what tables are made of is read.
 */
sealed interface StoredEntry {

    /** The stores whose entries are read. */
    List<String> STORES = List.of(StoreNames.USERS, StoreNames.METRIC_DAYS, StoreNames.STREAK_PERIODS,
            StoreNames.POINTS_LEDGER, StoreNames.LEADERBOARD_ENTRIES);

    record User(UserKey user, @Nullable UserState state) implements StoredEntry {}

    /**
     * A day before the newest one.
     *
     * @param number of a metric or of a points system; if the entry was deleted, possibly of a leaderboard
     */
    record Day(UserKey user, int number, int day, @Nullable DayBucket bucket) implements StoredEntry {}

    /** Periods before the newest block. */
    record Periods(UserKey user, StreakFrequency frequency, int block,
            @Nullable StreakBlock verdicts) implements StoredEntry {}

    /** @param awards null after a deletion */
    record LedgerPage(UserKey user, int system, int page, @Nullable List<Award> awards) implements StoredEntry {}

    record Ranked(LeaderboardGroup group, UserId user, @Nullable Participant participant) implements StoredEntry {}

    /**
     * Reads an entry.
     *
     * @param store one of {@link #STORES}
     * @return null if no table has this kind of entry
     * @throws StoredFormatException if it is damaged or was written by another release
     */
    static @Nullable StoredEntry read(String store, byte[] key, byte @Nullable [] value) {
        try {
            return switch (store) {
                case StoreNames.USERS -> new User(UserKey.parse(key), UserCodecs.USER.decodeIfPresent(value));
                case StoreNames.METRIC_DAYS -> day(ByteBuffer.wrap(key), value);
                case StoreNames.STREAK_PERIODS -> periods(ByteBuffer.wrap(key), value);
                case StoreNames.POINTS_LEDGER -> page(ByteBuffer.wrap(key), value);
                case StoreNames.LEADERBOARD_ENTRIES -> ranked(Bytes.wrap(key), value);
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

    private static @Nullable StoredEntry day(ByteBuffer key, byte @Nullable [] value) {
        UserKey user = user(key);
        int number = StoreKeys.ordered(key.getInt());
        int day = StoreKeys.ordered(key.getInt());
        // Blocks of active days have the number 0; runs of leaderboards have another version byte than days.
        if (number == 0 || value != null && value.length > 0 && value[0] == UserCodecs.BOARD_RUN.version()) {
            return null;
        }
        return new Day(user, number, day, UserCodecs.DAY.decodeIfPresent(value));
    }

    private static StoredEntry periods(ByteBuffer key, byte @Nullable [] value) {
        return new Periods(user(key), StreakFrequency.values()[key.get()], StoreKeys.ordered(key.getInt()),
                UserCodecs.STREAK_BLOCK.decodeIfPresent(value));
    }

    private static StoredEntry page(ByteBuffer key, byte @Nullable [] value) {
        return new LedgerPage(user(key), StoreKeys.ordered(key.getInt()), StoreKeys.ordered(key.getInt()),
                UserCodecs.LEDGER_PAGE.decodeIfPresent(value));
    }

    private static @Nullable StoredEntry ranked(Bytes key, byte @Nullable [] value) {
        byte[] bytes = key.get();
        if (bytes[0] != LeaderboardKeys.PARTICIPANT) {
            return null;
        }
        LeaderboardGroup group = LeaderboardKeys.groupOf(key);
        int from = LeaderboardKeys.ofGroup(LeaderboardKeys.PARTICIPANT, group).length;
        return new Ranked(group, new UserId(new String(bytes, from, bytes.length - from, UTF_8)),
                LeaderboardCodecs.PARTICIPANT.decodeIfPresent(value));
    }
}
