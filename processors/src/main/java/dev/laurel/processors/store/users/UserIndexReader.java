package dev.laurel.processors.store.users;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Finds users of one partition by the beginnings of their ids and search terms, by the day of their last event, by the time of their
 * creation, and by the length of their streak. Any thread. The task may write meanwhile: an entry may name a user who no longer exists, or no longer has the term or the day.
 */
public final class UserIndexReader {

    /** The order of {@link #sample}: by a hash of the id, so that the first users are like those of any partition. */
    public static final Comparator<UserId> SAMPLE_ORDER = Comparator.comparingLong(UserIndexKeys::hashOf)
            .thenComparing(Comparator.naturalOrder());

    private final ReadOnlyKeyValueStore<Bytes, byte[]> users;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> store;

    /** A user by a search term. @param user the user key's bytes */
    public record Term(String term, byte[] user) {}

    /** A user by the day of the last event. @param day see {@link UserIndexKeys#dayOf} @param user the user key's bytes */
    public record Active(int day, byte[] user) {}

    /** A user by the time of the creation. @param user the user key's bytes */
    public record Created(long createdMs, byte[] user) {}

    /** @param partitionState the store that contains the index */
    UserIndexReader(ReadOnlyKeyValueStore<Bytes, byte[]> users, ReadOnlyKeyValueStore<Bytes, byte[]> partitionState) {
        this.users = users;
        this.store = partitionState;
    }

    /**
     * The next users with a term that begins with a text, by the term and then by key, at most {@code limit}.
     *
     * @param prefix folded, not empty
     * @param after null: from the first
     */
    public List<Term> withTerm(TenantId tenant, String prefix, @Nullable Term after, int limit) {
        Bytes first = UserIndexKeys.firstTerm(tenant, prefix);
        Bytes next = after == null ? first : StoreKeys.after(UserIndexKeys.term(tenant, after.term, after.user));
        // A place before the range comes from another search.
        Bytes from = next.compareTo(first) < 0 ? first : next;
        Bytes end = StoreKeys.afterAllWith(first.get().clone());
        return from.compareTo(end) >= 0
                ? List.of()
                : StoreScans.read(store, from, end, limit, entry -> UserIndexKeys.readTerm(entry.key, tenant));
    }

    /**
     * The next users by the day of their last event, newest first, then by key, at most {@code limit}.
     *
     * @param day the newest day wanted
     * @param after a user of that day, whom those of that day follow; null: from the first
     */
    public List<Active> active(TenantId tenant, int day, byte @Nullable [] after, int limit) {
        Bytes from = after == null
                ? UserIndexKeys.firstActive(tenant, day)
                : StoreKeys.after(UserIndexKeys.active(tenant, day, after));
        return StoreScans.read(store, from, UserIndexKeys.afterActive(tenant), limit,
                entry -> UserIndexKeys.readActive(entry.key, tenant));
    }

    /** The next users by the time of their creation, newest first, then by key, at most {@code limit}. @param after null: from the first */
    public List<Created> created(TenantId tenant, @Nullable Created after, int limit) {
        Bytes from = after == null
                ? UserIndexKeys.firstCreated(tenant)
                : StoreKeys.after(UserIndexKeys.created(tenant, after.createdMs, after.user));
        return StoreScans.read(store, from, UserIndexKeys.afterCreated(tenant), limit,
                entry -> UserIndexKeys.readCreated(entry.key, tenant));
    }

    /** The first users in the order of a sample, at most {@code limit}. */
    public List<UserId> sample(TenantId tenant, int limit) {
        return StoreScans.read(store, UserIndexKeys.ofSample(tenant).toBytes(), limit,
                entry -> UserKey.parse(UserIndexKeys.sampledIn(entry.key, tenant)).user());
    }

    /**
     * The longest streaks as they are stored, in their order, at most {@code limit}. Streaks that are the longest of their users are among
     * the active ones only.
     */
    public List<RankedStreak> streaks(TenantId tenant, By by, int limit) {
        List<RankedStreak> found = StoreScans.read(store, UserIndexKeys.ofStreaks(tenant, by).toBytes(), limit,
                entry -> UserIndexKeys.readStreak(entry.key, tenant));
        if (by == By.ACTIVE) {
            return found;
        }
        var best = new TreeMap<UserId, RankedStreak>();
        streaks(tenant, By.ACTIVE, limit)
                .forEach(streak -> best.put(streak.user(), new RankedStreak(streak.length(), 0, streak.user())));
        found.forEach(streak -> best.put(streak.user(), streak));
        return best.values().stream().sorted(RankedStreak.BEST_FIRST).limit(limit).toList();
    }

