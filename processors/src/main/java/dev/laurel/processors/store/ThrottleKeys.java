package dev.laurel.processors.store;

import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys in the store of throttled events: durable data. Each begins with a letter that says what it is; groups,
 * texts and numbers are laid out as in {@link BoardKeys}.
 *
 * <pre>
 * throttled-events: p key system           the points of a user (key as in the outbox), in one system
 *                   g group                a group of a leaderboard
 *                   n tenant board run     a run that started, empty, while webhooks asked for ranks
 *                   t group user           a rank that was sent
 *                   w tenant board run user  in which group that is, on a leaderboard with breakdown
 *                   s id                   an event that was forwarded a moment ago
 *                   d time, then           an entry that is due then:
 *                     a key of p, g or n
 *                     f id                 an event that is held back until then
 * </pre>
 */
final class ThrottleKeys {

    static final char POINTS = 'p';
    static final char GROUP = 'g';
    static final char FROM_NOTHING = 'n';
    static final char TOLD = 't';
    static final char WHERE = 'w';
    static final char SENT = 's';
    static final char HELD = 'f';
    static final char DUE = 'd';

    private static final int KEY_AT = 1 + Short.BYTES;
    private static final int WHAT_AT = 1 + Long.BYTES;

    private ThrottleKeys() {}

    static Bytes points(UUID system, byte[] key) {
        return Bytes.wrap(pointsOf(key, 16).putLong(system.getMostSignificantBits())
                .putLong(system.getLeastSignificantBits()).array());
    }

    /** What the keys of all of a user's points begin with. */
    static byte[] pointsOf(byte[] key) {
        return pointsOf(key, 0).array();
    }

    private static ByteBuffer pointsOf(byte[] key, int moreBytes) {
        return ByteBuffer.allocate(KEY_AT + key.length + moreBytes).put((byte) POINTS).putShort((short) key.length)
                .put(key);
    }

    static UUID systemOf(Bytes points) {
        ByteBuffer in = ByteBuffer.wrap(points.get(), points.get().length - 16, 16);
        return new UUID(in.getLong(), in.getLong());
    }

    /** The key in the outbox of a key of {@link #points}. */
    static byte[] outboxKeyOf(Bytes points) {
        return Arrays.copyOfRange(points.get(), KEY_AT, points.get().length - 16);
    }

    static Bytes group(BoardGroup group) {
        return Bytes.wrap(BoardKeys.ofGroup(GROUP, group));
    }

    static Bytes fromNothing(TenantId tenant, int board, int run) {
        return Bytes.wrap(BoardKeys.ofRun(FROM_NOTHING, tenant, board, run));
    }

    static Bytes told(BoardGroup group, UserId user) {
        return Bytes.wrap(with(toldOf(group), user));
    }

    /** What the keys of all ranks of a group that were told begin with. */
    static byte[] toldOf(BoardGroup group) {
        return BoardKeys.ofGroup(TOLD, group);
    }

    /** @param length of the group's key */
    static UserId userOf(Bytes told, int length) {
        return new UserId(new String(told.get(), length, told.get().length - length, UTF_8));
    }

    static Bytes where(BoardGroup group, UserId user) {
        return Bytes.wrap(with(BoardKeys.ofRun(WHERE, group.tenant(), group.board(), group.run()), user));
    }

    private static byte[] with(byte[] prefix, UserId user) {
        byte[] text = user.value().getBytes(UTF_8);
        return ByteBuffer.allocate(prefix.length + text.length).put(prefix).put(text).array();
    }

    static Bytes sent(UUID id) {
        return ofId(SENT, id);
    }

    static Bytes held(UUID id) {
        return ofId(HELD, id);
    }

    private static Bytes ofId(char kind, UUID id) {
        return Bytes.wrap(ByteBuffer.allocate(17).put((byte) kind).putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits()).array());
    }

    /** @param what any key of this class */
    static Bytes due(long atMs, Bytes what) {
        return Bytes.wrap(ByteBuffer.allocate(WHAT_AT + what.get().length).put((byte) DUE)
                .putLong(atMs ^ Long.MIN_VALUE).put(what.get()).array());
    }

    /** What is due up to this time lies before this; no key itself. */
    static Bytes afterDues(long atMs) {
        return Bytes.wrap(
                ByteBuffer.allocate(WHAT_AT).put((byte) DUE).putLong((atMs + 1) ^ Long.MIN_VALUE).array());
    }

    static long timeOf(Bytes due) {
        return ByteBuffer.wrap(due.get()).getLong(1) ^ Long.MIN_VALUE;
    }

    static Bytes whatOf(Bytes due) {
        return Bytes.wrap(Arrays.copyOfRange(due.get(), WHAT_AT, due.get().length));
    }

    static char kindOf(Bytes what) {
        return (char) what.get()[0];
    }
}
