package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.Edit.ObjectKind;
import dev.laurel.schemas.kind.Field;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.kind.Type.Entries;
import dev.laurel.schemas.kind.Type.Part;
import dev.laurel.schemas.ruleset.Attribute;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Words issues of the human form of a ruleset in the terms of the admin API. Pure. */
final class IssueMessages {

    private IssueMessages() {}

    /**
     * The path of an object of a request in the human form of the ruleset. Issues at or below it concern the object.
     *
     * @param pointer JSON pointer
     * @param prefix prefix of messages about the object; empty for an item itself
     * @param names names of fields in the admin API: {@link Kind#adminNames}
     */
    record ObjectPath(String pointer, String prefix, Map<String, String> names) {

        ObjectPath(List<String> path, String prefix, Map<String, String> names) {
            this(path.stream().map(step -> "/" + IssueList.escaped(step)).collect(Collectors.joining()), prefix, names);
        }
    }

    /**
     * Words the first issue, as a message about a field if it concerns the object of the request.
     *
     * @param paths paths of the object and its parts, the parts first
     */
    static String of(List<Issue> issues, List<ObjectPath> paths) {
        for (Issue issue : issues) {
            for (ObjectPath path : paths) {
                if (issue.path().equals(path.pointer())) {
                    return path.prefix() + issue.message();
                }
                if (issue.path().startsWith(path.pointer() + "/")) {
                    String[] steps =
                            issue.path().substring(path.pointer().length() + 1).split("/");
                    return path.prefix() + field(steps, path.names()) + " " + issue.message();
                }
            }
        }
        Issue first = issues.getFirst();
        return (owner(first.path()) + " " + first.message()).strip();
    }

    private static String field(String[] steps, Map<String, String> names) {
        var field = new StringBuilder(names.getOrDefault(steps[0], steps[0]));
        String path = steps[0];
        for (int i = 1; i < steps.length; i++) {
            path += "/" + steps[i];
            boolean isIndex = steps[i].chars().allMatch(c -> c >= '0' && c <= '9');
            field.append(isIndex ? "[" + steps[i] + "]" : "." + names.getOrDefault(path, steps[i]));
        }
        return field.toString();
    }

    /** The message that another object refers to an object that would be deleted. */
    static String stillUsed(ObjectKind kind, List<Issue> issues) {
        return kind.label() + " is still used by the " + owner(issues.getFirst().path());
    }

    /** The object to which a JSON pointer leads, such as {@code trigger 'per-lap' of the points system 'gems'}. */
    static String owner(String path) {
        String[] steps = path.split("/");
        String owner = "";
        Kind<?> kind = RulesetSource.KIND;
        for (int i = 1; i < steps.length; i++) {
            Field field = kind.field(steps[i]);
            if (field != null && field.type() instanceof Part(Kind<?> part)) {
                kind = part;
            } else if (field != null
                    && field.type() instanceof Entries(Kind<?> objects, int _)
                    && i + 1 < steps.length) {
                String label = objects == Attribute.KIND ? steps[i] + " attribute" : objects.name();
                owner = label + " '" + steps[++i] + "'" + (owner.isEmpty() ? "" : " of the " + owner);
                kind = objects;
            } else {
                break;
            }
        }
        return !owner.isEmpty()
                ? owner
                : switch (steps.length > 1 ? steps[1] : "") {
                    case "streak" -> "streak settings";
                    case "settings" -> "account settings";
                    default -> path;
                };
    }
}
