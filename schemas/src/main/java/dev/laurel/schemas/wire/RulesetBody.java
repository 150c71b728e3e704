package dev.laurel.schemas.wire;

import dev.laurel.schemas.kind.Issue;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Bodies of a ruleset as a document: versions, differences, and what came of applying one (docs/admin-api.md B7). */
public sealed interface RulesetBody {

    /**
     * The answer to {@code PUT /admin/v1/ruleset}.
     *
     * @param version the version now in force
     * @param changed false if the ruleset said the same already
     */
    record RulesetAppliedBody(long version, boolean changed, List<Issue> issues) implements RulesetBody {}

    /** The error body of {@code PUT /admin/v1/ruleset}: the first issue as a sentence, and all of them with their places. */
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
     * @param added how many objects came with it, as {@code changed} and {@code removed}
     * @param objects the first of them by name
     */
    record RulesetVersionBody(long version, Instant published, int added, int changed, int removed,
            List<ChangedObject> objects) implements RulesetBody {

        /** @param object such as {@code metric 'laps'} */
        public record ChangedObject(String change, String object) {}
    }

    /**
     * One difference between two rulesets in their human form.
     *
     * @param change {@code added}, {@code changed} or {@code removed}
     * @param path JSON pointer
     * @param before left out of what is added; the keys in their order where only that is another
     * @param after left out of what is removed
     */
    record RulesetChangeBody(String change, String path, Optional<Object> before,
            Optional<Object> after) implements RulesetBody {

        public static final String ADDED = "added";
        public static final String CHANGED = "changed";
        public static final String REMOVED = "removed";
    }

    /**
     * What is different between two rulesets.
     *
     * @param from the version that changes
     * @param to the version it changes to; null for one that is not published
     */
    record RulesetDiffBody(long from, @Nullable Long to, List<RulesetChangeBody> changes) implements RulesetBody {}
}
