package dev.laurel.processors.store.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Finds users of one partition by the beginnings of their ids and search terms, by the day of their last event, by the time of their
 * creation, and by the length of their streak. Any thread. The task may write meanwhile: an entry may name a user who no longer exists, or
 * no longer has the term or the day.
 */
public final class UserIndexReader {

    /** The order of {@link #sample}: by a hash of the id, so that the first users are like those of any partition. */
    public static final Comparator<UserId> SAMPLE_ORDER =
            Comparator.comparingLong(UserIndexKeys::hashOf).thenComparing(Comparator.naturalOrder());

    private static final byte[] NOBODY = {};
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
        return StoreScans.next(
                store,
                UserIndexKeys.termsWith(tenant, prefix),
                after == null ? null : UserIndexKeys.term(tenant, after.term, after.user),
                limit,
                entry -> UserIndexKeys.readTerm(entry.key));
    }

    /**
     * The next users by the day of their last event, newest first, then by key, at most {@code limit}.
     *
     * @param day the newest day wanted
     * @param after a user of that day, whom those of that day follow; null: from the first
     */
    public List<Active> active(TenantId tenant, int day, byte @Nullable [] after, int limit) {
        return StoreScans.next(
                store,
                UserIndexKeys.ofKind(UserIndexKeys.ACTIVE, tenant).toBytes(),
                UserIndexKeys.active(tenant, day, after == null ? NOBODY : after),
                limit,
                entry -> UserIndexKeys.readActive(entry.key));
    }

    /** The next users by the time of their creation, newest first, then by key, at most {@code limit}. @param after null: from the first */
    public List<Created> created(TenantId tenant, @Nullable Created after, int limit) {
        return StoreScans.next(
                store,
                UserIndexKeys.ofKind(UserIndexKeys.CREATED, tenant).toBytes(),
                after == null ? null : UserIndexKeys.created(tenant, after.createdMs, after.user),
                limit,
                entry -> UserIndexKeys.readCreated(entry.key));
    }

    /** The first users in the order of a sample, at most {@code limit}. */
    public List<UserId> sample(TenantId tenant, int limit) {
        return StoreScans.read(
                store,
                UserIndexKeys.ofKind(UserIndexKeys.SAMPLE, tenant).toBytes(),
                limit,
                entry -> UserKey.parse(requireNonNull(UserIndexKeys.userOf(entry.key)))
                        .user());
    }

    /**
     * The longest streaks as they are stored, in their order, at most {@code limit}. Streaks that are the longest of their users are among
     * the active ones only.
     */
    public List<RankedStreak> streaks(TenantId tenant, By by, int limit) {
        List<RankedStreak> found = StoreScans.read(
                store,
                UserIndexKeys.ofStreaks(tenant, by).toBytes(),
                limit,
                entry -> UserIndexKeys.readStreak(entry.key));
        if (by == By.ACTIVE) {
            return found;
        }
        var best = new TreeMap<UserId, RankedStreak>();
        streaks(tenant, By.ACTIVE, limit)
                .forEach(streak -> best.put(streak.user(), new RankedStreak(streak.length(), 0, streak.user())));
        found.forEach(streak -> best.put(streak.user(), streak));
        return best.values().stream()
                .sorted(RankedStreak.BEST_FIRST)
                .limit(limit)
                .toList();
    }

    /**
     * The next users whose ids begin with a text, in the order of their keys, at most {@code limit}.
     *
     * @param prefix empty: all users of the tenant
     * @param after the user key's bytes of the user whom they follow, who need not exist; null: from the first
     */
    public List<UserState> withId(TenantId tenant, String prefix, byte @Nullable [] after, int limit) {
        byte[] first =
                prefix.isEmpty() ? TenantUsers.prefixOf(tenant) : new UserKey(tenant, new UserId(prefix)).bytes();
        Bytes from = after == null || Arrays.compareUnsigned(after, first) < 0
                ? Bytes.wrap(first)
                : StoreKeys.after(Bytes.wrap(after));
        var found = new ArrayList<UserState>();
        while (from != null && found.size() < limit) {
            UserStores.Page<UserState> page = TenantUsers.page(
                    users, tenant, first, from, limit - found.size(), entry -> UserCodecs.USER.decode(entry.value));
            found.addAll(page.users());
            from = page.next();
        }
        return found;
    }

    /** Null if the user is unknown. @param user the user key's bytes */
    public @Nullable UserState user(byte[] user) {
        return UserCodecs.USER.get(users, Bytes.wrap(user));
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
        static final char ACTIVE = 'a';
        static final char CREATED = 'c';
        private static final char STREAK = 'z';
        static final char SAMPLE = 'm';
        private static final int TENANT_AT = 1;

        private UserIndexKeys() {}

        /** The date of a user's last event in UTC, in days since 1970; {@link #NEVER} if there was none. */
        public static int dayOf(UserState user) {
            return user.lastEventMs() == UserState.NO_EVENT
                    ? NEVER
                    : Math.toIntExact(Math.floorDiv(user.lastEventMs(), LocalDays.MS_PER_DAY));
        }

        static KeyWriter ofKind(char kind, TenantId tenant) {
            return KeyWriter.ofKind(kind).tenant(tenant);
        }

        /** Begins the keys of terms that begin with a text. */
        static byte[] termsWith(TenantId tenant, String text) {
            return ofKind(TERM, tenant).bytes(text.getBytes(UTF_8)).toBytes();
        }

        static Bytes term(TenantId tenant, String term, byte[] user) {
            return ofKind(TERM, tenant)
                    .bytes(term.getBytes(UTF_8))
                    .letter(0)
                    .bytes(user)
                    .toKey();
        }

        static Bytes active(TenantId tenant, int day, byte[] user) {
            return ofKind(ACTIVE, tenant).ordered(~day).bytes(user).toKey();
        }

        static Bytes created(TenantId tenant, long createdMs, byte[] user) {
            return ofKind(CREATED, tenant).ordered(~createdMs).bytes(user).toKey();
        }

        static Bytes sample(TenantId tenant, UserId id, byte[] user) {
            return ofKind(SAMPLE, tenant).ordered(hashOf(id)).bytes(user).toKey();
        }

        private static KeyReader read(Bytes key) {
            return KeyReader.behindTenant(key, TENANT_AT);
        }

        private static Created readCreated(Bytes key) {
            KeyReader in = read(key);
            return new Created(~in.orderedLong(), in.rest());
        }

        private static Term readTerm(Bytes key) {
            byte[] rest = read(key).rest();
            int zero = 0;
            while (rest[zero] != 0) {
                zero++;
            }
            return new Term(new String(rest, 0, zero, UTF_8), Arrays.copyOfRange(rest, zero + 1, rest.length));
        }

        private static Active readActive(Bytes key) {
            KeyReader in = read(key);
            return new Active(~in.orderedInt(), in.rest());
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
        static @Nullable Bytes streakOf(TenantId tenant, By by, byte[] key, UserState user) {
            RankedStreak streak = RankedStreak.of(user, by);
            return streak == null
                            || by == By.LONGEST
                                    && streak.length() == user.streak().length()
                    ? null
                    : ofStreaks(tenant, by)
                            .ordered(~streak.length())
                            .ordered(streak.extendedAtMs())
                            .bytes(key)
                            .toKey();
        }

        static KeyWriter ofStreaks(TenantId tenant, By by) {
            return KeyWriter.ofKind(STREAK).tenant(tenant).letter(by.ordinal());
        }

        private static RankedStreak readStreak(Bytes key) {
            KeyReader in = read(key).skip(1);
            return new RankedStreak(
                    ~in.orderedInt(), in.orderedLong(), UserKey.parse(in.rest()).user());
        }

        /** The user of a key of the index; null if the key is another one of the partition's state. */
        static byte @Nullable [] userOf(Bytes key) {
            return switch (key.get()[0]) {
                case TERM -> readTerm(key).user();
                case ACTIVE -> readActive(key).user();
                case CREATED, SAMPLE -> readCreated(key).user();
                case STREAK -> read(key).skip(1 + Integer.BYTES + Long.BYTES).rest();
                default -> null;
            };
        }
    }

    /**
     * Maintains the index that {@link UserIndexReader} reads. It derives the index from the states of users before and after each change,
     * so that the index follows from the log as the states do. A command changes it only if it changes name or email, or is the user's
     * first event on a date in UTC, or if it changes the streak. One thread.
     */
    public static final class Writer {

        private final KeyValueStore<Bytes, byte[]> store;

        /** @param partitionState the store that contains the index */
        public Writer(KeyValueStore<Bytes, byte[]> partitionState) {
            this.store = partitionState;
        }

        /**
         * Updates the index. Most commands cost four comparisons here.
         *
         * @param before null for a new user
         * @param after null for an erased user
         */
        public void follow(TenantId tenant, byte[] user, @Nullable UserState before, @Nullable UserState after) {
            if (before == null || after == null) {
                replace(before, after, state -> UserIndexKeys.created(tenant, state.createdMs(), user));
                replace(before, after, state -> UserIndexKeys.sample(tenant, state.id(), user));
            }
            if (before == null || after == null || UserIndexKeys.dayOf(before) != UserIndexKeys.dayOf(after)) {
                replace(before, after, state -> UserIndexKeys.active(tenant, UserIndexKeys.dayOf(state), user));
            }
            if (before == null || after == null || !RankedStreak.areSame(before, after)) {
                for (By by : By.values()) {
                    replace(before, after, state -> UserIndexKeys.streakOf(tenant, by, user, state));
                }
            }
            if (before == null || after == null || !SearchTerms.areSame(before.profile(), after.profile())) {
                Set<String> had = before == null ? Set.of() : SearchTerms.of(before.profile());
                Set<String> has = after == null ? Set.of() : SearchTerms.of(after.profile());
                replace(had, has, tenant, user);
            }
        }

        private void replace(Set<String> had, Set<String> has, TenantId tenant, byte[] user) {
            for (String term : had) {
                if (!has.contains(term)) {
                    remove(UserIndexKeys.term(tenant, term, user));
                }
            }
            for (String term : has) {
                if (!had.contains(term)) {
                    store.put(UserIndexKeys.term(tenant, term, user), StoreKeys.PRESENT);
                }
            }
        }

        /** Replaces an entry that follows from the state of the user. @param keyOf null: the user has no entry there */
        private void replace(
                @Nullable UserState before, @Nullable UserState after, Function<UserState, @Nullable Bytes> keyOf) {
            Bytes from = before == null ? null : keyOf.apply(before);
            Bytes to = after == null ? null : keyOf.apply(after);
            if (!Objects.equals(from, to)) {
                // In this order, readers find the user once at least.
                if (to != null) {
                    store.put(to, StoreKeys.PRESENT);
                }
                if (from != null) {
                    remove(from);
                }
            }
        }

        /** Deletes an entry without reading it, as {@code delete} would. */
        private void remove(Bytes key) {
            store.put(key, null);
        }
    }
}
