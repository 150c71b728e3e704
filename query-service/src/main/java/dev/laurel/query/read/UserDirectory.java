package dev.laurel.query.read;

import dev.laurel.processors.core.user.Profile;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.query.locate.Partitions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.wire.UserBody;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;

/**
 * All users of a tenant for the operator (admin-api.md B7). Goes through all of them, at a cost that grows with their number,
 * and holds no more than the page and what is before it. Thread-safe; knows no HTTP.
 */
public final class UserDirectory {

    /** Further down, a search finds a user sooner. */
    public static final int MAX_SKIP = 10_000;

    private static final Comparator<UserBody> NEWEST_FIRST = Comparator.comparing(UserBody::created).reversed()
            .thenComparing(UserBody::id);

    private final Partitions partitions;

    public UserDirectory(Partitions partitions) {
        this.partitions = partitions;
    }

    /**
     * Users, newest first.
     *
     * @param search what id, name or email contains, in any case; empty: anything
     * @param skip {@link #MAX_SKIP} at most
     */
    public List<UserBody> list(TenantId tenant, String search, int skip, int limit) {
        String wanted = search.toLowerCase(Locale.ROOT);
        var page = new PriorityQueue<>(NEWEST_FIRST.reversed());
        partitions.readAll(reader -> {
            reader.forEachUser(tenant, user -> {
                if (matches(user, wanted) && (page.size() < skip + limit
                        || user.createdMs() >= page.peek().created().toEpochMilli())) {
                    page.add(Bodies.user(user));
                    if (page.size() > skip + limit) {
                        page.poll();
                    }
                }
            });
            return page;
        });
        return page.stream().sorted(NEWEST_FIRST).skip(skip).toList();
    }

    private static boolean matches(UserState user, String wanted) {
        Profile profile = user.profile();
        return wanted.isEmpty() || contains(user.id().value(), wanted) || contains(profile.name(), wanted)
                || contains(profile.email(), wanted);
    }

    private static boolean contains(String text, String wanted) {
        return text != null && text.toLowerCase(Locale.ROOT).contains(wanted);
    }
}
