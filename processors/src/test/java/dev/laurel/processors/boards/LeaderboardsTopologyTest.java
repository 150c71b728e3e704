package dev.laurel.processors.boards;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.stream.TaskTracker;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.topic.Generation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The topology of leaderboards, whose store names are durable data. */
class LeaderboardsTopologyTest {

    @Test
    void shouldMatchTheApprovedTopology() throws IOException {
        var topology = LeaderboardsTopology.build(
                new LeaderboardsTopology.Dependencies(
                        new RulesetVersions(new Published(), Duration.ZERO),
                        new LeaderboardViews(1),
                        new LeaderboardLayout(1),
                        1),
                TaskTracker.NONE,
                new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, false, true));
        String approved;
        try (var in = LeaderboardsTopologyTest.class.getResourceAsStream("/topology/boards.txt")) {
            approved = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertEquals(
                approved.strip(),
                withSortedStores(topology.describe().toString()).strip(),
                "names of stores are durable data; if this change is meant, put it into topology/boards.txt");
    }

    /** Sorts lines, since Kafka Streams prints them in no order. */
    private static String withSortedStores(String description) {
        return Pattern.compile("stores: \\[(.*)]")
                .matcher(description)
                .replaceAll(stores -> "stores: ["
                        + Stream.of(stores.group(1).split(", ")).sorted().collect(Collectors.joining(", ")) + "]");
    }
}
