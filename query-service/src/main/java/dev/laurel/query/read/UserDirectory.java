package dev.laurel.query.read;

import dev.laurel.query.question.ListUsers;
import dev.laurel.query.question.Nodes;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.wire.UserBody;
import java.util.List;
import java.util.Locale;

/**
 * All users of a tenant for the operator (admin-api.md B7). Goes through all of them, at a cost that grows with their number,
 * and holds no more than the page and what is before it. Thread-safe; knows no HTTP.
 */
public final class UserDirectory {

    /** Further down, a search finds a user sooner. */
    public static final int MAX_SKIP = 10_000;

    private final Nodes nodes;

    public UserDirectory(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Users, newest first.
     *
     * @param search what id, name or email contains, in any case; empty: anything
     * @param skip {@link #MAX_SKIP} at most
     */
    public List<UserBody> list(TenantId tenant, String search, int skip, int limit) {
        var newest = nodes.ask(new ListUsers(tenant, search.toLowerCase(Locale.ROOT), skip + limit));
        return newest.users().stream().skip(skip).toList();
    }
}
