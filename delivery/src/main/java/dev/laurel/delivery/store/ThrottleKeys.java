package dev.laurel.delivery.store;

import dev.laurel.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.boards.BoardKeys;
import dev.laurel.schemas.key.UserId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys of what is throttled, in the store of deliveries: durable data. Each key begins with a letter for its kind; groups,
 * texts and numbers are laid out as in {@link BoardKeys}.
 *
 * <pre>
 * p key system    the points of a user (key as in the outbox), in one system
 * g group         a group of a leaderboard
 * n group user    a rank that webhooks were notified of
 * w time, then    an entry that is due at this time:
 *   a key of p or g
 * </pre>
 */
final class ThrottleKeys {

    static final char POINTS = 'p';
    static final char GROUP = 'g';
    private static final char RANK = 'n';
    private static final char DUE = 'w';

    private static final int KEY_AT = 1 + Short.BYTES;
    private static final int SUBJECT_AT = 1 + Long.BYTES;

    private ThrottleKeys() {}

    static Bytes points(UUID system, byte[] key) {
        return KeyWriter.ofKind(POINTS).text(key).id(system).toKey();
    }

    /** The prefix of the keys of a user's points. */
    static byte[] pointsOf(byte[] key) {
        return KeyWriter.ofKind(POINTS).text(key).toBytes();
    }

    /** The key in the outbox, from a key of {@link #points}. */
    static byte[] outboxKeyOf(Bytes points) {
        return Arrays.copyOfRange(points.get(), KEY_AT, points.get().length - StoreKeys.ID_BYTES);
    }

    static Bytes group(BoardGroup group) {
        return Bytes.wrap(BoardKeys.ofGroup(GROUP, group));
    }

    static Bytes rank(BoardGroup group, UserId user) {
        return BoardKeys.withUser(ranksOf(group), user);
    }

    /** The prefix of the keys of a group's ranks. */
    static byte[] ranksOf(BoardGroup group) {
        return BoardKeys.ofGroup(RANK, group);
    }

    /** @param prefixLength length of the prefix of the group's ranks */
    static UserId userOf(Bytes rank, int prefixLength) {
        return new UserId(new String(rank.get(), prefixLength, rank.get().length - prefixLength, UTF_8));
    }

    /** @param subject a key of points or of a group */
    static Bytes due(long atMs, Bytes subject) {
        return KeyWriter.ofKind(DUE).ordered(atMs).bytes(subject.get()).toKey();
    }

    /** Above the keys of entries that are due by this time; not a key. */
    static Bytes afterDues(long atMs) {
        return KeyWriter.ofKind(DUE).ordered(atMs + 1).toKey();
    }

    static long timeOf(Bytes due) {
        return StoreKeys.ordered(ByteBuffer.wrap(due.get()).getLong(1));
    }

    static Bytes subjectOf(Bytes due) {
        return Bytes.wrap(Arrays.copyOfRange(due.get(), SUBJECT_AT, due.get().length));
    }

    static char kindOf(Bytes subject) {
        return (char) subject.get()[0];
    }
}
