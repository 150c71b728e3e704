package dev.laurel.processors.store;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The layout of keys in the stores of the ledger, and what the layouts of all stores share: durable data. A user's key comes
 * first, with its length before it, so that one user's entries lie together and no user's key is a prefix of another's. Numbers
 * are big-endian with the sign bit flipped, so that their order is the order of the bytes.
 */
public final class StoreKeys {

    public static final int ID_BYTES = 16;

    /** The position of the tenant: behind the kind and a number. */
    private static final int TENANT_AT = 1 + 4;

    /** Between a time and a tenant, whose text may be empty, so that the time alone is not a key. */
    private static final int SEPARATOR = 1;

    private StoreKeys() {}

    /** @param number of a metric, a points system, or a leaderboard, whose runs have days as numbers */
    public static Bytes day(byte[] user, int number, int day) {
        return Bytes.wrap(ofUser(user, 8).putInt(ordered(number)).putInt(ordered(day)).array());
    }

    /** @param block of active days; no other object has the number 0 */
    public static Bytes activeDays(byte[] user, int block) {
        return day(user, 0, block);
    }

    public static Bytes streakBlock(byte[] user, StreakFrequency frequency, int block) {
        return Bytes.wrap(ofUser(user, 5).put((byte) frequency.ordinal()).putInt(ordered(block)).array());
    }

    public static Bytes ledgerPage(byte[] user, int system, int page) {
        return Bytes.wrap(ofUser(user, 8).putInt(ordered(system)).putInt(ordered(page)).array());
    }

    public static Bytes idempotencyKey(byte[] user, int metric, String key) {
        byte[] text = key.getBytes(UTF_8);
        return Bytes.wrap(ofUser(user, 4 + text.length).putInt(ordered(metric)).put(text).array());
    }

    /** The metric's number in a key of {@link #idempotencyKey}. */
    public static int metricOf(Bytes key, byte[] user) {
        return ordered(ByteBuffer.wrap(key.get()).getInt(2 + user.length));
    }

    /** The text at the end of a key of {@link #idempotencyKey}. */
    public static String idempotencyKeyOf(Bytes key, byte[] user) {
        int from = 2 + user.length + 4;
        return new String(key.get(), from, key.get().length - from, UTF_8);
    }

    private static ByteBuffer ofUser(byte[] user, int moreBytes) {
        return ByteBuffer.allocate(2 + user.length + moreBytes).putShort((short) user.length).put(user);
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
        return Bytes.wrap(ofUser(user, 0).array());
    }

    /** All entries of the user lie in [{@link #firstOf}, this). */
    public static Bytes afterAllOf(byte[] user) {
        // The length before the user's key is never all ones.
        return afterAllWith(ofUser(user, 0).array());
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
        return Bytes.wrap(ByteBuffer.allocate(8 + user.length).putLong(ordered(dueMs)).put(user).array());
    }

    /** The lowest key of timers due after {@code dueMs}. */
    public static Bytes timersAfter(long dueMs) {
        return Bytes.wrap(ByteBuffer.allocate(8).putLong(ordered(dueMs + 1)).array());
    }

    public static long dueMsOf(Bytes timer) {
        return ordered(ByteBuffer.wrap(timer.get()).getLong());
    }

    public static byte[] userOf(Bytes timer) {
        return Arrays.copyOfRange(timer.get(), 8, timer.get().length);
    }

    public static Bytes rulesetVersion(TenantId tenant) {
        return ofTenant('r', tenant, 0);
    }

    public static Bytes boostAnnouncement(TenantId tenant, int boost) {
        return ofTenant('b', tenant, boost);
    }

    /** The lowest key of a kind. @param kind the letter that its keys begin with */
    public static Bytes kind(int kind) {
        return Bytes.wrap(new byte[]{(byte) kind});
    }

    public static Bytes timersFloor() {
        return kind('t');
    }

    public static Bytes stamped() {
        return kind('v');
    }

    /** The sweep of a tenant. Those that are long are apart from the others. */
    public static Bytes sweepOf(TenantId tenant, boolean isLong) {
        return ofTenant('S', tenant, queueOf(isLong));
    }

    public static Bytes firstSweep(boolean areLong) {
        return sweepOf(TenantId.NONE, areLong);
    }

    /** Not a key, since a scan includes its end: the numbers of queues are even. */
    public static Bytes afterSweeps(boolean areLong) {
        return ofTenant('S', TenantId.NONE, queueOf(areLong) + 1);
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

    public static Bytes firstTime(int kind) {
        return times(kind).toKey();
    }

    public static Bytes afterTimes(int kind) {
        return afterAllWith(times(kind).toBytes());
    }

    private static KeyWriter times(int kind) {
        return KeyWriter.ofKind('E').ordered(kind);
    }

    public static long timeIn(Bytes atTime) {
        return ordered(ByteBuffer.wrap(atTime.get()).getLong(TENANT_AT));
    }

    public static TenantId tenantAtTime(Bytes atTime) {
        int at = TENANT_AT + Long.BYTES + 1;
        return new TenantId(new String(atTime.get(), at, atTime.get().length - at, UTF_8));
    }

    public static Bytes boardClock() {
        return kind('k');
    }

    /** A row of held scores. @param row 0: the position in the log that they were written at */
    public static Bytes heldScores(int row) {
        return Bytes.wrap(ByteBuffer.allocate(1 + 4).put((byte) 'f').putInt(row).array());
    }

    public static Bytes hold(String name) {
        byte[] text = name.getBytes(UTF_8);
        return Bytes.wrap(ByteBuffer.allocate(1 + text.length).put((byte) 'h').put(text).array());
    }

    /** All holds lie in [this, {@link #afterHolds}). */
    public static Bytes firstHold() {
        return kind('h');
    }

    public static Bytes afterHolds() {
        return kind('h' + 1);
    }

    /** The ruleset versions of all tenants lie in [this, {@link #afterRulesetVersions}). */
    public static Bytes firstRulesetVersion() {
        return kind('r');
    }

    /** Not a key, since a scan includes its end: the number before the tenant is always 0. */
    public static Bytes afterRulesetVersions() {
        return Bytes.wrap(ByteBuffer.allocate(TENANT_AT).put((byte) 'r').putInt(1).array());
    }

    /** The tenant at the end of a key. */
    public static TenantId tenantOf(Bytes key) {
        byte[] bytes = key.get();
        return new TenantId(new String(bytes, TENANT_AT, bytes.length - TENANT_AT, UTF_8));
    }

    private static Bytes ofTenant(char kind, TenantId tenant, int number) {
        byte[] name = tenant.value().getBytes(UTF_8);
        return Bytes
                .wrap(ByteBuffer.allocate(TENANT_AT + name.length).put((byte) kind).putInt(number).put(name).array());
    }
}
