package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.tools.ruleset.RulesetOutput.Problem;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.schemas.kind.IssueList.Issue;
import dev.laurel.schemas.kind.Type;
import dev.laurel.schemas.ruleset.edit.RulesetSource;
import dev.laurel.schemas.serde.Json;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A parsed {@code laurel.yaml} with all its problems at once: in its YAML, its structure (JSON Schema) and its
 * meaning ({@link RulesetSource#issues}). Immutable.
 */
public final class RulesetFile {

    private final YamlDocument document;
    private final @Nullable RulesetSource source;
    private final List<Problem> problems;

    /** @param source null: the document cannot be read as a ruleset, and there are problems */
    private RulesetFile(YamlDocument document, @Nullable RulesetSource source, Collection<Problem> problems) {
        this.document = document;
        this.source = source;
        this.problems = problems.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .toList();
    }

    /** @param err gets the problems of the file @throws CommandFailed if the file cannot be read, or has problems */
    public static RulesetFile read(Path file, PrintWriter err) {
        RulesetFile read = parse(file.toString(), LocalFiles.readText("", file, YamlDocument.MAX_CHARACTERS));
        RulesetOutput.expectNone(read.problems, err);
        return read;
    }

    /** @param name name of the text in problems */
    public static RulesetFile parse(String name, String text) {
        YamlDocument document = YamlDocument.parse(name, text);
        JsonNode root = document.root();
        if (root == null || !document.problems().isEmpty()) {
            return new RulesetFile(document, null, document.problems());
        }
        if (!(root instanceof ObjectNode tree)) {
            String message = root.isNull()
                    ? "is empty; must be a map with the sections of a ruleset, such as metrics"
                    : "must be a map with the fields of a ruleset, such as metrics";
            return new RulesetFile(document, null, List.of(document.problemAt("", message)));
        }
        return check(document, tree);
    }

    private static RulesetFile check(YamlDocument document, ObjectNode tree) {
        fillEmptyEntries(tree, "");
        List<RulesetSchema.Finding> findings = RulesetSchema.load().check(tree);
        var issues = new ArrayList<Issue>();
        var broken = new HashSet<String>();
        for (RulesetSchema.Finding finding : findings) {
            if (finding.structural()) {
                issues.add(finding.issue());
                broken.add(finding.issue().path());
                remove(tree, finding.issue().path());
            }
        }
        RulesetSource source = Json.mapperForTools().treeToValue(tree, RulesetSource.class);
        // Without the metrics every reference would be wrong; the problem of that section should be solved first.
        if (!broken.contains("/metrics")) {
            source.issues().stream().filter(i -> !isWithin(i.path(), broken)).forEach(issues::add);
        }
        addSchemaIssues(findings, issues);
        return new RulesetFile(document, source, located(document, issues));
    }

    /** Adds issues that only the schema finds; those of the validator about the same value are clearer. */
    private static void addSchemaIssues(List<RulesetSchema.Finding> findings, List<Issue> issues) {
        List<String> known = issues.stream().map(Issue::path).toList();
        for (RulesetSchema.Finding finding : findings) {
            String path = finding.issue().path();
            boolean isKnown = known.stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "/"));
            if (!finding.structural() && !isKnown) {
                issues.add(finding.issue());
            }
        }
    }

    /** Returns whether the names in the map at {@code path} are keys of objects rather than fields. */
    static boolean holdsEntries(String path) {
        return switch (RulesetSource.typeAt(path)) {
            case Type.Entries _ -> true;
            case Type.MapOf map -> map.value() instanceof Type.Part;
            case null, default -> false;
        };
    }

    /** Replaces empty entries, such as {@code laps:}, by objects with default values. */
    private static void fillEmptyEntries(ObjectNode object, String path) {
        boolean holdsEntries = holdsEntries(path);
        for (String name : List.copyOf(object.propertyNames())) {
            JsonNode value = object.get(name);
            if (value.isNull() && holdsEntries) {
                object.putObject(name);
            } else if (value instanceof ObjectNode child) {
                fillEmptyEntries(child, path + "/" + YamlDocument.escape(name));
            }
        }
    }

    /**
     * Removes a broken value so that the rest can be validated. An entry stays, because others may refer to its key.
     */
    private static void remove(ObjectNode tree, String path) {
        JsonPointer pointer = JsonPointer.compile(path);
        JsonNode parent = tree.at(pointer.head());
        if (parent instanceof ArrayNode list) {
            list.setNull(pointer.last().getMatchingIndex()); // Removing it would shift the following ones.
        }
        if (parent instanceof ObjectNode object) {
            String name = pointer.last().getMatchingProperty();
            if (holdsEntries(pointer.head().toString())) {
                object.putObject(name);
            } else {
                object.remove(name);
            }
        }
    }

    private static boolean isWithin(String path, Set<String> broken) {
        return broken.stream().anyMatch(b -> path.equals(b) || path.startsWith(b + "/"));
    }

    /** Returns all problems in the order of the text. */
    public List<Problem> problems() {
        return problems;
    }

    /** @throws IllegalStateException if there are problems */
    public RulesetSource source() {
        if (source == null || !problems.isEmpty()) {
            throw new IllegalStateException(problems.getFirst().toString());
        }
        return source;
    }

    /** Locates issues that a server has found in this source. */
    public List<Problem> locate(List<Issue> issues) {
        return located(document, issues);
    }

    private static List<Problem> located(YamlDocument document, List<Issue> issues) {
        return issues.stream()
                .map(i -> document.problemAt(i.path(), i.message()))
                .toList();
    }
}
