package dev.laurel.gateway.http;

import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The replays that a process runs for the admin API, each under a draft of rules (docs/admin-api.md B10). They compare, and change
 * nothing that is live. A tenant sees its own only. Thread-safe.
 */
public interface Replays {

    /** The states of a replay. The last three are final. */
    enum State {
        QUEUED,
        RUNNING,
        FINISHED,
        FAILED,
        CANCELLED;

        public boolean isFinal() {
            return compareTo(FINISHED) >= 0;
        }
    }

    /** The forms of a report. */
    enum Format {
        /** JSON with the differing users. */
        JSON,
        /** The same with those users only who have the largest differences, the largest first. */
        LARGEST,
        /** CSV with the differing users. */
        CSV
    }

    /**
     * One replay.
     *
     * @param author the author of the request that added it; null if unknown
     * @param baseVersion newest version of the ruleset when it was started
     * @param startedAt null: it has not begun
     * @param endedAt null: its state is not final
     * @param progress null unless it runs
     * @param figures null unless it is finished
     * @param error why it has failed; null: it has not
     */
    record Replay(
            UUID id,
            TenantId tenant,
            String name,
            @Nullable Author author,
            long baseVersion,
            State state,
            Instant createdAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable Step progress,
            @Nullable Figures figures,
            @Nullable String error) {}

    /**
     * The step that a replay is at; steps follow each other, and some are repeated.
     *
     * @param name for people, such as {@code read the log}
     * @param unit what is counted, such as {@code records}
     * @param done not more than {@code total}
     * @param secondsLeft estimate for this step; null: unknown
     */
    record Step(
            String name,
            String unit,
            long done,
            long total,
            @Nullable Long secondsLeft) {}

    /**
     * @param users number of compared users
     * @param different number of those with differences of their own
     * @param onlyOtherRank number of those with another rank only
     */
    record Figures(long users, long different, long onlyOtherRank) {}

    /** The result of a request for a replay. */
    sealed interface Addition {

        record Added(Replay replay) implements Addition {}

        /** @param reason a sentence for the client */
        record Refused(String reason) implements Addition {}
    }

    /**
     * A request for a replay.
     *
     * @param isBound whether the author is bound to the tenant, of which fewer replays may wait then
     * @param document checked against the newest version
     */
    record Draft(
            TenantId tenant,
            @Nullable Author author,
            boolean isBound,
            String name,
            long baseVersion,
            RulesetSource document) {}

    /**
     * Adds a replay, which begins when fewer than the permitted number run. If there are too many, deletes the oldest one that has
     * ended of the tenant that has the most.
     */
    Addition add(Draft draft);

    /** Newest first. */
    List<Replay> list(TenantId tenant);

    @Nullable
    Replay find(TenantId tenant, UUID id);

    /** The rules of a replay; null: there is no such replay. */
    @Nullable
    RulesetSource ruleset(TenantId tenant, UUID id);

    /** The file with a report; null: there is no such replay, or it is not finished. */
    @Nullable
    Path report(TenantId tenant, UUID id, Format format);

    /** Cancels a replay that has not ended, which then is {@link State#CANCELLED} at once. Returns null if there is no such. */
    @Nullable
    Replay cancel(TenantId tenant, UUID id);

    /** Deletes a replay that has ended, with its files. Returns false if there is no such. */
    boolean delete(TenantId tenant, UUID id);
}
