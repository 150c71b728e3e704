package dev.laurel.deploy.standalone;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.deploy.tools.ruleset.RulesetClient;
import dev.laurel.deploy.tools.ruleset.RulesetFile;
import dev.laurel.deploy.tools.ruleset.RulesetOutput;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.admin.RulesetDiff;
import dev.laurel.schemas.wire.RulesetBody.RulesetAppliedBody;
import dev.laurel.schemas.wire.RulesetBody.RulesetDiffBody;
import java.io.PrintWriter;

/**
 * The ruleset file of a start. It replaces what an earlier start has applied, in the sections that it has. What was configured in
 * another way since is replaced, and what the file no longer has is deleted, only if the operator forces it. The data folder keeps the version that a start has seen last.
 *
 * @param isForced whether the file replaces everything
 */
record StartupRuleset(RulesetFile file, DataDir dataDir, boolean isForced) {

    /**
     * Applies the file.
     *
     * @param name name of the file, for people
     * @throws CommandFailed if the server refuses the file, or the file would revert the changes of others
     */
    void apply(RulesetClient client, String name, PrintWriter out, PrintWriter err) {
        RulesetDiffBody diff = RulesetOutput.expectDone(client.compare(file.source()), file::locate, err);
        boolean isOfOthers = diff.from() > 0 && diff.from() != dataDir.startRulesetVersion();
        if (isOfOthers && !isForced && !diff.changes().isEmpty()) {
            err.println("Applying " + name + " would make these changes:");
            RulesetOutput.print(diff.changes(), err);
            throw new CommandFailed("the ruleset (version " + diff.from() + ") was changed by something other than"
                    + " --ruleset of a start, and differs from " + name + ". Start without --ruleset to keep it;"
                    + " 'laurel ruleset export' then writes it to a file. Or start with --force-ruleset to replace it");
        }
        if (!isForced && !RulesetDiff.deletions(diff.changes(), file.source()).isEmpty()) {
            err.println("Applying " + name + " would make these changes:");
            RulesetOutput.print(diff.changes(), err);
            throw new CommandFailed(name + " would delete what is listed with '-'. Put it back, or start once with"
                    + " --force-ruleset to delete it");
        }
        // If it changes meanwhile, the server refuses.
        RulesetAppliedBody applied = RulesetOutput.expectDone(client.apply(file.source(), diff.from()), file::locate,
                err);
        dataDir.keepStartRulesetVersion(applied.version());
        out.printf("%s %s version %d.%n", name, applied.changed() ? "is now" : "is already", applied.version());
    }
}
