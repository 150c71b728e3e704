package dev.laurel.deploy.tools.doctor.facts;

import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.GenerationRecord;
import dev.laurel.schemas.topic.GenerationRecord.State;
import dev.laurel.schemas.topic.GenerationTable;
import java.util.Comparator;
import java.util.List;

/**
 * What {@code laurel.generations} says.
 *
 * @param inForce the one that is
 * @param unfinished those that are not in force yet, or into whose log another one is still copied; by number
 */
public record GenerationFacts(Generation inForce, List<GenerationRecord> unfinished) {

    /** Where nothing was ever promoted. */
    public static final GenerationFacts FIRST = new GenerationFacts(Generation.FIRST, List.of());

    public GenerationFacts {
        unfinished = List.copyOf(unfinished);
    }

    /** @param table caught up */
    public static GenerationFacts of(GenerationTable table) {
        return new GenerationFacts(table.inForce().generation(),
                table.all().values().stream().filter(GenerationFacts::isUnfinished)
                        .sorted(Comparator.comparingInt(GenerationRecord::number)).toList());
    }

    private static boolean isUnfinished(GenerationRecord record) {
        return record.needsCopying() || switch (record.state()) {
            case State.BUILDING, State.FOLLOWED, State.PROMOTED -> true;
            case State.IN_FORCE, State.OVER -> false;
        };
    }
}
