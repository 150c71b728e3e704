package dev.laurel.deploy.tools.ruleset;

import dev.laurel.schemas.key.UnicodeText;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.RulesetChangeBody;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/** How the commands around rulesets tell what is different: one line each, {@code + - ~} for what comes, goes and changes. */
final class RulesetChanges {

    /** Nobody reads more than this at once. */
    private static final int SHOWN = 200;
    private static final int MAX_VALUE = 60;

    private RulesetChanges() {}

    static void print(List<RulesetChangeBody> changes, PrintWriter out) {
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
        String text = new String(Json.write(value.orElse(null)), UTF_8);
        return before + (text.length() <= MAX_VALUE ? text : UnicodeText.cut(text, MAX_VALUE) + "…");
    }
}
