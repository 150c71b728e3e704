package dev.laurel.processors.cases;

import static org.junit.jupiter.api.DynamicContainer.dynamicContainer;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.laurel.core.TestRulesets;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Published;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Runs the rule cases in {@code src/test/resources/cases}, one test each, through the real topology. The README.md there
 * describes their form; a new case needs no Java. With {@code -Dlaurel.cases=streak} only files with that text in their name
 * run.
 */
class CasesTest {

    /**
     * The one that cases of a file share. There is one at a time: stores of many exceed the memory for write buffers, and then flush with
     * every write.
     */
    private LedgerDriver shared;

    @AfterEach
    void closeLedger() {
        if (shared != null) {
            shared.close();
            shared = null;
        }
    }

    @TestFactory
    Stream<DynamicContainer> shouldFollowTheRules() throws IOException, URISyntaxException {
        Path folder = Path.of(CasesTest.class.getResource("/cases").toURI());
        try (var files = Files.walk(folder)) {
            String asked = System.getProperty("laurel.cases", "");
            return files
                    .filter(f -> f.toString().endsWith(".yaml")
                            && folder.relativize(f).toString().contains(asked))
                    .sorted()
                    .toList()
                    .stream()
                    .map(this::rule);
        }
    }

    /** The cases of a file share a ledger, in which each has its own tenant, unless the file has leaderboards. */
    private DynamicContainer rule(Path file) {
        JsonNode rule = TestRulesets.YAML.readTree(file.toFile());
        var published = new Published();
        var cases = new ArrayList<DynamicNode>();
        for (JsonNode one : rule.get("cases")) {
            int number = cases.size() + 1;
            cases.add(dynamicTest(one.get("case").asString(), () -> {
                if (rule.path("ruleset").has("leaderboards")) {
                    runWithBoards(rule, one);
                    return;
                }
                if (number == 1) {
                    closeLedger();
                }
                if (shared == null) {
                    shared = new LedgerDriver(published);
                }
                String tenant = one.has("tenant") ? one.get("tenant").asString() : "case-" + number;
                new RuleCase(shared, null, published, tenant, rule, one).run();
            }));
        }
        return dynamicContainer(rule.get("rule").asString(), cases);
    }

    /** Each case of a file with leaderboards has its own ledger, since a final run stays final. */
    private static void runWithBoards(JsonNode rule, JsonNode one) {
        var published = new Published();
        var ledger = new LedgerDriver(published);
        try (var boards = new CaseLeaderboards(ledger, published)) {
            new RuleCase(ledger, boards, published, "case", rule, one).run();
        }
    }
}
