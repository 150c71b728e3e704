package dev.laurel.processors.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/**
 * The layout of keys in the stores of the ledger, and what the layouts of all stores share: durable data. A user's key comes
 * first, with its length before it, so that one user's entries lie together and no user's key is a prefix of another's. Numbers
 * are big-endian with the sign bit flipped, so that their order is the order of the bytes.
 */
public final class StoreKeys {

    public static final int ID_BYTES = 16;

    /** The value of an entry whose key says everything. */
    public static final byte[] PRESENT = {1};

    /** The position of the tenant: behind the kind and a number. */
    private static final int TENANT_AT = 1 + 4;

    /** Between a time and a tenant, whose text may be empty, so that the time alone is not a key. */
    private static final int SEPARATOR = 1;

    private static final char UNSENT = 'f';

    private StoreKeys() {}

    /** @param number of a metric, a points system, or a leaderboard, whose runs have days as numbers */
    public static Bytes day(byte[] user, int number, int day) {
        return ofUser(user, 8).ordered(number).ordered(day).toKey();
    }

    /** @param block of active days; no other object has the number 0 */
    public static Bytes activeDays(byte[] user, int block) {
        return day(user, 0, block);
    }

    public static Bytes streakBlock(byte[] user, StreakFrequency frequency, int block) {
        return ofUser(user, 5).letter(frequency.ordinal()).ordered(block).toKey();
    }

    public static Bytes ledgerPage(byte[] user, int system, int page) {
        return day(user, system, page);
    }

    public static Bytes idempotencyKey(byte[] user, int metric, String key) {
        byte[] text = key.getBytes(UTF_8);
        return ofUser(user, 4 + text.length).ordered(metric).bytes(text).toKey();
    }

    /** The metric's number in a key of {@link #idempotencyKey}. */
    public static int metricOf(Bytes key, byte[] user) {
        return new KeyReader(key, 2 + user.length).orderedInt();
    }

    /** The text at the end of a key of {@link #idempotencyKey}. */
    public static String idempotencyKeyOf(Bytes key, byte[] user) {
        return new KeyReader(key, 2 + user.length + 4).restText();
    }

    private static KeyWriter ofUser(byte[] user, int moreBytes) {
        return new KeyWriter(2 + user.length + moreBytes).text(user);
    }

    /** Flips the sign bit, so that the order of bytes is that of numbers; its own inverse. */
    public static int ordered(int number) {
        return number ^ Integer.MIN_VALUE;
    }

    /** Works like {@link #ordered(int)}. */
    public static long ordered(long number) {
        return number ^ Long.MIN_VALUE;
    }

    public static UUID readId(ByteBuffer key) {
        return new UUID(key.getLong(), key.getLong());
    }

    /** The id at the end of a key. */
    public static UUID idAtEndOf(Bytes key) {
        byte[] bytes = key.get();
        return readId(ByteBuffer.wrap(bytes).position(bytes.length - ID_BYTES));
    }

    /** The number before the id at the end of a key. */
    public static long numberBeforeIdOf(Bytes key) {
        byte[] bytes = key.get();
        return ByteBuffer.wrap(bytes).getLong(bytes.length - ID_BYTES - Long.BYTES);
    }

    /** Reads a text with its length, of two bytes, before it. */
    public static String readText(ByteBuffer key) {
        var text = new byte[key.getShort()];
        key.get(text);
        return new String(text, UTF_8);
    }

    /** Below the keys of a user's entries in the stores of the user's history. */
    public static Bytes firstOf(byte[] user) {
        return ofUser(user, 0).toKey();
    }

    /** All entries of the user lie in [{@link #firstOf}, this). */
    public static Bytes afterAllOf(byte[] user) {
        // The length before the user's key is never all ones.
        return afterAllWith(ofUser(user, 0).toBytes());
    }

    /** The lowest key above all keys with this prefix. @param prefix not all ones; this array becomes the result */
    public static Bytes afterAllWith(byte[] prefix) {
        int last = prefix.length - 1;
        while (++prefix[last] == 0) {
            last--;
        }
        return Bytes.wrap(prefix);
    }

    /** The lowest key above a key. */
    public static Bytes after(Bytes key) {
        return Bytes.wrap(Arrays.copyOf(key.get(), key.get().length + 1));
    }

