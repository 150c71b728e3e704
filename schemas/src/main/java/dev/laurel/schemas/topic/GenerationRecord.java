package dev.laurel.schemas.topic;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.kind.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a generation in {@code laurel.generations}.
 *
 * @param log the topic that the generation folds
 * @param rules rulesets that also apply to earlier commands of their tenants; usually empty
 * @param handover offsets of the generation's markers in its log, by partition. From these records on it publishes output, and the
 *         former generation does not. If the former one had stores of another form, the markers may come later. Null: it is not in
 *         force yet
 * @param ends offsets of its markers in the former log, by partition, at which the former generation stops publishing. Null: both fold
 *         the same log, or it has not been promoted yet
 * @param copiedFrom the topic that is being copied into its log; null: none is
 * @param replay number of the replay that builds it; null: none does
 * @param stateForm form of its stores; null: the first one, or it has no stores yet
 */
public record GenerationRecord(
        int number,
        State state,
        String log,
        List<AsIf> rules,
        @Nullable List<Long> handover,
        @Nullable List<Long> ends,
        @Nullable String copiedFrom,
        @Nullable Integer replay,
        @Nullable Integer stateForm) {

    /** The states of a generation. A generation that is abandoned, which is possible before its promotion, becomes {@link #OVER}. */
    public enum State {
        /** A shadow folds the log. Nodes only copy the log, if the generation has its own. */
        BUILDING,
        /** Nodes also fold the log with this generation, but do not serve its state. */
        FOLLOWED,
        /**
         * Only for a generation with its own log: the markers are in the former log. Nodes copy the markers and report
         * their offsets; until then, only the copier writes to the new log.
         */
        PROMOTED,
        /**
         * Nodes serve its state, and it publishes output. If several generations have this state, the one with the
         * highest number is in force.
         */
        IN_FORCE,
        /** No process runs this generation any more. */
        OVER;

        /** Whether the generation is being built or promoted, and has neither come into force nor been given up. */
        public boolean isUnderWay() {
            return compareTo(IN_FORCE) < 0;
        }
    }

    /** Applies a version of a tenant's ruleset also to all commands before it. */
    public record AsIf(TenantId tenant, long version) {}

    /** The record of the first generation, which applies while the topic is empty. */
    public static final GenerationRecord FIRST = new GenerationRecord(
            Generation.FIRST.number(), State.IN_FORCE, Generation.FIRST.log(), List.of(), null, null, null, null, null);

    public GenerationRecord {
        rules = Records.listOf(rules);
        handover = handover == null ? null : List.copyOf(handover);
        ends = ends == null ? null : List.copyOf(ends);
    }

    /**
     * The record of a generation that is to be built.
     *
     * @param copiedFrom null: the generation folds an existing log
     */
    public static GenerationRecord claimed(Generation generation, List<AsIf> rules, @Nullable String copiedFrom) {
        return new GenerationRecord(
                generation.number(), State.BUILDING, generation.log(), rules, null, null, copiedFrom, null, null);
    }

    /** This generation, built by a replay. */
    public GenerationRecord builtBy(int number) {
        return Records.with(this, "replay", number);
    }

    /** This generation with stores of this form. */
    public GenerationRecord inForm(int form) {
        return Records.with(this, "stateForm", form);
    }

    public Generation generation() {
        return new Generation(number, log);
    }

    /** Whether the generation has been promoted and can no longer be abandoned. */
    public boolean hasBeenPromoted() {
        return handover != null || ends != null;
    }

    /** Whether it was given up before its promotion. */
    public boolean wasGivenUp() {
        return state == State.OVER && !hasBeenPromoted();
    }

    /** The offsets at which the former generation stops publishing, by partition of its log; null until they are known. */
    public @Nullable List<Long> endsOfFormer() {
        return ends == null ? handover : ends;
    }

    /** The topic that is being copied. @throws IllegalStateException if none is */
    public String copySource() {
        if (copiedFrom == null) {
            throw new IllegalStateException("no log is copied into " + log);
        }
        return copiedFrom;
    }

    /** Whether the former log is copied into this generation's log. */
    public boolean needsCopying() {
        return copiedFrom != null && (state != State.OVER || hasBeenPromoted());
    }

    /** This generation in another state. */
    public GenerationRecord in(State next) {
        return Records.with(this, "state", next);
    }

    /**
     * This generation in force.
     *
     * @param at offsets of its markers, by partition
     */
    public GenerationRecord inForce(List<Long> at) {
        return Records.with(this, "state", State.IN_FORCE, "handover", at);
    }

    /**
     * This generation promoted.
     *
     * @param at offsets of its markers in the former log, by partition
     */
    public GenerationRecord promoted(List<Long> at) {
        return Records.with(this, "state", State.PROMOTED, "handover", null, "ends", at);
    }

    /** This generation after its log has been copied. */
    public GenerationRecord notCopied() {
        return Records.with(this, "copiedFrom", null);
    }
}
