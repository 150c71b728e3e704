package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;

/** How far a process follows the small topics that all of them follow. */
public final class TableMeters {

    private static final MeterName POSITION = MeterName.of("laurel.table.position",
            "Offset behind the last record taken in of a small topic: the same in all processes within a second.");
    private static final MeterName RULESET_VERSION = MeterName.of("laurel.ruleset.version",
            "Newest version known here of the ruleset that is no tenant's; 0 before the first.");

    private TableMeters() {}

    public static void register(MeterScope meters, RulesetTable rulesets, AccessTable access,
            GenerationTable generations) {
        meters.gauge(POSITION, Tags.of("topic", Topics.RULESETS.name()), rulesets::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.ACCESS.name()), access::position);
        meters.gauge(POSITION, Tags.of("topic", Topics.GENERATIONS.name()), generations::position);
        meters.gauge(RULESET_VERSION, Tags.empty(), () -> rulesets.newest(TenantId.NONE).version());
    }
}