    /** The day at the end of a key. */
    public static int dayOf(Bytes key) {
        byte[] bytes = key.get();
        return ordered(ByteBuffer.wrap(bytes).getInt(bytes.length - 4));
    }

    public static Bytes timer(long dueMs, byte[] user) {
        return new KeyWriter(8 + user.length).ordered(dueMs).bytes(user).toKey();
    }

    /** The lowest key of timers due after {@code dueMs}. */
    public static Bytes timersAfter(long dueMs) {
        return timer(dueMs + 1, new byte[0]);
    }

    public static long dueMsOf(Bytes timer) {
        return new KeyReader(timer, 0).orderedLong();
    }

    public static byte[] userOf(Bytes timer) {
        return new KeyReader(timer, 8).rest();
    }

    /** The version of a tenant's rules. That of {@link TenantId#NONE} is a prefix of all of them. */
    public static Bytes rulesetVersion(TenantId tenant) {
        return ofTenant('r', tenant, 0);
    }

    public static Bytes boostAnnouncement(TenantId tenant, int boost) {
        return ofTenant('b', tenant, boost);
    }

    /** The lowest key of a kind. @param kind the letter that its keys begin with */
    public static Bytes kind(int kind) {
        return Bytes.wrap(new byte[] {(byte) kind});
    }

    public static Bytes timersFloor() {
        return kind('t');
    }

    public static Bytes stamped() {
        return kind('v');
    }

    /** The sweep of a tenant. Those that are long are apart from the others. That of {@link TenantId#NONE} is a prefix of all of them. */
    public static Bytes sweepOf(TenantId tenant, boolean isLong) {
        return ofTenant('S', tenant, queueOf(isLong));
    }

    /** The tenant whose sweep has had the last turn. */
    public static Bytes sweepTurn(boolean areLong) {
        return ofTenant('T', TenantId.NONE, queueOf(areLong));
    }

    private static int queueOf(boolean isLong) {
        return isLong ? 2 : 0;
    }

    /** The time of a tenant in the schedule. @param kind of the time */
    public static Bytes timeOf(int kind, TenantId tenant) {
        return ofTenant('D', tenant, kind);
    }

    /** The entry of a tenant in the order of times. */
    public static Bytes atTime(int kind, long atMs, TenantId tenant) {
        return times(kind).ordered(atMs).letter(SEPARATOR).bytes(tenant.bytes()).toKey();
    }

    /** Below the entries of this time and of all later ones; not a key. */
    public static Bytes beforeTime(int kind, long atMs) {
        return times(kind).ordered(atMs).toKey();
    }

    /** The prefix of the keys of {@link #atTime}. */
    public static byte[] timesOf(int kind) {
        return times(kind).toBytes();
    }

    private static KeyWriter times(int kind) {
        return KeyWriter.ofKind('E').ordered(kind);
    }

    public static long timeIn(Bytes atTime) {
        return new KeyReader(atTime, TENANT_AT).orderedLong();
    }

    public static TenantId tenantAtTime(Bytes atTime) {
        return new TenantId(new KeyReader(atTime, TENANT_AT + Long.BYTES + 1).restText());
    }

    public static Bytes boardClock() {
        return kind('k');
    }

    /** The scores that are collected for a partition of the leaderboards. */
    public static Bytes unsentScores(int partition) {
        return KeyWriter.ofKind(UNSENT).number(partition).toKey();
    }

    /** Whether a key of the state of a partition is that of collected scores. */
    public static boolean areUnsentScores(Bytes key) {
        return key.get()[0] == UNSENT;
    }

    /** A hold of timers. That without a name is a prefix of all of them. */
    public static Bytes hold(String name) {
        return KeyWriter.ofKind('h').bytes(name.getBytes(UTF_8)).toKey();
    }

    /** The tenant at the end of a key. */
    public static TenantId tenantOf(Bytes key) {
        return new TenantId(new KeyReader(key, TENANT_AT).restText());
    }

    private static Bytes ofTenant(char kind, TenantId tenant, int number) {
        return KeyWriter.ofKind(kind).number(number).bytes(tenant.bytes()).toKey();
    }
}
