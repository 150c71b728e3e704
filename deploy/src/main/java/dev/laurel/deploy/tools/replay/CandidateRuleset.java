package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetOutput;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.edit.RulesetEditor;
import dev.laurel.schemas.ruleset.edit.RulesetEditor.Result;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;

/**
 * A ruleset as the version that it would become if it were applied now; nothing is published.
 *
 * @param name what it is, for people: a file, or what its author has called it
 * @param source the document, of a file with the sections that stay as they are
 * @param isPublished whether the newest version has the same content
 */
record CandidateRuleset(String name, Ruleset document, RulesetSource source, boolean isPublished) {

    /** Where a draft comes from. */
    interface Source {

        /**
         * @param current newest published version
         * @throws CommandFailed if the draft has problems
         */
        CandidateRuleset basedOn(Ruleset current, Instant now);
    }

    /** A file, whose problems are reported as {@code ruleset apply} does. */
    static Source file(Path file, PrintWriter err) {
        return (current, now) -> {
            RulesetFile ruleset = RulesetFile.read(file, err);
            return of(
                    file.toString(),
                    ruleset.source().over(RulesetSource.of(current, now)),
                    current,
                    now,
                    issues -> RulesetOutput.expectNone(ruleset.locate(issues), err));
        };
    }

    /** A document that has been checked before; issues are those with a version that has been published since. */
    static Source document(String name, RulesetSource document) {
        return (current, now) -> of(name, document, current, now, issues -> {
            Issue first = issues.getFirst();
            throw new CommandFailed("The rules are no longer valid: " + first.path() + " " + first.message());
        });
    }

    /** @param refuse throws an exception for issues */
    private static CandidateRuleset of(
            String name, RulesetSource source, Ruleset current, Instant now, Consumer<List<Issue>> refuse) {
        return switch (RulesetEditor.apply(current, source, now)) {
            case Result.Changed(Ruleset next) -> new CandidateRuleset(name, next, source, false);
            case Result.Unchanged(Ruleset same) -> new CandidateRuleset(name, same, source, true);
            case Result.Invalid(List<Issue> issues) -> {
                refuse.accept(issues);
                throw new IllegalStateException(name + " is refused without an issue");
            }
        };
    }
}
