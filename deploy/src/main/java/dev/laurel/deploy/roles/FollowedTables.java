package dev.laurel.deploy.roles;

import dev.laurel.schemas.http.AccessKeys;
import dev.laurel.schemas.http.ApiKeys;
import dev.laurel.schemas.topic.AccessTable;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.KeyUses;
import dev.laurel.schemas.topic.RulesetTable;
import dev.laurel.schemas.topic.TableMeters;

/** The small topics that every process follows: the rulesets, and who may call; and where it notes which keys were used. */
public final class FollowedTables {

    private final RulesetTable rulesets;
    private final AccessTable access;
    private final KeyUses uses;
    private final GenerationTable generations;

    private FollowedTables(RulesetTable rulesets, AccessTable access, KeyUses uses,
            GenerationTable generations) {
        this.rulesets = rulesets;
        this.access = access;
        this.uses = uses;
        this.generations = generations;
    }

    /** @return when everything has been read that was there */
    public static FollowedTables start(RoleProcess process) throws InterruptedException {
        var client = process.kafka().client();
        var rulesets = process.parts().add(new RulesetTable(client, process.fault()::complete));
        rulesets.start();
        rulesets.awaitCaughtUp(RoleProcess.TABLE_TIMEOUT);
        var access = process.parts().add(new AccessTable(client, process.fault()::complete));
        access.start();
        access.awaitCaughtUp(RoleProcess.TABLE_TIMEOUT);
        var uses = process.parts().add(new KeyUses(client, access.book(), process.clock()));
        uses.start();
        var generations = process.parts().add(new GenerationTable(client, process.fault()::complete));
        generations.start();
        generations.awaitCaughtUp(RoleProcess.TABLE_TIMEOUT);
        TableMeters.register(process.parts().add(process.metrics().scope()), rulesets, access, generations);
        return new FollowedTables(rulesets, access, uses, generations);
    }

    public RulesetTable rulesets() {
        return rulesets;
    }

    public AccessTable access() {
        return access;
    }

    public GenerationTable generations() {
        return generations;
    }

    /** Who may call this process; what they call with is noted as used. */
    ApiKeys keys() {
        return new AccessKeys(access.book(), rulesets, uses::used);
    }
}
