package dev.laurel.schemas.wire;

import dev.laurel.schemas.ruleset.RulesetIssue;
import java.util.List;

/** The error body of {@code PUT /admin/v1/ruleset}: the first issue as a sentence, and all of them with their places. */
public record RulesetRefusedBody(String error, List<RulesetIssue> issues) {

    /** @param issues at least one */
    public static RulesetRefusedBody of(List<RulesetIssue> issues) {
        RulesetIssue first = issues.getFirst();
        String more = issues.size() == 1 ? "" : " (and " + (issues.size() - 1) + " more)";
        String place = first.path().isEmpty() ? "" : first.path() + " ";
        return new RulesetRefusedBody("The ruleset is not valid: " + place + first.message() + more + ".", issues);
    }
}
