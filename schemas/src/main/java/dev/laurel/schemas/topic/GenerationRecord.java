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
 * @param ends where the generation before it tells its last, by partition of that one's log; null where it is the same log,
 *        and before that
 * @param copiedFrom the topic that is copied into its log, while that goes on; else null
 */
public record GenerationRecord(int number, State state, String log, List<AsIf> rules, List<Long> handover,
        List<Long> ends, String copiedFrom) {

    /** Steps in the life of a generation. One that is given up goes from anywhere before its promotion to {@link #OVER}. */
    public enum State {
        /** A shadow folds the log; nodes have nothing to do with it but to copy the log, where it has one of its own. */
        BUILDING,
        /** Nodes fold the log with it, too, and show nothing of it. */
        FOLLOWED,
        /**
         * Only where it has a log of its own: the markers stand in the former one. Nodes copy them, find them and say where
         * they are; nothing is written to its log before that.
         */
        PROMOTED,
        /** Nodes show it, and it tells. The one with the highest number is meant, if there are several. */
        IN_FORCE,
        /** Nobody runs it any more. */
        OVER
    }

    /** A tenant's rules of this version hold for everything before it, too, as if they had always been in force. */
    public record AsIf(TenantId tenant, long version) {}

    /** What holds where nothing was ever written. */
    public static final GenerationRecord FIRST = new GenerationRecord(Generation.FIRST.number(), State.IN_FORCE,
            Generation.FIRST.log(), List.of(), null, null, null);

    public GenerationRecord {
        rules = rules == null ? List.of() : List.copyOf(rules);
        handover = handover == null ? null : List.copyOf(handover);
        ends = ends == null ? null : List.copyOf(ends);
    }

    /** One that is to be built. @param copiedFrom null: it folds a log that there is */
    public static GenerationRecord claimed(Generation generation, List<AsIf> rules, String copiedFrom) {
        return new GenerationRecord(generation.number(), State.BUILDING, generation.log(), rules, null, null,
                copiedFrom);
    }

    public Generation generation() {
        return new Generation(number, log);
    }

    /** Whether it comes into force sooner or later, or has: nobody can give it up any more. */
    public boolean hasBeenPromoted() {
        return handover != null || ends != null;
    }

    /** Where the generation before it tells its last, by partition of that one's log; null while that is not decided. */
    public List<Long> endsOfFormer() {
        return ends == null ? handover : ends;
    }

    /** Whether what is written to the former log is copied into its own. */
    public boolean needsCopying() {
        return copiedFrom != null && (state != State.OVER || hasBeenPromoted());
    }

    /** The same generation, a step further. */
    public GenerationRecord in(State next) {
        return new GenerationRecord(number, next, log, rules, handover, ends, copiedFrom);
    }

    /** The same generation, in force. @param at offsets of its markers, by partition */
    public GenerationRecord inForce(List<Long> at) {
        return new GenerationRecord(number, State.IN_FORCE, log, rules, at, ends, copiedFrom);
    }

    /** The same generation, promoted. @param at offsets of its markers in the former log, by partition */
    public GenerationRecord promoted(List<Long> at) {
        return new GenerationRecord(number, State.PROMOTED, log, rules, null, at, copiedFrom);
    }

    /** The same generation, with a log into which nothing is copied any more. */
    public GenerationRecord notCopied() {
        return new GenerationRecord(number, state, log, rules, handover, ends, null);
    }
}
