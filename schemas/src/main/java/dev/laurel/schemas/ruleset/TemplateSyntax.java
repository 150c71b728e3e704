package dev.laurel.schemas.ruleset;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static dev.laurel.schemas.kind.IssueList.quoted;

/**
 * What may stand in the text of a template: a part of Mustache. Variables such as {@code {{user.name}}}, and sections:
 * {@code {{#user.name}}...{{/user.name}}} for what is there, once for each entry of a list, in which {@code {{.}}} is the entry;
 * {@code {{^user.name}}...{{/user.name}}} for what is not. Nothing goes out unescaped, and nothing is fetched from elsewhere.
 */
public final class TemplateSyntax {

    /** Of sections in one another. */
    static final int MAX_DEPTH = 4;

    private static final String OPENING = "{{";
    private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,254}(?:\\.[A-Za-z0-9_-]{1,255}){0,5}";
    private static final Pattern TAG = Pattern
            .compile("\\{\\{ *(?:(?<kind>[#^/]) *(?<section>" + NAME + ")|" + NAME + "|\\.) *\\}\\}");

    private TemplateSyntax() {}

    /**
     * The first thing that is wrong, in words for whoever wrote it; null if nothing is. Only {@code {{} is special: style sheets
     * in emails are full of {@code }}}.
     */
    public static String problemWith(String text) {
        Deque<String> open = new ArrayDeque<>();
        Matcher tag = TAG.matcher(text);
        int at = text.indexOf(OPENING);
        while (at >= 0) {
            if (!tag.region(at, text.length()).lookingAt()) {
                return "must have a variable such as {{user.name}} wherever it has {{; has "
                        + quoted(text.substring(at));
            }
            String problem = tag.group("kind") == null ? null : nest(tag.group("kind"), tag.group("section"), open);
            if (problem != null) {
                return problem;
            }
            at = text.indexOf(OPENING, tag.end());
        }
        return open.isEmpty() ? null : "must end the section {{#" + open.peek() + "}} by {{/" + open.peek() + "}}";
    }

    /** @return what is wrong; null if nothing is */
    private static String nest(String kind, String name, Deque<String> open) {
        if (!kind.equals("/")) {
            open.push(name);
            return open.size() > MAX_DEPTH ? "must have at most " + MAX_DEPTH + " sections in one another" : null;
        }
        if (open.isEmpty()) {
            return "must not have {{/" + name + "}}, which ends no section";
        }
        String innermost = open.pop();
        return innermost.equals(name)
                ? null
                : "must end the section {{#" + innermost + "}} before it ends {{#" + name + "}}";
    }
}
