package dev.laurel.deploy.roles;

import static dev.laurel.platform.kafka.KafkaClients.TIMEOUT;

import dev.laurel.platform.access.AccessKeys;
import dev.laurel.platform.access.AccessKeys.SignedKeyUses;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.KeyUses;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.platform.kafka.TableFolder;
import dev.laurel.platform.kafka.TopicTable;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import io.micrometer.core.instrument.Tags;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compacted topics that every process follows: rulesets, keys and tenants, generations. Also records which keys
 * are used.
 */
record FollowedTables(
        RulesetTable rulesets,
        AccessTable access,
        GenerationTable generations,
        KeyUses uses,
        SignedKeyUses signedUses) {

    private static final MeterName POSITION = MeterName.of(
            "laurel.table.position",
            "Offset after the last record that was read of a followed topic; equal in all processes within a second.");
    private static final Logger LOG = LoggerFactory.getLogger(FollowedTables.class);

    /** Virtual time is that of users, not of keys. */
    private static final InstantSource CLOCK = InstantSource.system();

    /**
     * Returns after all existing records have been read.
     *
     * @param path folder in which the process finds its tables again; null: a temporary one
     * @throws CommandFailed if another process uses the folder, or the topics cannot be read
     */
    static FollowedTables start(RoleProcess process, @Nullable Path path) throws InterruptedException {
        var client = process.kafka().clientProperties();
        TableFolder folder = process.parts().add(path == null ? TableFolder.temporary() : TableFolder.at(path));
        var rulesets = followed(process, new RulesetTable(Topics.RULESETS, client, folder, process.fault()::complete));
        var access = followed(process, new AccessTable(Topics.ACCESS, client, folder, process.fault()::complete));
        var generations = followed(process, new GenerationTable(client, process.fault()::complete));
        for (var table : List.of(rulesets, access, generations)) {
            table.awaitCaughtUp(TIMEOUT);
        }
        var uses = process.parts().add(new KeyUses(client, access.index(), process.clock()));
        uses.start();
        if (access.index().isMultiTenant()
                && access.index().firstTenant() == null
                && rulesets.newestVersion(TenantId.NONE) > 0) {
            LOG.warn("Rules and users without a tenant cannot be reached. PATCH /admin/v1/settings without Tenant-ID"
                    + " and with multiTenancyEnabled: true and a firstTenant gives them one");
        }
        registerMeters(process.parts().add(process.metrics().scope()), rulesets, access, generations);
        return new FollowedTables(rulesets, access, generations, uses, new SignedKeyUses(CLOCK));
    }

    private static void registerMeters(
            MeterScope meters, RulesetTable rulesets, AccessTable access, GenerationTable generations) {
        meters.gauge(POSITION, Tags.of("topic", Topics.RULESETS.name()), rulesets::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.ACCESS.name()), access::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.GENERATIONS.name()), generations::position);
        meters.counter(
                "laurel.ruleset.version.reads",
                "Reads of earlier versions of rulesets from Kafka by this process, for old commands, the history and"
                        + " what names them.",
                rulesets::reads);
        meters.gauge(
                "laurel.ruleset.version",
                "Newest known version of the ruleset without a tenant; 0 before the first version.",
                () -> rulesets.newestVersion(TenantId.NONE));
    }

    private static <T extends TopicTable<?, ?>> T followed(RoleProcess process, T table) {
        process.parts().add(table).start();
        return table;
    }

    /** Returns the keys that may call this process; the use of stored keys is recorded. */
    AccessKeys keys() {
        return new AccessKeys(access.index(), rulesets, uses::used, signedUses::used, CLOCK);
    }
}
