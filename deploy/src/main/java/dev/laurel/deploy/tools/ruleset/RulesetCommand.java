package dev.laurel.deploy.tools.ruleset;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(name = "ruleset", description = "Check, apply, export, compare and restore the rules (laurel.yaml).", synopsisSubcommandLabel = "COMMAND", subcommands = {
        RulesetValidateCommand.class, RulesetApplyCommand.class, RulesetExportCommand.class, RulesetDiffCommand.class,
        RulesetHistoryCommand.class, RulesetRollbackCommand.class})
public final class RulesetCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "missing command");
    }
}
