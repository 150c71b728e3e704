package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.ruleset.RulesetClient.Outcome;
import dev.laurel.deploy.tools.ruleset.RulesetOutput.Problem;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.schemas.input.UnicodeText;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetBody.RulesetChangeBody;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Prints problems of rulesets and differences between them. */
public final class RulesetOutput {

    /** Lines printed at most. */
    private static final int SHOWN = 200;

    private static final int MAX_VALUE = 60;

    private RulesetOutput() {}

    /**
     * A problem of a ruleset file with its location. The text is {@code file:line:column: path: message}, which
     * editors and terminals make clickable.
     *
     * @param line line from 1; 0 if unknown, as is the column
     * @param path JSON pointer into the document, empty for the whole document
     */
    public record Problem(String file, int line, int column, String path, String message) {

        @Override
        public String toString() {
            String location = line == 0 ? file : file + ":" + line + ":" + column;
            return location + ": " + (path.isEmpty() ? "" : path + ": ") + message;
        }
    }

    /**
     * Does nothing if there are no problems; otherwise prints them.
     *
     * @throws CommandFailed with their number if there are problems
     */
    public static void expectNone(List<Problem> problems, PrintWriter err) {
        if (problems.isEmpty()) {
            return;
        }
        problems.stream().limit(SHOWN).forEach(err::println);
        String count = problems.size() == 1 ? "1 problem" : problems.size() + " problems";
        throw new CommandFailed(count + (problems.size() > SHOWN ? ", the first " + SHOWN + " shown" : ""));
    }

    /**
     * Returns the body of a successful request, or prints what the server refused.
     *
     * @param locate finds the issues of the server in the text that was sent
     * @throws CommandFailed if the server refused the ruleset
     */
    public static <T> T expectDone(Outcome<T> outcome, Function<List<Issue>, List<Problem>> locate, PrintWriter err) {
        return switch (outcome) {
            case Outcome.Done<T>(T body) -> body;
            case Outcome.Refused<T>(List<Issue> issues) -> {
                expectNone(locate.apply(issues), err);
                throw new IllegalStateException("the server refused the ruleset without an issue");
            }
        };
    }

    /** Prints one line per change: {@code +} for an addition, {@code -} for a removal, {@code ~} for another value. */
    public static void print(List<RulesetChangeBody> changes, PrintWriter out) {
        changes.stream().limit(SHOWN).forEach(change -> out.println(line(change)));
        if (changes.size() > SHOWN) {
            out.println("… and " + (changes.size() - SHOWN) + " more");
        }
    }

    static String count(List<RulesetChangeBody> changes) {
        return changes.size() == 1 ? "1 change" : changes.size() + " changes";
    }

    private static String line(RulesetChangeBody change) {
        return switch (change.change()) {
            case RulesetChangeBody.ADDED -> "+ " + change.path() + value(": ", change.after());
            case RulesetChangeBody.REMOVED -> "- " + change.path();
            default -> "~ " + change.path() + value(": ", change.before()) + value(" -> ", change.after());
        };
    }

    private static String value(String before, Optional<Object> value) {
        String text = Json.text(value.orElse(null));
        return before + (text.length() <= MAX_VALUE ? text : UnicodeText.cut(text, MAX_VALUE) + "…");
    }
}
