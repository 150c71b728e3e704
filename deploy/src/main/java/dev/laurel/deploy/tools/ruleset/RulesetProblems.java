package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.CommandFailed;
import java.io.PrintWriter;
import java.util.List;

/** How the commands around rulesets tell what is wrong with one. */
public final class RulesetProblems {

    /** A file can be wrong in every line; nobody reads more than this at once. */
    private static final int SHOWN = 200;

    private RulesetProblems() {}

    /** Does nothing if there are none; otherwise prints them and ends the command. */
    public static void expectNone(List<Problem> problems, PrintWriter err) {
        if (problems.isEmpty()) {
            return;
        }
        problems.stream().limit(SHOWN).forEach(err::println);
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        throw new CommandFailed(count + (problems.size() > SHOWN ? ", the first " + SHOWN + " shown" : ""));
    }
}
