package dev.laurel.processors.stream;

import dev.laurel.processors.core.user.HistoryWrite;
import dev.laurel.processors.core.user.Outcome;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.store.OwnedIndex;
import dev.laurel.processors.store.PartitionState;
import dev.laurel.processors.store.Timers;
import dev.laurel.processors.store.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Achievement;
import java.util.List;

/**
 * The one place where a user's command or timer changes stores: the user, what lies beside the user, and what is counted of all
 * users. One task, one thread.
 */
final class UserWrites {

    private final UserStores users;
    private final Timers timers;
    private final PartitionState partition;
    private final OwnedIndex owned;
    private final AccountFeed account;

    /** @param account null if nobody asks about all users */
    UserWrites(UserStores users, Timers timers, PartitionState partition, OwnedIndex owned, AccountFeed account) {
        this.users = users;
        this.timers = timers;
        this.partition = partition;
        this.owned = owned;
        this.account = account;
    }

    /** What a command came to. @param before null if the user is new */
    void apply(TenantId tenant, byte[] key, UserState before, Outcome.Applied applied, long atMs) {
        save(tenant, key, before, applied.state(), applied.writes(), applied.completed());
        owned.follow(tenant, key, before, applied.state(), atMs);
        if (applied.isNewUser()) {
            partition.countUser(tenant);
        }
    }

    /** What time alone has brought, or what a command did to the user alone. @param before null if the user is new */
    void save(TenantId tenant, byte[] key, UserState before, UserState state, List<HistoryWrite> writes,
            List<Achievement> completed) {
        users.save(key, state);
        for (HistoryWrite write : writes) {
            users.write(key, write);
        }
        timers.move(key, before == null ? 0 : before.wakeUpMs(), state.wakeUpMs());
        follow(tenant, key, before, state);
        for (Achievement achievement : completed) {
            partition.countCompletion(tenant, achievement.number());
        }
    }

    /** @param last the user as last stored */
    void erase(TenantId tenant, byte[] key, UserState last) {
        users.erase(key);
        timers.move(key, last.wakeUpMs(), 0);
        follow(tenant, key, last, null);
        owned.follow(tenant, key, last, null, 0);
        partition.discountUser(tenant);
        for (int i = 0; i < last.completions().size(); i++) {
            partition.discountCompletion(tenant, last.completions().numberAt(i));
        }
    }

    private void follow(TenantId tenant, byte[] key, UserState before, UserState after) {
        if (account != null) {
            account.change(key, tenant, before, after);
        }
    }
}
