package dev.laurel.deploy.tools.ruleset;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.schemas.ruleset.RulesetIssue;
import dev.laurel.schemas.ruleset.RulesetSource;
import dev.laurel.schemas.ruleset.RulesetValidator;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A {@code laurel.yaml} that was read, with everything that is wrong with it at once: as YAML, in its structure (the JSON
 * Schema), in its meaning ({@link RulesetValidator}). Immutable.
 */
public final class RulesetFile {

    private static final Pattern ENTRIES = Pattern
            .compile("/metrics|/attributes/(user|event)|/achievements|/points|/points/[^/]+/(levels|boosts|triggers)"
                    + "|/leaderboards|/streak/personalizationMetrics|/webhooks|/notifications/templates");

    private final YamlDocument document;
    private final RulesetSource source;
    private final List<Problem> problems;

    private RulesetFile(YamlDocument document, RulesetSource source, Collection<Problem> problems) {
        this.document = document;
        this.source = source;
        this.problems = problems.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column)).toList();
    }

    /** @throws CommandFailed if the file cannot be read at all */
    public static RulesetFile read(Path file) {
        try {
            if (Files.size(file) > YamlDocument.MAX_CHARACTERS) {
                throw new CommandFailed(file + " is larger than " + YamlDocument.MAX_CHARACTERS + " bytes");
            }
            return parse(file.toString(), Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new CommandFailed("there is no file " + file, e);
        } catch (CharacterCodingException e) {
            throw new CommandFailed(file + " is not UTF-8 text", e);
        } catch (IOException e) {
            throw new CommandFailed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** @param name what problems call the text */
    public static RulesetFile parse(String name, String text) {
        YamlDocument document = YamlDocument.parse(name, text);
        if (document.root() == null || !document.problems().isEmpty()) {
            return new RulesetFile(document, null, document.problems());
        }
        if (!document.root().isObject()) {
            String message = document.root().isNull()
                    ? "holds nothing; a ruleset without any rules is written {}"
                    : "must be a map with the fields of a ruleset, such as metrics";
            return new RulesetFile(document, null, List.of(document.problemAt("", message)));
        }
        return check(document);
    }

    private static RulesetFile check(YamlDocument document) {
        ObjectNode tree = (ObjectNode) document.root();
        fillEmptyEntries(tree, "");
        List<RulesetSchema.Finding> findings = RulesetSchema.load().check(tree);
        var issues = new ArrayList<RulesetIssue>();
        var broken = new HashSet<String>();
        for (RulesetSchema.Finding finding : findings) {
            if (finding.structural()) {
                issues.add(finding.issue());
                broken.add(finding.issue().path());
                takeOut(tree, finding.issue().path());
            }
        }
        RulesetSource source = Json.mapperForTools().treeToValue(tree, RulesetSource.class);
        // Without the metrics every reference would lead nowhere: that section's own problem is the one to solve first.
        if (!broken.contains("/metrics")) {
            RulesetValidator.check(source).stream().filter(i -> !isWithin(i.path(), broken)).forEach(issues::add);
        }
        addUnsaid(findings, issues);
        return new RulesetFile(document, source, located(document, issues));
    }

    /** What only the schema refuses; where the validator spoke about the same value, its words are enough. */
    private static void addUnsaid(List<RulesetSchema.Finding> findings, List<RulesetIssue> issues) {
        List<String> said = issues.stream().map(RulesetIssue::path).toList();
        for (RulesetSchema.Finding finding : findings) {
            String path = finding.issue().path();
            boolean isSaid = said.stream().anyMatch(p -> p.equals(path) || p.startsWith(path + "/"));
            if (!finding.structural() && !isSaid) {
                issues.add(finding.issue());
            }
        }
    }

    /** Whether the names in the map at {@code path} are keys of objects and not fields. */
    static boolean holdsEntries(String path) {
        return ENTRIES.matcher(path).matches();
    }

    /** {@code laps:} with nothing behind it is an object with every default. */
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

    /** Takes a broken value out, so that the rest can be judged; an entry stays, as others may refer to its key. */
    private static void takeOut(ObjectNode tree, String path) {
        JsonPointer pointer = JsonPointer.compile(path);
        JsonNode around = tree.at(pointer.head());
        if (around instanceof ArrayNode list) {
            list.setNull(pointer.last().getMatchingIndex()); // removed, it would give its place to the next one
        }
        if (!(around instanceof ObjectNode parent)) {
            return;
        }
        String name = pointer.last().getMatchingProperty();
        if (holdsEntries(pointer.head().toString())) {
            parent.putObject(name);
        } else {
            parent.remove(name);
        }
    }

    private static boolean isWithin(String path, Set<String> broken) {
        return broken.stream().anyMatch(b -> path.equals(b) || path.startsWith(b + "/"));
    }

    /** Everything that is wrong, in the order of the text. */
    public List<Problem> problems() {
        return problems;
    }

    /** @throws IllegalStateException if there are problems */
    public RulesetSource source() {
        if (!problems.isEmpty()) {
            throw new IllegalStateException(problems.getFirst().toString());
        }
        return source;
    }

    /** Problems that someone else, a server, found in this source. */
    public List<Problem> locate(List<RulesetIssue> issues) {
        return located(document, issues);
    }

    private static List<Problem> located(YamlDocument document, List<RulesetIssue> issues) {
        return issues.stream().map(i -> document.problemAt(i.path(), i.message())).toList();
    }
}
