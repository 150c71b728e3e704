package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetOutput;
import dev.laurel.schemas.kind.Issue;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A ruleset file as the version that it would become if it were applied now; nothing is published.
 *
 * @param isPublished whether the newest version has the same content
 */
record RulesetDraft(Path file, Ruleset document, boolean isPublished) {

    /**
     * Reads a file and reports its problems as {@code ruleset apply} does.
     *
     * @param current newest published version
     * @throws dev.laurel.deploy.cli.CommandFailed if there are problems
     */
    static RulesetDraft read(Path file, Ruleset current, Instant now, PrintWriter err) {
        RulesetFile ruleset = RulesetFile.read(file);
        RulesetOutput.expectNone(ruleset.problems(), err);
        return switch (RulesetEditor.apply(current, ruleset.source(), now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> new RulesetDraft(file, next, false);
            case RulesetEditor.Result.Unchanged(Ruleset same) -> new RulesetDraft(file, same, true);
            case RulesetEditor.Result.Invalid(List<Issue> issues) -> {
                RulesetOutput.expectNone(ruleset.locate(issues), err);
                throw new IllegalStateException(file + " is refused without an issue");
            }
        };
    }
}
