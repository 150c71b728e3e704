package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.wire.AuditBody.AuthorBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Bodies of a ruleset as a document: versions, differences, results of applying one, and replays under a draft (docs/admin-api.md B7). */
public sealed interface RulesetBody {

    /**
     * The answer to {@code PUT /admin/v1/ruleset}.
     *
     * @param version the version now in force
     * @param changed false if the document changed nothing
     */
    record RulesetAppliedBody(long version, boolean changed, List<Issue> issues) implements RulesetBody {}

    /** The error body of {@code PUT /admin/v1/ruleset}: the first issue as a sentence, and all issues with their paths. */
    record RulesetRefusedBody(String error, List<Issue> issues) implements RulesetBody {

        /** @param issues at least one */
        public static RulesetRefusedBody of(List<Issue> issues) {
            Issue first = issues.getFirst();
            String more = issues.size() == 1 ? "" : " (and " + (issues.size() - 1) + " more)";
            String place = first.path().isEmpty() ? "" : first.path() + " ";
            return new RulesetRefusedBody("The ruleset is not valid: " + place + first.message() + more + ".", issues);
        }
    }

    /**
     * One version in the history of a ruleset.
     *
     * @param author who made the version; null if that is not known
     * @param added number of added objects
     * @param objects the first added, changed or removed objects
     */
    record RulesetVersionBody(
            long version,
            Instant published,
            @Nullable AuthorBody author,
            int added,
            int changed,
            int removed,
            List<ChangedObject> objects)
            implements RulesetBody {

        /** @param object such as {@code metric 'laps'} */
        public record ChangedObject(String change, String object) {}
    }

    /**
     * One difference between two rulesets in their human form.
     *
     * @param change {@code added}, {@code changed} or {@code removed}
     * @param path JSON pointer
     * @param before absent for additions; the keys in their order if only the order changed
     * @param after absent for removals
     */
    record RulesetChangeBody(String change, String path, Optional<Object> before, Optional<Object> after)
            implements RulesetBody {

        public static final String ADDED = "added";
        public static final String CHANGED = "changed";
        public static final String REMOVED = "removed";
    }

    /**
     * The differences between two rulesets.
     *
     * @param from the first version
     * @param to the second version; null for a document that is not published
     */
    record RulesetDiffBody(long from, @Nullable Long to, List<RulesetChangeBody> changes) implements RulesetBody {}

    /**
     * A replay of the log under a draft of rules (docs/admin-api.md B10).
     *
     * @param author null: not known
     * @param progress null unless it runs
     * @param result null unless it is finished
     * @param error why it has failed; null: it has not
     */
    record ReplayBody(
            UUID id,
            String name,
            String state,
            @Nullable AuthorBody author,
            long baseVersion,
            Instant createdAt,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable ProgressBody progress,
            @Nullable ResultBody result,
            @Nullable String error) {

        /**
         * @param step what is done, for people
         * @param share of the step, from 0 to 1
         * @param done null: not shown, as for {@code total}, to callers that are bound to a tenant
         * @param secondsLeft estimate for the step; null: not known
         */
        public record ProgressBody(
                String step,
                String unit,
                BigDecimal share,
                @Nullable Long done,
                @Nullable Long total,
                @Nullable Long secondsLeft) {}

        /** Numbers of users: compared ones, those with differences of their own, those with another rank only. */
        public record ResultBody(long users, long different, long onlyOtherRank) {}
    }
}
