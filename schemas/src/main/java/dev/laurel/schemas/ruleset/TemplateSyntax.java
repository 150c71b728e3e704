package dev.laurel.schemas.ruleset;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

import static dev.laurel.schemas.kind.IssueList.quoted;

/**
 * The syntax of templates, a subset of Mustache: variables such as {@code {{user.name}}}, and sections.
 * {@code {{#user.name}}...{{/user.name}}} is included if the variable has a value, once for each entry of a list, in which
 * {@code {{.}}} is the entry; {@code {{^user.name}}...{{/user.name}}} is included if it has none. There are no unescaped
 * variables and no partials.
 */
public final class TemplateSyntax {

    /** The maximum nesting depth of sections. */
    static final int MAX_DEPTH = 4;

    private static final String OPENING = "{{";
    private static final String NAME = "[A-Za-z][A-Za-z0-9_-]{0,254}(?:\\.[A-Za-z0-9_-]{1,255}){0,5}";
    private static final Pattern TAG = Pattern
            .compile("\\{\\{ *(?:(?<kind>[#^/]) *(?<section>" + NAME + ")|(?<value>" + NAME + "|\\.)) *\\}\\}");

    private TemplateSyntax() {}

    /**
     * The first problem, worded for the author; null if there is none. Only {@code {{} is special, because style sheets in
     * emails contain many {@code }}}.
     */
    public static @Nullable String problemWith(String text) {
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

    /** A variable, or the beginning or end of a section. @param kind {@code #}, {@code ^} or {@code /} of a section, else empty */
    public record Tag(String kind, String name) {}

    /** The tags of a text of valid syntax, in order. */
    public static List<Tag> tags(String text) {
        var tags = new ArrayList<Tag>();
        Matcher tag = TAG.matcher(text);
        while (tag.find()) {
            tags.add(tag.group("kind") == null
                    ? new Tag("", Objects.requireNonNull(tag.group("value")))
                    : new Tag(tag.group("kind"), Objects.requireNonNull(tag.group("section"))));
        }
        return tags;
    }

    /** Enters or leaves a section. @return the problem; null if there is none */
    private static @Nullable String nest(String kind, String name, Deque<String> open) {
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
