package dev.laurel.schemas.ruleset.edit;

import dev.laurel.schemas.kind.Draft;
import dev.laurel.schemas.kind.IssueList;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds achievements that require each other, so that none of them can be completed. A depth-first search that keeps its path
 * in a list, because a chain of ten thousand achievements would overflow the call stack.
 */
final class CompositeCycles {

    private final Map<String, List<String>> prerequisites;
    private final int max;
    private final List<List<String>> cycles = new ArrayList<>();
    private final Set<String> done = new HashSet<>();
    private final List<String> path = new ArrayList<>();
    private final Set<String> onPath = new HashSet<>();
    private final Deque<Iterator<String>> open = new ArrayDeque<>();

    private CompositeCycles(Map<String, List<String>> prerequisites, int max) {
        this.prerequisites = prerequisites;
        this.max = max;
    }

    /** @param path JSON pointer to the map of achievements */
    static void check(IssueList issues, String path, Draft achievements) {
        var prerequisites = new LinkedHashMap<String, List<String>>();
        achievements.values().forEach((key, value) -> {
            if (value instanceof Draft achievement && "achievement".equals(achievement.text("trigger"))) {
                prerequisites.put(key, achievement.list("achievements").stream().map(String.class::cast).toList());
            }
        });
        for (List<String> cycle : in(prerequisites, IssueList.MAX_ISSUES + 1)) {
            String first = cycle.getFirst();
            String members = IssueList.joined(cycle, " needs ");
            issues.add(path + "/" + IssueList.escaped(first) + "/achievements",
                    "leads in a circle: " + members + " needs "
                            + IssueList.quoted(first) + ", so none of them can be completed");
        }
    }

    /**
     * @param prerequisites keys by key
     * @return at most {@code max} cycles, each in the order of its requirements; one that requires itself is a cycle of one
     */
    static List<List<String>> in(Map<String, List<String>> prerequisites, int max) {
        var walk = new CompositeCycles(prerequisites, max);
        prerequisites.keySet().forEach(walk::from);
        return walk.cycles;
    }

    private void from(String start) {
        enter(start);
        while (!path.isEmpty() && cycles.size() < max) {
            if (open.getLast().hasNext()) {
                String next = open.getLast().next();
                if (onPath.contains(next)) {
                    cycles.add(List.copyOf(path.subList(path.indexOf(next), path.size())));
                } else {
                    enter(next);
                }
            } else {
                leave();
            }
        }
    }

    private void enter(String key) {
        List<String> next = prerequisites.get(key);
        if (next != null && !done.contains(key)) {
            path.add(key);
            onPath.add(key);
            open.addLast(next.iterator());
        }
    }

    private void leave() {
        open.removeLast();
        String key = path.removeLast();
        onPath.remove(key);
        done.add(key);
    }
}
