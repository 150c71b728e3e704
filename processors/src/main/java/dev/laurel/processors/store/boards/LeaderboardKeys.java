package dev.laurel.processors.store.boards;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

/**
 * The layout of keys in the stores of leaderboards: durable data. Each key begins with a letter for its kind. Texts have their
 * length before them, so that none is a prefix of another; numbers are big-endian with the sign bit flipped, so that their order
 * is the order of the bytes.
 *
 * <pre>
 * group     = tenant, board, run, number of values, values
 * leaderboard-entries:  e group user                   a participant
 *                       q group user                   a user who stands outside, behind the participants
 *                       m group                        the score of a team
 *                       u tenant user board run values a place: a group in which a user takes or took part
 *                       h partition                    the position up to which a partition of the log was processed
 *                       v tenant                       the rules in force in each partition of the log
 * leaderboard-runs:     o group                        a group that may still change
 *                       f group                        a group that is final
 *                       b tenant board                 the newest run whose start was announced
 *                       c tenant board run block       the changes of rank on 32 days
 *                       D, E, P                        the schedule of tenants, see TenantSchedule
 * leaderboard-days:     d group user day               the end of a day
 *                       l group                        the ranking of the group when its last day was closed
 * </pre>
 */
public final class LeaderboardKeys {

    public static final char PARTICIPANT = 'e';
    static final char OUTSIDE = 'q';
    static final char TEAM = 'm';
    public static final char PLACE = 'u';
    static final char LOG_POSITION = 'h';
    static final char RULES = 'v';
    static final char OPEN = 'o';
    static final char FINAL = 'f';
    static final char ANNOUNCED_RUN = 'b';
    static final char RANK_CHANGES = 'c';
    static final char DAY = 'd';
    static final char LAST_CLOSE = 'l';

    private LeaderboardKeys() {}

    public static Bytes participant(LeaderboardGroup group, UserId user) {
        return withUser(ofGroup(PARTICIPANT, group), user);
    }

    static Bytes outsider(LeaderboardGroup group, UserId user) {
        return withUser(ofGroup(OUTSIDE, group), user);
    }

    /** A key that ends with a user. */
    public static Bytes withUser(byte[] prefix, UserId user) {
        return new KeyWriter().bytes(prefix).bytes(user.value().getBytes(UTF_8)).toKey();
    }

    private static KeyWriter run(char kind, TenantId tenant, int board, int run) {
        return KeyWriter.ofKind(kind).tenant(tenant).ordered(board).ordered(run);
    }

    private static KeyWriter group(char kind, LeaderboardGroup group) {
        return writeValues(run(kind, group.tenant(), group.board(), group.run()), group.values());
    }

    private static KeyWriter writeValues(KeyWriter key, List<String> values) {
        return writeValues(key, values, values.size());
    }

    private static KeyWriter writeValues(KeyWriter key, List<String> values, int count) {
        key.number((short) count);
        values.forEach(key::longText);
        return key;
    }

    /** The prefix of the keys of the teams that are ranked in a group. */
    static byte[] teamsOf(LeaderboardGroup group) {
        List<String> values = group.values();
        return writeValues(run(TEAM, group.tenant(), group.board(), group.run()), values, values.size() + 1)
                .toBytes();
    }

    /** A group's key of a kind, which is also the prefix of the keys that belong to the group. */
    public static byte[] ofGroup(char kind, LeaderboardGroup group) {
        return group(kind, group).toBytes();
    }

    /** The prefix of the keys of a kind of all groups of a tenant. */
    static byte[] ofTenant(char kind, TenantId tenant) {
        return KeyWriter.ofKind(kind).tenant(tenant).toBytes();
    }

    /** The prefix of the keys of a kind of all groups of a leaderboard. */
    public static byte[] ofBoard(char kind, TenantId tenant, int board) {
        return KeyWriter.ofKind(kind).tenant(tenant).ordered(board).toBytes();
    }

    /** The prefix of the keys of a kind of all groups of a run. */
    public static byte[] ofRun(char kind, TenantId tenant, int board, int run) {
        return run(kind, tenant, board, run).toBytes();
    }

    /** Compares the groups of two keys, which may be of different kinds, in the order of their keys. */
    static int compareGroups(Bytes one, Bytes other) {
        return Arrays.compareUnsigned(one.get(), 1, one.get().length, other.get(), 1, other.get().length);
    }

    /** Reads the group from its key of any kind. */
    public static LeaderboardGroup groupOf(Bytes key) {
        var in = new KeyReader(key, 1);
        return group(in.tenant(), in);
    }

    private static LeaderboardGroup group(TenantId tenant, KeyReader in) {
        int board = in.orderedInt();
        int run = in.orderedInt();
        int count = in.number();
        var values = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            values.add(in.longText());
        }
        return new LeaderboardGroup(tenant, board, run, values);
    }

    public static Bytes place(LeaderboardGroup group, UserId user) {
        return writeValues(placesOfRun(group.tenant(), user, group.board(), group.run()), group.values())
                .toKey();
    }

    private static KeyWriter places(TenantId tenant, UserId user) {
        return KeyWriter.ofKind(PLACE).tenant(tenant).text(user.value());
    }

    /** The prefix of the keys of a user's places. */
    static byte[] placesOf(TenantId tenant, UserId user) {
        return places(tenant, user).toBytes();
    }

    /** Begins the keys of a user's places in a run. */
    static KeyWriter placesOfRun(TenantId tenant, UserId user, int board, int run) {
        return places(tenant, user).ordered(board).ordered(run);
    }

    /** Above the keys of a user's places in a run, and below those in later runs; not a key. */
    static Bytes afterPlacesOfRun(TenantId tenant, UserId user, int board, int run) {
        // The number of values follows, which is never as large.
        return placesOfRun(tenant, user, board, run).number((short) -1).toKey();
    }

    /** Reads the group from the key of a place. */
    static LeaderboardGroup groupOfPlace(Bytes key) {
        var in = new KeyReader(key, 1);
        TenantId tenant = in.tenant();
        in.text(); // the user
        return group(tenant, in);
    }

    public static Bytes logPosition(int logPartition) {
        return KeyWriter.ofKind(LOG_POSITION).number(logPartition).toKey();
    }

    static Bytes rules(TenantId tenant) {
        return KeyWriter.ofKind(RULES).tenant(tenant).toKey();
    }

    static Bytes announcedRun(TenantId tenant, int board) {
        return KeyWriter.ofKind(ANNOUNCED_RUN).tenant(tenant).ordered(board).toKey();
    }

    /** @param block the number of the block */
    static Bytes rankChanges(TenantId tenant, int board, int run, int block) {
        return run(RANK_CHANGES, tenant, board, run).ordered(block).toKey();
    }

    static Bytes day(LeaderboardGroup group, UserId user, int day) {
        return days(group, user).ordered(day).toKey();
    }

    /** The prefix of the keys of a user's day ends in a group. */
    static byte[] daysOf(LeaderboardGroup group, UserId user) {
        return days(group, user).toBytes();
    }

    private static KeyWriter days(LeaderboardGroup group, UserId user) {
        return group(DAY, group).text(user.value());
    }
}
