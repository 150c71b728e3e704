package dev.laurel.deploy.observe;

import dev.laurel.deploy.observe.PromQuery.Selector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * A query of an alert or of the dashboard.
 *
 * @param where location, for people
 * @param shown labels used in a text beside it
 */
public record ObservedQuery(String where, String expression, Set<String> shown) {

    static final Path FOLDER = Path.of("observe");

    /** Labels that the scraper adds to each line. */
    private static final Set<String> OF_SCRAPE = Set.of("job", "instance", "role", "le");

    /** A metric of the scraper. */
    private static final String UP = "up";

    /** Labels of which some values appear only occasionally. */
    private static final Set<String> OCCASIONAL = Set.of("status");

    private static final Pattern SHOWN = Pattern.compile("\\{\\{\\s*(?:[$]labels[.])?([a-z_]+)\\s*}}");

    /** Returns all queries. */
    public static List<ObservedQuery> all() {
        var all = new ArrayList<ObservedQuery>();
        for (JsonNode rule : alerts()) {
            JsonNode texts = rule.get("annotations");
            all.add(new ObservedQuery(
                    "alert " + rule.get("alert").asString(),
                    rule.get("expr").asString(),
                    shownIn(texts.get("summary").asString()
                            + texts.get("description").asString())));
        }
        for (JsonNode panel : dashboard().get("panels")) {
            for (JsonNode target : panel.path("targets")) {
                all.add(new ObservedQuery(
                        "panel " + panel.get("title").asString(),
                        target.get("expr")
                                .asString()
                                .replace("\"$instance\"", "\".*\"")
                                .replace("$__rate_interval", "5m"),
                        shownIn(target.get("legendFormat").asString())));
            }
        }
        return all;
    }

    static List<JsonNode> alerts() {
        var rules = new ArrayList<JsonNode>();
        YAMLMapper.shared()
                .readTree(text("alerts.yaml"))
                .get("groups")
                .forEach(group -> group.get("rules").forEach(rules::add));
        return rules;
    }

    static JsonNode dashboard() {
        return JsonMapper.shared().readTree(text("grafana/laurel.json"));
    }

    static String text(String file) {
        try {
            return Files.readString(FOLDER.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> shownIn(String text) {
        var shown = new TreeSet<String>();
        SHOWN.matcher(text).results().forEach(label -> shown.add(label.group(1)));
        return shown;
    }

    /** Returns the metrics and labels of the query that do not exist. */
    public List<String> problems(Exposition there) {
        var problems = new ArrayList<String>();
        PromQuery query = PromQuery.parse(expression);
        var labels = new TreeSet<>(OF_SCRAPE);
        for (Selector selector : query.selectors()) {
            if (selector.metric().equals(UP)) {
                continue;
            }
            List<Exposition.Sample> samples = there.samples().getOrDefault(selector.metric(), List.of());
            if (samples.isEmpty()) {
                problems.add(where + ": no metric " + selector.metric());
            }
            samples.forEach(sample -> labels.addAll(sample.labels().keySet()));
            selector.demands().forEach((label, demand) -> {
                boolean isThere = OF_SCRAPE.contains(label)
                        || samples.stream()
                                .anyMatch(sample -> sample.labels().containsKey(label)
                                        && (OCCASIONAL.contains(label)
                                                || demand.admits(sample.labels().get(label))));
                if (!isThere) {
                    problems.add(where + ": no " + selector.metric() + " with " + label + " " + demand.operator() + " "
                            + demand.value());
                }
            });
        }
        if (query.selectors().isEmpty()) {
            problems.add(where + ": asks for no metric");
        }
        query.grouping().stream()
                .filter(label -> !labels.contains(label))
                .forEach(label -> problems.add(where + ": groups by " + label + ", which no metric of it has"));
        boolean isGrouped = expression.contains(" by (");
        shown.stream()
                .filter(label -> isGrouped ? !query.grouping().contains(label) : !labels.contains(label))
                .forEach(label -> problems.add(where + ": shows " + label + ", which its result does not have"));
        return problems;
    }
}
