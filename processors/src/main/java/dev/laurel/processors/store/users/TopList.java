package dev.laurel.processors.store.users;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.processors.store.Codec;
import dev.laurel.processors.store.KeyReader;
import dev.laurel.processors.store.KeyWriter;
import dev.laurel.processors.store.StoreKeys;
import dev.laurel.processors.store.StoreScans;
import dev.laurel.schemas.key.UserId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The first of many users in their order: all users above a floor. A list begins without a floor. When it has too many users, the floor
 * rises to the best of those who are then left out. So a change of a user costs a comparison or two, unless the user comes above the
 * floor or falls below it. A stored list has no values: they are in the states of its users. In memory, it has the values that it was
 * told since. Changes are collected in memory; the lists follow from the calls, not from when changes are written.
 *
 * <pre>
 * prefix 0 user    a user of the list
 * prefix 255       the floor
 * </pre>
 *
 * <p>One task, one thread.
 */
public final class TopList {

    static final Codec<Standing> FLOOR = Codec.of("floor of top users", 1, Standing.class);

    /** Memory is released at a commit that finds more. */
    private static final int MAX_LISTS_IN_MEMORY = 10_000;

    private static final int MAX_USERS_IN_MEMORY = 200_000;

    private static final int USER = 0;
    private static final int FLOOR_MARK = 255;

    private final KeyValueStore<Bytes, byte[]> store;
    private final byte[] prefix;
    private final Values values;
    private final Size size;
    private @Nullable Standing floor;
    private boolean isFloorChanged;

    /** With their standings, as far as these are known; null until a user enters or leaves. */
    private @Nullable Map<UserId, @Nullable Standing> members;

    private final Set<UserId> changed = new HashSet<>();

    /** Finds the present standing of a user; null: the user has none in this list. */
    @FunctionalInterface
    public interface Values {

        @Nullable
        Standing of(UserId user);
    }

    /**
     * The size of lists.
     *
     * @param max users
     * @param kept when a list has more
     */
    public record Size(int max, int kept) {}

    /** @param prefix of its keys */
    public TopList(KeyValueStore<Bytes, byte[]> store, byte[] prefix, Values values, Size size) {
        this.store = store;
        this.prefix = prefix;
        this.values = values;
        this.size = size;
        this.floor = FLOOR.get(store, floorKey(prefix));
    }

    private static Bytes floorKey(byte[] prefix) {
        return new KeyWriter(prefix.length + 1).bytes(prefix).letter(FLOOR_MARK).toKey();
    }

    private Bytes key(UserId user) {
        return new KeyWriter()
                .bytes(prefix)
                .letter(USER)
                .bytes(user.value().getBytes(UTF_8))
                .toKey();
    }

    /** Whether a key is that of the floor. @param prefixLength of the list */
    static boolean isFloor(Bytes key, int prefixLength) {
        return key.get()[prefixLength] == (byte) FLOOR_MARK;
    }

    /** The user of a key that is not that of the floor. @param prefixLength of the list */
    static UserId userOf(Bytes key, int prefixLength) {
        return new UserId(new KeyReader(key, prefixLength + 1).restText());
    }

    public boolean hasFloor() {
        return floor != null;
    }

    public boolean isAboveFloor(Standing standing) {
        return floor == null || standing.compareTo(floor) < 0;
    }

    private Map<UserId, @Nullable Standing> members() {
        if (members == null) {
            members = new HashMap<>();
            StoreScans.read(
                            store,
                            new KeyWriter(prefix.length + 1)
                                    .bytes(prefix)
                                    .letter(USER)
                                    .toBytes(),
                            StoreScans.ALL,
                            entry -> userOf(entry.key, prefix.length))
                    .forEach(user -> members.put(user, null));
        }
        return members;
    }

    /** The number of users. */
    public int count() {
        return members().size();
    }

    boolean contains(UserId user) {
        return members().containsKey(user);
    }

    /** Takes note of the standing of a user who stays. @param standing null: unknown */
    public void follow(UserId user, @Nullable Standing standing) {
        if (members != null) {
            members.replace(user, standing);
        }
    }

    /** Adds a user above the floor. @return the users who are left out, since the floor has risen */
    public List<UserId> add(Standing standing) {
        Map<UserId, @Nullable Standing> all = members();
        UserId user = standing.user();
        if (!all.containsKey(user)) {
            changed.add(user);
        }
        all.put(user, standing);
        return all.size() > size.max ? raiseFloor(all) : List.of();
    }

    public void remove(UserId user) {
        if (members().keySet().remove(user)) {
            changed.add(user);
        }
    }

    private List<UserId> raiseFloor(Map<UserId, @Nullable Standing> all) {
        var ranked = new ArrayList<Standing>(all.size());
        all.forEach((user, known) -> {
            Standing standing = known == null ? values.of(user) : known;
            if (standing != null) {
                ranked.add(standing);
            }
        });
        List<UserId> before = List.copyOf(all.keySet());
        keepBest(ranked);
        return before.stream().filter(user -> !all.containsKey(user)).toList();
    }

    /**
     * Makes the list that of the best of all users.
     *
     * @param all users with a standing, of whom none is left out
     * @return those who are new
     */
    public List<Standing> refill(Collection<Standing> all) {
        Set<UserId> before = Set.copyOf(members().keySet());
        keepBest(new ArrayList<>(all));
        return members().values().stream()
                .map(standing -> requireNonNull(standing, "all are known"))
                .filter(standing -> !before.contains(standing.user()))
                .sorted()
                .toList();
    }

    private void keepBest(List<Standing> ranked) {
        Map<UserId, @Nullable Standing> all = members();
        Collections.sort(ranked);
        var former = new HashSet<>(all.keySet());
        all.clear();
        for (Standing standing : ranked.subList(0, Math.min(size.kept, ranked.size()))) {
            all.put(standing.user(), standing);
            if (!former.remove(standing.user())) {
                changed.add(standing.user());
            }
        }
        changed.addAll(former);
        Standing next = ranked.size() > size.kept ? ranked.get(size.kept) : null;
        if (next != null || floor != null) {
            floor = next;
            isFloorChanged = true;
        }
    }

    /** Writes what has changed in lists. @return whether they take so much memory that the caller forgets them */
    public static boolean write(Collection<TopList> lists) {
        int inMemory = 0;
        for (TopList list : lists) {
            list.write();
            inMemory += list.members == null ? 0 : list.members.size();
        }
        return inMemory > MAX_USERS_IN_MEMORY || lists.size() > MAX_LISTS_IN_MEMORY;
    }

    /**
     * Writes what has changed. The floor comes first, and readers read it last, so that they see one that is too high rather than too
     * low.
     */
    private void write() {
        if (isFloorChanged) {
            store.put(floorKey(prefix), floor == null ? null : FLOOR.encode(floor));
            isFloorChanged = false;
        }
        for (UserId user : changed) {
            store.put(key(user), contains(user) ? StoreKeys.PRESENT : null);
        }
        changed.clear();
    }
}
