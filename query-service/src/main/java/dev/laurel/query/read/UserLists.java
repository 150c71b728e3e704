package dev.laurel.query.read;

import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.ListUsers;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.wire.UserBody;
import java.util.List;
import java.util.Locale;

/**
 * Lists the users of a tenant for the operator (docs/admin-api.md B7). It reads all of them, at a cost that grows with their number,
 * and holds no more than the page and what precedes it. Thread-safe.
 */
public final class UserLists {

    /** The largest offset; a search finds older users. */
    public static final int MAX_SKIP = 10_000;

    private final Nodes nodes;

    public UserLists(Nodes nodes) {
        this.nodes = nodes;
    }

    /**
     * Users, newest first.
     *
     * @param search a text that id, name or email contains, in any case; empty for all users
     * @param skip {@link #MAX_SKIP} at most
     */
    public List<UserBody> list(TenantId tenant, String search, int skip, int limit) {
        var newest = nodes.ask(new ListUsers(tenant, search.toLowerCase(Locale.ROOT), skip + limit));
        return newest.users().stream().skip(skip).toList();
    }
}
