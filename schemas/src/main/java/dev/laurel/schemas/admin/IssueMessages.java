package dev.laurel.schemas.admin;

import dev.laurel.schemas.edit.ObjectKind;
import dev.laurel.schemas.kind.Issue;
import java.util.List;
import java.util.Map;

/** Issues of the human form of a ruleset, in the words of the admin API. */
final class IssueMessages {

    private static final Map<String, String> KINDS = Map.of("metrics", "metric", "achievements", "achievement",
            "points", "points system", "leaderboards", "leaderboard", "levels", "level", "boosts", "boost", "triggers",
            "trigger", "webhooks", "webhook", "templates", "template");
    private static final String NOTIFICATIONS = "/notifications";

    private IssueMessages() {}

    /**
     * The first issue, about a field of the object if it lies below its place.
     *
     * @param places of the item, those of its parts before its own
     */
    static String of(List<Issue> issues, List<Place> places) {
        for (Issue issue : issues) {
            for (Place place : places) {
                if (issue.path().equals(place.pointer())) {
                    return place.prefix() + issue.message();
                }
                if (issue.path().startsWith(place.pointer() + "/")) {
                    String[] steps = issue.path().substring(place.pointer().length() + 1).split("/");
                    return place.prefix() + field(steps, place.names()) + " " + issue.message();
                }
            }
        }
        Issue first = issues.getFirst();
        return (owner(first.path()) + " " + first.message()).strip();
    }

    private static String field(String[] steps, Map<String, String> names) {
        var field = new StringBuilder(names.getOrDefault(steps[0], steps[0]));
        for (int i = 1; i < steps.length; i++) {
            boolean isIndex = steps[i].chars().allMatch(c -> c >= '0' && c <= '9');
            field.append(isIndex ? "[" + steps[i] + "]" : "." + steps[i]);
        }
        return field.toString();
    }

    /** Says who still needs an object that is to be deleted. */
    static String stillUsed(ObjectKind kind, List<Issue> issues) {
        return kind.label() + " is still used by the " + owner(issues.getFirst().path());
    }

    /** The object that a JSON pointer leads into: {@code trigger 'per-lap' of the points system 'gems'}. */
    static String owner(String path) {
        boolean isTemplate = path.startsWith(NOTIFICATIONS + "/templates/");
        String[] steps = (isTemplate ? path.substring(NOTIFICATIONS.length()) : path).split("/");
        String owner = "";
        for (int i = 1; i + 1 < steps.length; i += 2) {
            String kind = KINDS.get(steps[i]);
            boolean isField = i > 1 && !steps[1].equals("points"); // nothing else holds objects
            if (kind == null || isField) {
                break;
            }
            owner = kind + " '" + steps[i + 1] + "'" + (owner.isEmpty() ? "" : " of the " + owner);
        }
        if (!owner.isEmpty()) {
            return owner;
        }
        return switch (steps.length > 1 ? steps[1] : "") {
            case "attributes" -> steps.length > 3 ? steps[2] + " attribute '" + steps[3] + "'" : path;
            case "streak" -> "streak settings";
            case "settings" -> "account settings";
            default -> path;
        };
    }
}
