package dev.laurel.processors.simulation;

import dev.laurel.processors.StatisticsFigures;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;

/** What is kept of all users equals a recount of them. */
final class AccountCheck implements Check {

    @Override
    public void after(World world, World.Turn turn) {
        var users = new ArrayList<UserState>();
        world.ledger().reader().forEachUser(TenantId.NONE, users::add);
        Checks.equal("what is kept of all users differs from a recount", StatisticsFigures.recounted(users),
                StatisticsFigures.shown(world.ledger().account(), TenantId.NONE, users), users.size() + " users");
    }
}
