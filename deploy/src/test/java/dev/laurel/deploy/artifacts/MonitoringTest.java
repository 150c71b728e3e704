package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Compares the manifests for the Prometheus operator with the files that Prometheus reads without it. */
final class MonitoringTest {

    private static final String RULES = "kubernetes/monitoring/rules.yaml";
    private static final String ALERTS = "observe/alerts.yaml";

    private final Manifests manifests = Manifests.read();

    @Test
    void shouldHaveTheSameAlertsInKubernetes() throws IOException {
        if (Boolean.getBoolean("laurel.approve")) {
            approve();
        }
        assertEquals(
                DeployFiles.yaml(DeployFiles.path(ALERTS)).getFirst().get("groups"),
                DeployFiles.yaml(DeployFiles.path(RULES)).getFirst().at("/spec/groups"),
                "if " + ALERTS + " is right, run this test with -Dlaurel.approve=true and commit " + RULES);
    }

    /** Returns the groups of that file, indented by two columns. */
    private static void approve() throws IOException {
        String rules = DeployFiles.text(RULES);
        String alerts = DeployFiles.text(ALERTS);
        String groups = alerts.substring(alerts.indexOf("groups:"))
                .lines()
                .map(line -> line.isBlank() ? "" : "  " + line)
                .collect(Collectors.joining("\n", "", "\n"));
        Files.writeString(DeployFiles.path(RULES), rules.substring(0, rules.indexOf("  groups:")) + groups);
    }

    @Test
    void shouldScrapeExistingPortsOfPods() {
        for (Manifests.Manifest monitor : manifests.of("PodMonitor")) {
            for (JsonNode endpoint : monitor.json().at("/spec/podMetricsEndpoints")) {
                assertEquals("/metrics", endpoint.get("path").asString());
                Set<String> components = components(monitor.json().at("/spec/selector"));
                assertTrue(!components.isEmpty(), monitor.toString());
                components.forEach(component ->
                        assertTrue(hasPort(component, endpoint.get("port").asString()), monitor + " " + component));
            }
        }
    }

    private static Set<String> components(JsonNode selector) {
        var components = new TreeSet<String>();
        JsonNode one = selector.path("matchLabels").path("app.kubernetes.io/component");
        if (one.isString()) {
            components.add(one.asString());
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            if (expression.get("key").asString().equals("app.kubernetes.io/component")) {
                components.addAll(ComposeFile.Service.strings(expression.get("values")));
            }
        }
        return components;
    }

    private boolean hasPort(String component, String port) {
        return manifests.containers().stream()
                .anyMatch(container -> container
                                .owner()
                                .json()
                                .at("/spec/template/metadata/labels")
                                .path("app.kubernetes.io/component")
                                .asString()
                                .equals(component)
                        && container.ports().containsKey(port));
    }

    @Test
    void shouldSetTheLabelsThatAlertsUse() {
        JsonNode prometheus =
                DeployFiles.yaml(DeployFiles.path("observe/prometheus.yml")).getFirst();
        JsonNode monitor = manifests.only("PodMonitor", "laurel").json();
        List<JsonNode> relabelings = StreamSupport.stream(
                        monitor.at("/spec/podMetricsEndpoints/0/relabelings").spliterator(), false)
                .toList();

        assertEquals(
                Set.of("job", "instance", "role"),
                relabelings.stream()
                        .map(relabeling -> relabeling.get("targetLabel").asString())
                        .collect(Collectors.toSet()));
        assertEquals(
                prometheus.at("/scrape_configs/0/job_name").asString(),
                relabelings.stream()
                        .filter(relabeling ->
                                relabeling.get("targetLabel").asString().equals("job"))
                        .findFirst()
                        .orElseThrow()
                        .get("replacement")
                        .asString());
    }

    @Test
    void shouldScrapeTheIngressUnderTheNameInItsAlert() {
        JsonNode prometheus =
                DeployFiles.yaml(DeployFiles.path("observe/prometheus.yml")).getFirst();
        JsonNode monitor = manifests.only("PodMonitor", "laurel-ingress").json();

        assertEquals(
                "laurel-ingress", prometheus.at("/scrape_configs/1/job_name").asString());
        assertEquals(
                "laurel-ingress",
                monitor.at("/spec/podMetricsEndpoints/0/relabelings/0/replacement")
                        .asString());
        assertTrue(DeployFiles.text("observe/alerts.yaml").contains("up{job=\"laurel-ingress\"}"));
    }
}
