package dev.laurel.deploy.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a PromQL expression, the matchers of their labels, and the labels that it groups by. Does not check
 * whether the expression is valid; {@code promtool} does.
 *
 * @param grouping labels in {@code by}, {@code on} and the like
 */
public record PromQuery(List<Selector> selectors, Set<String> grouping) {

    /** A metric with its label matchers. */
    public record Selector(String metric, Map<String, Demand> demands) {}

    /** @param operator {@code =}, {@code !=}, {@code =~} or {@code !~} */
    public record Demand(String operator, String value) {

        /** Returns whether the matcher accepts this value. */
        public boolean admits(String label) {
            return switch (operator) {
                case "=" -> label.equals(value);
                case "!=" -> !label.equals(value);
                case "=~" -> label.matches(value);
                case "!~" -> !label.matches(value);
                default -> throw new IllegalArgumentException("no operator: " + operator);
            };
        }
    }

    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*([({]?)");
    private static final Pattern DEMAND =
            Pattern.compile("\\s*([a-zA-Z_][a-zA-Z0-9_]*)\\s*(=~|!~|!=|=)\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*(,|})");
    private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
    private static final Set<String> WORDS = Set.of(
            "and",
            "or",
            "unless",
            "bool",
            "offset",
            "inf",
            "nan",
            "by",
            "without",
            "on",
            "ignoring",
            "group_left",
            "group_right");

    public static PromQuery parse(String expression) {
        var selectors = new ArrayList<Selector>();
        var grouping = new LinkedHashSet<String>();
        var rest = new StringBuilder();
        // Matchers first, because a string may contain anything.
        Matcher name = SELECTOR.matcher(expression);
        int at = 0;
        while (name.find(at)) {
            rest.append(expression, at, name.start());
            if (name.group(2).equals("{")) {
                var demands = new LinkedHashMap<String, Demand>();
                at = demands(expression, name.end(), demands);
                selectors.add(new Selector(name.group(1), demands));
                rest.append(" 0 ");
            } else {
                rest.append(name.group());
                at = name.end();
            }
        }
        rest.append(expression.substring(at));
        Matcher labels = GROUPING.matcher(rest);
        while (labels.find()) {
            for (String label : labels.group(1).split(",")) {
                if (!label.isBlank()) {
                    grouping.add(label.strip());
                }
            }
        }
        String plain = RANGE.matcher(GROUPING.matcher(rest).replaceAll(" ")).replaceAll(" ");
        Matcher bare = SELECTOR.matcher(plain);
        while (bare.find()) {
            boolean isNumber = bare.start() > 0 && Character.isDigit(plain.charAt(bare.start() - 1));
            if (!bare.group(2).equals("(")
                    && !isNumber
                    && !WORDS.contains(bare.group(1).toLowerCase())) {
                selectors.add(new Selector(bare.group(1), Map.of()));
            }
        }
        return new PromQuery(selectors, grouping);
    }

    /** Returns the index after the closing brace. */
    private static int demands(String expression, int from, Map<String, Demand> demands) {
        Matcher demand = DEMAND.matcher(expression);
        int at = from;
        while (expression.charAt(at) != '}') {
            if (!demand.find(at) || demand.start() != at) {
                throw new IllegalArgumentException("no labels at " + at + " of " + expression);
            }
            demands.put(
                    demand.group(1), new Demand(demand.group(2), demand.group(3).replace("\\\\", "\\")));
            at = demand.end();
            if (demand.group(4).equals("}")) {
                return at;
            }
        }
        return at + 1;
    }
}