    /**
     * The next users whose ids begin with a text, in the order of their keys, at most {@code limit}.
     *
     * @param prefix empty: all users of the tenant
     * @param after the user key's bytes of the user whom they follow, who need not exist; null: from the first
     */
    public List<UserState> withId(TenantId tenant, String prefix, byte @Nullable [] after, int limit) {
        byte[] first = prefix.isEmpty()
                ? UserKey.prefixOf(tenant).getBytes(UTF_8)
                : new UserKey(tenant, new UserId(prefix)).bytes();
        Bytes from = after == null || Arrays.compareUnsigned(after, first) < 0
                ? Bytes.wrap(first)
                : StoreKeys.after(Bytes.wrap(after));
        Bytes end = first.length == 0 ? null : StoreKeys.afterAllWith(first.clone());
        var found = new ArrayList<UserState>();
        while (from != null && found.size() < limit && (end == null || from.compareTo(end) < 0)) {
            from = addNext(tenant, from, end, limit, found);
        }
        return found;
    }

    /** @return where to continue behind the users of another tenant, whose keys lie among those without a tenant; else null */
    private @Nullable Bytes addNext(TenantId tenant, Bytes from, @Nullable Bytes end, int limit,
            List<UserState> found) {
        try (KeyValueIterator<Bytes, byte[]> entries = users.range(from, end)) {
            while (entries.hasNext() && found.size() < limit) {
                var entry = entries.next();
                if (end != null && entry.key.compareTo(end) >= 0) {
                    return null; // a range includes its end, which may be the key of a user
                }
                int slash = TenantUsers.slashIn(entry.key);
                if (tenant.equals(TenantId.NONE) && slash >= 0) {
                    return StoreKeys.afterAllWith(Arrays.copyOf(entry.key.get(), slash + 1));
                }
                found.add(UserCodecs.USER.decode(entry.value));
            }
            return null;
        }
    }

    /** Null if the user is unknown. @param user the user key's bytes */
    public @Nullable UserState user(byte[] user) {
        return UserCodecs.USER.decodeIfPresent(users.get(Bytes.wrap(user)));
    }

    /**
     * The layout of the index's keys: durable data. A key has the letter of its kind, the length of the tenant and the tenant; then the
     * term in UTF-8, a zero and the user, or the day of the last event or the time of the creation, newest first, and the user. Terms
     * contain no control characters.
     */
    public static final class UserIndexKeys {

        /** The day of users without events: before any other. */
        public static final int NEVER = Integer.MIN_VALUE;

        private static final char TERM = 'w';
        private static final char ACTIVE = 'a';
        private static final char CREATED = 'c';
        private static final char STREAK = 'z';
        private static final char SAMPLE = 'm';
        private static final int TENANT_AT = 1;

        private UserIndexKeys() {}

        /** The date of a user's last event in UTC, in days since 1970; {@link #NEVER} if there was none. */
        public static int dayOf(UserState user) {
            return user.lastEventMs() == UserState.NO_EVENT
                    ? NEVER
                    : Math.toIntExact(Math.floorDiv(user.lastEventMs(), LocalDays.MS_PER_DAY));
        }

        static Bytes firstTerm(TenantId tenant, String prefix) {
            return KeyWriter.ofKind(TERM).tenant(tenant).bytes(prefix.getBytes(UTF_8)).toKey();
        }

        static Bytes term(TenantId tenant, String term, byte[] user) {
            return KeyWriter.ofKind(TERM).tenant(tenant).bytes(term.getBytes(UTF_8)).letter(0).bytes(user).toKey();
        }

        static Bytes firstActive(TenantId tenant, int day) {
            return KeyWriter.ofKind(ACTIVE).tenant(tenant).ordered(~day).toKey();
        }

        static Bytes afterActive(TenantId tenant) {
            return StoreKeys.afterAllWith(KeyWriter.ofKind(ACTIVE).tenant(tenant).toBytes());
        }

        static Bytes active(TenantId tenant, int day, byte[] user) {
            return KeyWriter.ofKind(ACTIVE).tenant(tenant).ordered(~day).bytes(user).toKey();
        }

        static Bytes firstCreated(TenantId tenant) {
            return KeyWriter.ofKind(CREATED).tenant(tenant).toKey();
        }

        static Bytes afterCreated(TenantId tenant) {
            return StoreKeys.afterAllWith(KeyWriter.ofKind(CREATED).tenant(tenant).toBytes());
        }

