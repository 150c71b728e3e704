package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetProblems;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetEditor;
import dev.laurel.schemas.ruleset.RulesetIssue;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * A ruleset file as the next version that it would be if it were applied now; nothing is published.
 *
 * @param isPublished the newest version says the same
 */
record Draft(Path file, Ruleset document, boolean isPublished) {

    /**
     * What is wrong with the file is told as {@code ruleset apply} would.
     *
     * @param current the newest published version
     * @throws dev.laurel.deploy.CommandFailed if anything is wrong
     */
    static Draft read(Path file, Ruleset current, Instant now, PrintWriter err) {
        RulesetFile ruleset = RulesetFile.read(file);
        RulesetProblems.expectNone(ruleset.problems(), err);
        return switch (RulesetEditor.apply(current, ruleset.source(), now)) {
            case RulesetEditor.Result.Changed(Ruleset next) -> new Draft(file, next, false);
            case RulesetEditor.Result.Unchanged(Ruleset same) -> new Draft(file, same, true);
            case RulesetEditor.Result.Invalid(List<RulesetIssue> issues) -> {
                RulesetProblems.expectNone(ruleset.locate(issues), err);
                throw new IllegalStateException("invalid, but nothing is wrong with " + file);
            }
        };
    }
}
