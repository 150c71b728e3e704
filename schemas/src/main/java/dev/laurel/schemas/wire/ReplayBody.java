package dev.laurel.schemas.wire;

import dev.laurel.schemas.wire.AuditBody.AuthorBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A replay of the log under a draft of rules (docs/admin-api.md B10).
 *
 * @param author null: not known
 * @param progress null unless it runs
 * @param result null unless it is finished
 * @param error why it has failed; null: it has not
 */
public record ReplayBody(UUID id, String name, String state, @Nullable AuthorBody author, long baseVersion,
        Instant createdAt, @Nullable Instant startedAt, @Nullable Instant endedAt, @Nullable ProgressBody progress,
        @Nullable ResultBody result, @Nullable String error) {

    /**
     * @param step what is done, for people
     * @param share of the step, from 0 to 1
     * @param done null: not shown, as for {@code total}, to callers that are bound to a tenant
     * @param secondsLeft estimate for the step; null: not known
     */
    public record ProgressBody(String step, String unit, BigDecimal share, @Nullable Long done,
            @Nullable Long total, @Nullable Long secondsLeft) {}

    /** Numbers of users: compared ones, those with differences of their own, those with another rank only. */
    public record ResultBody(long users, long different, long onlyOtherRank) {}
}
