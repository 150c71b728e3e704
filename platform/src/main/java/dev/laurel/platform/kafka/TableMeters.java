package dev.laurel.platform.kafka;

import dev.laurel.platform.metrics.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import io.micrometer.core.instrument.Tags;

/** Registers the meters of the followed topics: the position of this process and the newest ruleset version. */
public final class TableMeters {

    private static final MeterName POSITION = MeterName.of("laurel.table.position",
            "Offset after the last record that was read of a followed topic; equal in all processes within a second.");
    private static final MeterName RULESET_VERSION = MeterName.of("laurel.ruleset.version",
            "Newest version of the ruleset without a tenant that is known here; 0 before the first.");

    private TableMeters() {}

    public static void register(MeterScope meters, RulesetTable rulesets, AccessTable access,
            GenerationTable generations) {
        meters.gauge(POSITION, Tags.of("topic", Topics.RULESETS.name()), rulesets::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.ACCESS.name()), access::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.GENERATIONS.name()), generations::position);
        meters.gauge(RULESET_VERSION, Tags.empty(), () -> rulesets.newest(TenantId.NONE).version());
    }
}
