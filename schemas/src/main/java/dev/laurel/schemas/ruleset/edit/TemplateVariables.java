package dev.laurel.schemas.ruleset.edit;

import static dev.laurel.schemas.kind.IssueList.quoted;

import dev.laurel.schemas.input.NearestName;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.Metric;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.PointsSystem;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Template;
import dev.laurel.schemas.ruleset.Template.TemplateSyntax;
import dev.laurel.schemas.ruleset.Template.TemplateSyntax.Tag;
import dev.laurel.schemas.wire.EditBody.VariantBody;
import dev.laurel.schemas.wire.MessageBody;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The variables that templates may name, by type of message (docs/delivery.md "Variables of templates"). They are the fields of
 * {@link MessageBody} that can have a value, and are the same on every channel. What a
 * user has under keys can be named by the keys that the ruleset has. Immutable.
 */
public final class TemplateVariables {

    /** Stands for the key of a user attribute, of a points system, of a metric. */
    private static final String ATTRIBUTE = "ATTRIBUTE";

    private static final String SYSTEM = "SYSTEM";
    private static final String METRIC = "METRIC";

    /** Limits the work for one message. */
    private static final int MAX_KEYS = 100;

    /** Marks a list, whose entries have the fields behind the mark. */
    private static final String LIST = "[]";

    private static final Set<NotificationType> ALL = Set.of(NotificationType.values());

    /** The types of messages that alone have the variables with these beginnings. */
    private static final Map<String, Set<NotificationType>> TYPES = Map.of(
            "achievement",
            Set.of(NotificationType.ACHIEVEMENT_COMPLETED),
            "recap",
            Set.of(NotificationType.RECAP),
            "reactivation",
            Set.of(NotificationType.REACTIVATION));

    /** What stands for the keys of a map, by the name of the map. */
    private static final Map<String, String> KEYS =
            Map.of("attributes", ATTRIBUTE, "points", SYSTEM, "metrics", METRIC);

    /** The fields that have no value in messages. */
    private static final Set<String> WITHOUT_VALUE =
            Set.of("achievement.completions", "achievement.rarity", "streak.rank", "points.SYSTEM.awards");

    /** All variables, in the order of the document. */
    public static final List<Group> GROUPS = groups();

    private static List<Group> groups() {
        var groups = new LinkedHashMap<String, List<String>>();
        fields("", MessageBody.class).forEach(variable -> {
            // A points system is a group, while a recap has all of them in its own.
            int dot = variable.indexOf('.', variable.startsWith("points.") ? "points.".length() : 0);
            groups.computeIfAbsent(variable.substring(0, Math.max(dot, 0)), _ -> new ArrayList<>())
                    .add(variable.substring(dot + 1));
        });
        return groups.entrySet().stream()
                .map(group -> new Group(group.getKey(), TYPES.getOrDefault(group.getKey(), ALL), group.getValue()))
                .toList();
    }

    /** The variables in a value of this type. @param name name of the value */
    private static Stream<String> fields(String name, Type type) {
        if (WITHOUT_VALUE.contains(name)) {
            return Stream.empty();
        }
        if (type instanceof ParameterizedType generic) {
            Type last = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            return fields(
                    switch (((Class<?>) generic.getRawType()).getSimpleName()) {
                        case "List" -> name + LIST;
                        case "Map" -> name + "." + KEYS.get(name.substring(name.lastIndexOf('.') + 1));
                        default -> name;
                    },
                    last);
        }
        RecordComponent[] components = ((Class<?>) type).getRecordComponents();
        return components == null
                ? Stream.of(name)
                : Arrays.stream(components)
                        .flatMap(field -> fields(
                                isBase(field) ? name : name.isEmpty() ? field.getName() : name + "." + field.getName(),
                                field.getGenericType()));
    }

    /** Whether the fields of a component are fields of its record. */
    private static boolean isBase(RecordComponent field) {
        return VariantBody.class.isAssignableFrom(field.getDeclaringRecord())
                && field.getName().equals("base");
    }

    /**
     * Variables with a common beginning.
     *
     * @param name the beginning; empty for variables without dots
     * @param types types of messages that have them
     */
    public record Group(String name, Set<NotificationType> types, List<String> fields) {

        @Override
        public String toString() {
            String some = String.join(", ", fields);
            return name.isEmpty() ? some : name + ".(" + some + ")";
        }

        /** The whole names. */
        public List<String> variables() {
            return fields.stream()
                    .map(field -> name.isEmpty() ? field : name + "." + field)
                    .toList();
        }
    }

    /** A value, or what has fields. @param isList whether a section of it is included for each entry, which has the fields */
    private record Node(Map<String, Node> fields, boolean isList) {

        private boolean isValue() {
            return fields.isEmpty() && !isList;
        }
    }

    private final Map<String, Set<String>> keys;

    private TemplateVariables(Map<String, Set<String>> keys) {
        this.keys = keys;
    }

    /** The variables of a ruleset with these keys. */
    static TemplateVariables of(Set<String> attributes, Set<String> systems, Set<String> metrics) {
        return new TemplateVariables(Map.of(ATTRIBUTE, attributes, SYSTEM, systems, METRIC, metrics));
    }

    static TemplateVariables of(Ruleset rules) {
        return of(
                rules.attributes().stream()
                        .filter(attribute -> attribute.type() == Attribute.AttributeType.USER)
                        .map(Attribute::key)
                        .collect(Collectors.toSet()),
                rules.pointsSystems().stream().map(PointsSystem::key).collect(Collectors.toSet()),
                rules.metrics().stream().map(Metric::key).collect(Collectors.toSet()));
    }

