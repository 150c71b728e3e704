package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.TenantId;
import java.util.List;

/**
 * What {@code laurel.generations} says of a generation.
 *
 * @param log the topic that it folds
 * @param rules whose rules are others than those of the time; usually nobody's
 * @param handover where it came into force, by partition of its log: from the record at that offset on it tells of what
 *        happens, and the generation before it does not. Null before that
 */
public record GenerationRecord(int number, State state, String log, List<AsIf> rules, List<Long> handover) {

    /** Steps in the life of a generation. One that is given up goes from anywhere to {@link #OVER}. */
    public enum State {
        /** A shadow folds the log; nodes have nothing to do with it. */
        BUILDING,
        /** Nodes fold the log with it, too, and show nothing of it. */
        FOLLOWED,
        /** Nodes show it, and it tells. The one with the highest number is meant, if there are several. */
        IN_FORCE,
        /** Nobody runs it any more. */
        OVER
    }

    /** A tenant's rules of this version hold for everything before it, too, as if they had always been in force. */
    public record AsIf(TenantId tenant, long version) {}

    /** What holds where nothing was ever written. */
    public static final GenerationRecord FIRST = new GenerationRecord(Generation.FIRST.number(), State.IN_FORCE,
            Generation.FIRST.log(), List.of(), null);

    public GenerationRecord {
        rules = rules == null ? List.of() : List.copyOf(rules);
        handover = handover == null ? null : List.copyOf(handover);
    }

    public Generation generation() {
        return new Generation(number, log);
    }

    /** The same generation, a step further. */
    public GenerationRecord in(State next) {
        return new GenerationRecord(number, next, log, rules, handover);
    }

    /** The same generation, in force. @param at offsets of its markers, by partition */
    public GenerationRecord inForce(List<Long> at) {
        return new GenerationRecord(number, State.IN_FORCE, log, rules, at);
    }
}