        static Bytes created(TenantId tenant, long createdMs, byte[] user) {
            return KeyWriter.ofKind(CREATED).tenant(tenant).ordered(~createdMs).bytes(user).toKey();
        }

        private static Created readCreated(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            int from = TENANT_AT + Short.BYTES + tenant.value().getBytes(UTF_8).length;
            return new Created(~StoreKeys.ordered(ByteBuffer.wrap(bytes).getLong(from)),
                    Arrays.copyOfRange(bytes, from + Long.BYTES, bytes.length));
        }

        private static Term readTerm(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            int from = TENANT_AT + Short.BYTES + tenant.value().getBytes(UTF_8).length;
            int zero = from;
            while (bytes[zero] != 0) {
                zero++;
            }
            return new Term(new String(bytes, from, zero - from, UTF_8),
                    Arrays.copyOfRange(bytes, zero + 1, bytes.length));
        }

        private static Active readActive(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            int from = TENANT_AT + Short.BYTES + tenant.value().getBytes(UTF_8).length;
            return new Active(~StoreKeys.ordered(ByteBuffer.wrap(bytes).getInt(from)),
                    Arrays.copyOfRange(bytes, from + Integer.BYTES, bytes.length));
        }

        static Bytes sample(TenantId tenant, UserId id, byte[] user) {
            return ofSample(tenant).ordered(hashOf(id)).bytes(user).toKey();
        }

        static KeyWriter ofSample(TenantId tenant) {
            return KeyWriter.ofKind(SAMPLE).tenant(tenant);
        }

        private static byte[] sampledIn(Bytes key, TenantId tenant) {
            return Arrays.copyOfRange(key.get(), TENANT_AT + Short.BYTES + tenant.bytes().length + Long.BYTES,
                    key.get().length);
        }

        /** FNV-1a over the characters, then the finalizer of MurmurHash3, since ids often differ only in their last digits. */
        private static long hashOf(UserId id) {
            long hash = 0xcbf29ce484222325L;
            for (int i = 0; i < id.value().length(); i++) {
                hash = (hash ^ id.value().charAt(i)) * 0x100000001b3L;
            }
            hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
            hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
            return hash ^ hash >>> 33;
        }

        /** Null if the user has no entry there, which means that all longer ones of that kind are elsewhere. */
        static @Nullable Bytes streakOf(TenantId tenant, By by, byte[] key, @Nullable UserState user) {
            if (user == null) {
                return null;
            }
            RankedStreak streak = RankedStreak.of(user, by);
            return streak == null || by == By.LONGEST && streak.length() == user.streak().length()
                    ? null
                    : ofStreaks(tenant, by).ordered(~streak.length()).ordered(streak.extendedAtMs()).bytes(key).toKey();
        }

        static KeyWriter ofStreaks(TenantId tenant, By by) {
            return KeyWriter.ofKind(STREAK).tenant(tenant).letter(by.ordinal());
        }

        private static RankedStreak readStreak(Bytes key, TenantId tenant) {
            byte[] bytes = key.get();
            ByteBuffer streak = ByteBuffer.wrap(bytes).position(streakAt(tenant));
            int length = ~StoreKeys.ordered(streak.getInt());
            long extendedAtMs = StoreKeys.ordered(streak.getLong());
            return new RankedStreak(length, extendedAtMs, UserKey
                    .parse(Arrays.copyOfRange(bytes, streak.position(), bytes.length)).user());
        }

        private static int streakAt(TenantId tenant) {
            return TENANT_AT + Short.BYTES + tenant.bytes().length + 1;
        }

        /** The user of a key of the index; null if the key is another one of the partition's state. */
        static byte @Nullable [] userOf(Bytes key) {
            byte[] bytes = key.get();
            if (bytes[0] != TERM && bytes[0] != ACTIVE && bytes[0] != CREATED && bytes[0] != STREAK
                    && bytes[0] != SAMPLE) {
                return null;
            }
            var tenant = new TenantId(StoreKeys.readText(ByteBuffer.wrap(bytes).position(TENANT_AT)));
            return switch (bytes[0]) {
                case TERM -> readTerm(key, tenant).user();
                case ACTIVE -> readActive(key, tenant).user();
                case SAMPLE -> sampledIn(key, tenant);
                case STREAK -> new UserKey(tenant, readStreak(key, tenant).user()).bytes();
                default -> readCreated(key, tenant).user();
            };
        }
    }
}
