package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;

import static dev.laurel.processors.store.StoreKeys.ordered;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys in the stores of leaderboards: durable data. Each key begins with a letter for its kind. Texts have their
 * length before them, so that none is a prefix of another; numbers are big-endian with the sign bit flipped, so that their order
 * is the order of the bytes.
 *
 * <pre>
 * group     = tenant, board, run, number of values, values
 * leaderboard-entries:  e group user                   a participant
 *                       u tenant user board run values a place: a group in which a user takes or took part
 *                       h partition                    the position up to which a partition of the log was processed
 *                       v tenant                       the rules in force in each partition of the log
 * leaderboard-runs:     o group                        a group that may still change
 *                       f group                        a group that is final
 *                       b tenant board                 the newest run whose start was announced
 * leaderboard-days:     d group user day               the end of a day
 *                       l group                        the ranking of the group when its last day was closed
 * </pre>
 */
final class BoardKeys {

    static final char PARTICIPANT = 'e';
    static final char PLACE = 'u';
    static final char LOG_POSITION = 'h';
    static final char RULES = 'v';
    static final char OPEN = 'o';
    static final char FINAL = 'f';
    static final char ANNOUNCED_RUN = 'b';
    static final char DAY = 'd';
    static final char LAST_CLOSE = 'l';

    private BoardKeys() {}

    static Bytes participant(BoardGroup group, UserId user) {
        return withUser(ofGroup(PARTICIPANT, group), user);
    }

    /** A key that ends with a user. */
    static Bytes withUser(byte[] prefix, UserId user) {
        byte[] text = user.value().getBytes(UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(prefix.length + text.length).put(prefix).put(text).array());
    }

    /** A group's key of a kind, which is also the prefix of the keys that belong to the group. */
    static byte[] ofGroup(char kind, BoardGroup group) {
        return withValues(ofRun(kind, group.tenant(), group.board(), group.run()), group.values());
    }

    /** The prefix of the keys of a kind of all groups of a run. */
    static byte[] ofRun(char kind, TenantId tenant, int board, int run) {
        byte[] name = tenant.value().getBytes(UTF_8);
        return head(kind, name, 8).putInt(ordered(board)).putInt(ordered(run)).array();
    }

    private static byte[] withValues(byte[] prefix, List<String> values) {
        var texts = new ArrayList<byte[]>(values.size());
        int length = prefix.length + 2;
        for (String value : values) {
            byte[] text = value.getBytes(UTF_8);
            texts.add(text);
            length += 4 + text.length;
        }
        ByteBuffer key = ByteBuffer.allocate(length).put(prefix).putShort((short) values.size());
        for (byte[] text : texts) {
            key.putInt(text.length).put(text);
        }
        return key.array();
    }

    /** Reads the group from its key of any kind. */
    static BoardGroup groupOf(Bytes key) {
        ByteBuffer in = ByteBuffer.wrap(key.get());
        in.get();
        var tenant = new TenantId(StoreKeys.readText(in));
        return new BoardGroup(tenant, ordered(in.getInt()), ordered(in.getInt()), values(in));
    }

    /** Reads the run from its key of any kind, as a group without values. */
    static BoardGroup runOf(Bytes key) {
        ByteBuffer in = ByteBuffer.wrap(key.get());
        in.get();
        var tenant = new TenantId(StoreKeys.readText(in));
        return new BoardGroup(tenant, ordered(in.getInt()), ordered(in.getInt()), List.of());
    }

    static Bytes place(BoardGroup group, UserId user) {
        return Bytes.wrap(withValues(placesOfRun(group.tenant(), user, group.board(), group.run()), group.values()));
    }

    /** The prefix of the keys of a user's places in a run. */
    static byte[] placesOfRun(TenantId tenant, UserId user, int board, int run) {
        byte[] prefix = placesOf(tenant, user);
        return ByteBuffer.allocate(prefix.length + 8).put(prefix).putInt(ordered(board)).putInt(ordered(run)).array();
    }

    /** Above the keys of a user's places in a run, and below those in later runs; not a key. */
    static Bytes afterPlacesOfRun(TenantId tenant, UserId user, int board, int run) {
        byte[] prefix = placesOfRun(tenant, user, board, run);
        // The number of values follows, which is never as large.
        return Bytes.wrap(ByteBuffer.allocate(prefix.length + 2).put(prefix).putShort((short) -1).array());
    }

    /** The prefix of the keys of a user's places. */
    static byte[] placesOf(TenantId tenant, UserId user) {
        byte[] text = user.value().getBytes(UTF_8);
        return head(PLACE, tenant.value().getBytes(UTF_8), 2 + text.length).putShort((short) text.length).put(text)
                .array();
    }

    /** Reads the group from the key of a place. */
    static BoardGroup groupOfPlace(Bytes key) {
        ByteBuffer in = ByteBuffer.wrap(key.get());
        in.get();
        var tenant = new TenantId(StoreKeys.readText(in));
        StoreKeys.readText(in); // the user
        return new BoardGroup(tenant, ordered(in.getInt()), ordered(in.getInt()), values(in));
    }

    static Bytes logPosition(int logPartition) {
        return Bytes.wrap(ByteBuffer.allocate(5).put((byte) LOG_POSITION).putInt(logPartition).array());
    }

    static Bytes rules(TenantId tenant) {
        return Bytes.wrap(head(RULES, tenant.value().getBytes(UTF_8), 0).array());
    }

    static TenantId tenantOf(Bytes rules) {
        ByteBuffer in = ByteBuffer.wrap(rules.get());
        in.get();
        return new TenantId(StoreKeys.readText(in));
    }

    static Bytes announcedRun(TenantId tenant, int board) {
        return Bytes.wrap(head(ANNOUNCED_RUN, tenant.value().getBytes(UTF_8), 4).putInt(ordered(board)).array());
    }

    static Bytes day(BoardGroup group, UserId user, int day) {
        byte[] prefix = daysOf(group, user);
        return Bytes.wrap(ByteBuffer.allocate(prefix.length + 4).put(prefix).putInt(ordered(day)).array());
    }

    /** The prefix of the keys of a user's day ends in a group. */
    static byte[] daysOf(BoardGroup group, UserId user) {
        byte[] prefix = ofGroup(DAY, group);
        byte[] text = user.value().getBytes(UTF_8);
        return ByteBuffer.allocate(prefix.length + 2 + text.length).put(prefix).putShort((short) text.length).put(text)
                .array();
    }

    /** The lowest key of a kind. */
    static Bytes first(char kind) {
        return StoreKeys.kind(kind);
    }

    /** Above all keys of a kind. */
    static Bytes afterAll(char kind) {
        return StoreKeys.kind(kind + 1);
    }

    private static ByteBuffer head(char kind, byte[] tenant, int moreBytes) {
        return ByteBuffer.allocate(3 + tenant.length + moreBytes).put((byte) kind).putShort((short) tenant.length)
                .put(tenant);
    }

    private static List<String> values(ByteBuffer in) {
        int count = in.getShort();
        var values = new ArrayList<String>(count);
        for (int i = 0; i < count; i++) {
            var text = new byte[in.getInt()];
            in.get(text);
            values.add(new String(text, UTF_8));
        }
        return values;
    }
}
