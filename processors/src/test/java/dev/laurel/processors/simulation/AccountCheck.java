package dev.laurel.processors.simulation;

import dev.laurel.core.user.UserState;
import dev.laurel.processors.StatisticsFigures;
import dev.laurel.schemas.key.TenantId;
import java.util.ArrayList;

/** The statistics of all users equal a recount. */
final class AccountCheck implements Check {

    @Override
    public void after(World world, World.Turn turn) {
        var users = new ArrayList<UserState>();
        world.ledger().reader().forEachUser(TenantId.NONE, users::add);
        Checks.equal(
                "the statistics of all users differ from a recount",
                StatisticsFigures.recounted(users),
                StatisticsFigures.shown(world.ledger().reader(), world.ledger().counters(), users),
                users.size() + " users");
    }
}