    /** Reports texts of templates of a stored ruleset that name unknown variables, such as those of removed objects. */
    public static void warn(Ruleset rules, IssueList issues) {
        TemplateVariables variables = of(rules);
        for (Template template : rules.notifications().templates()) {
            variables.check(template, null, issues);
        }
    }

    /** Reports texts with unknown variables. @param before texts that this template has are left out; null: none */
    void check(Template template, @Nullable Template before, IssueList issues) {
        if (issues.found().size() >= IssueList.MAX_ISSUES) {
            return;
        }
        String path = "/notifications/templates/" + IssueList.escaped(template.key());
        String heading = switch (template.channel()) {
            case EMAIL -> "subject";
            case PUSH -> "title";
        };
        List<Template.Text> texts = textsOf(template);
        List<Template.Text> stored = before == null || before.type() != template.type() ? List.of() : textsOf(before);
        for (int i = 0; i < texts.size(); i++) {
            String at = i == 0 ? path : path + "/variations/" + (i - 1);
            Template.Text text = texts.get(i);
            if (stored.stream().noneMatch(other -> other.heading().equals(text.heading()))) {
                check(text.heading(), template.type(), at + "/" + heading, issues);
            }
            if (stored.stream().noneMatch(other -> other.body().equals(text.body()))) {
                check(text.body(), template.type(), at + "/body", issues);
            }
        }
    }

    private static List<Template.Text> textsOf(Template template) {
        var texts = new ArrayList<>(List.of(template.text()));
        texts.addAll(template.variations());
        return texts;
    }

    private void check(String text, NotificationType type, String path, IssueList issues) {
        String problem = problemWith(text, type);
        if (problem != null) {
            issues.add(path, problem);
        }
    }

    /** The first unknown variable of a text of valid syntax, worded for its author; null if it names none. */
    @Nullable
    String problemWith(String text, NotificationType type) {
        Node root = new Node(new LinkedHashMap<>(), false);
        variablesOf(type).forEach(name -> add(root, name));
        Deque<Node> around = new ArrayDeque<>(List.of(root));
        for (Tag tag : TemplateSyntax.tags(text)) {
            switch (tag.kind()) {
                case "/" -> around.pop();
                case "#", "^" -> {
                    Node section = resolve(tag.name(), around);
                    if (section == null) {
                        return unknown(tag.name(), type);
                    }
                    // Within a section that is there because nothing has a value, names mean what they mean around it.
                    around.push(tag.kind().equals("#") ? section : new Node(Map.of(), false));
                }
                default -> {
                    Node value = tag.name().equals(".") ? around.peek() : resolve(tag.name(), around);
                    if (value == null || !value.isValue() && !tag.name().equals(".")) {
                        return unknown(tag.name(), type);
                    }
                }
            }
        }
        return null;
    }

    private static List<String> variablesOf(NotificationType type) {
        return GROUPS.stream()
                .filter(group -> group.types().contains(type))
                .flatMap(group -> group.variables().stream())
                .toList();
    }

    private static void add(Node root, String variable) {
        Node node = root;
        for (String step : variable.split("\\.")) {
            boolean isList = step.endsWith(LIST);
            node = node.fields().computeIfAbsent(step.replace(LIST, ""), _ -> new Node(new LinkedHashMap<>(), isList));
        }
    }

    /** As the engine does: the first step is looked up from the innermost section outwards, the others in what it leads to. */
    private @Nullable Node resolve(String name, Deque<Node> around) {
        String[] steps = name.split("\\.");
        for (Node section : around) {
            Node found = field(section, steps[0]);
            if (found != null) {
                for (int i = 1; i < steps.length && found != null; i++) {
                    found = found.isList() ? null : field(found, steps[i]);
                }
                return found;
            }
        }
        return null;
    }

    private @Nullable Node field(Node node, String step) {
        for (Map.Entry<String, Set<String>> kind : keys.entrySet()) {
            Node ofKey = node.fields().get(kind.getKey());
            if (ofKey != null) {
                return kind.getValue().contains(step) ? ofKey : null;
            }
        }
        return node.fields().get(step);
    }

    private String unknown(String name, NotificationType type) {
        return "names an unknown variable " + quoted(name) + "; nearest: " + nearest(name, type)
                + "; messages of type " + IssueList.word(type) + " have "
                + GROUPS.stream()
                        .filter(group -> group.types().contains(type))
                        .map(Group::toString)
                        .collect(Collectors.joining(", "))
                + ", where ATTRIBUTE, SYSTEM and METRIC are keys of user attributes, points systems and metrics";
    }

    private String nearest(String name, NotificationType type) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        if (keys.getOrDefault(ATTRIBUTE, Set.of()).contains(last)) {
            return "user.attributes." + last;
        }
        return variablesOf(type).stream()
                .flatMap(this::named)
                .min(Comparator.comparingInt(variable -> distance(name, variable)))
                .orElse("none");
    }

    /** A variable with each of the first keys in place of what stands for them. */
    private Stream<String> named(String variable) {
        for (Map.Entry<String, Set<String>> kind : keys.entrySet()) {
            if (variable.contains("." + kind.getKey())) {
                return kind.getValue().stream()
                        .sorted()
                        .limit(MAX_KEYS)
                        .map(key -> variable.replace("." + kind.getKey(), "." + key));
            }
        }
        return Stream.of(variable);
    }

    /** The number of edits between names; a name without dots may be the last step. */
    private static int distance(String name, String variable) {
        int whole = NearestName.edits(name, variable);
        return name.indexOf('.') >= 0
                ? whole
                : Math.min(whole, NearestName.edits(name, variable.substring(variable.lastIndexOf('.') + 1)));
    }
}
