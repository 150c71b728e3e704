package dev.laurel.deploy.observe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests alerts, dashboard and runbook, as far as possible without an instance. */
class AlertRulesTest {

    private static final String RUNBOOK = "docs/operations/runbooks/alerts.md#";

    @Test
    void shouldDescribeEachAlertAndItsRemedy() {
        var wrong = new ArrayList<String>();
        for (JsonNode rule : ObservedQuery.alerts()) {
            JsonNode texts = rule.get("annotations");
            boolean isWhole = Set.of("page", "ticket")
                            .contains(rule.at("/labels/severity").asString())
                    && !texts.path("summary").asString().isBlank()
                    && !texts.path("description").asString().isBlank()
                    && texts.path("runbook").asString().startsWith(RUNBOOK);
            if (!isWhole) {
                wrong.add(rule.get("alert").asString());
            }
        }

        assertEquals(List.of(), wrong);
    }

    @Test
    void shouldHaveOneRunbookSectionPerAlert() throws IOException {
        Set<String> asked = ObservedQuery.alerts().stream()
                .map(rule -> rule.at("/annotations/runbook").asString().substring(RUNBOOK.length()))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> there = Files.readAllLines(Path.of("..", "docs", "operations", "runbooks", "alerts.md")).stream()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3)
                        .toLowerCase()
                        .replaceAll("[^a-z0-9 -]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(asked, there);
    }

    @Test
    void shouldGiveEveryPanelAUniqueIdAndTheSelectedDataSource() {
        var ids = new HashSet<Integer>();
        for (JsonNode panel : ObservedQuery.dashboard().get("panels")) {
            assertTrue(ids.add(panel.get("id").intValue()), panel.get("title").asString());
            for (JsonNode target : panel.path("targets")) {
                assertEquals(
                        "${datasource}",
                        target.at("/datasource/uid").asString(),
                        panel.get("title").asString());
            }
        }
    }

    @Test
    void shouldPassPromtoolIfInstalled() throws IOException, InterruptedException {
        Path tool = Path.of("/usr/bin/promtool");
        Assumptions.assumeTrue(Files.isExecutable(tool), "promtool is not installed");
        Process check = new ProcessBuilder(tool.toString(), "check", "config", "prometheus.yml")
                .directory(ObservedQuery.FOLDER.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(check.getInputStream().readAllBytes());

        assertEquals(0, check.waitFor(), said);
    }
}
