package dev.laurel.deploy.tools.topics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import dev.laurel.deploy.broker.BrokerSettings;
import dev.laurel.deploy.broker.EmbeddedBroker;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class TopicsIT {

    @TempDir
    private Path dir;

    @AutoClose
    private EmbeddedBroker broker;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.start(BrokerSettings.alone(dir, 0, 0));
    }

    @Test
    void shouldCreateTopicsOnceAndDescribeThem() throws Exception {
        assertEquals(row("laurel.commands", "-", "-", "-", "-", "-", "is missing"), describedCommands());

        CommandRun first = topics("create", "--partitions", "3");
        CommandRun second = topics("create", "--partitions", "5");

        assertEquals(0, first.exitCode(), first.err());
        assertTrue(first.out().endsWith(Topics.all().size() + " topics created\n"), first.out());
        assertEquals("nothing to do: all topics exist\n", second.out());
        assertEquals(row("laurel.commands", "3", "1", "1", "forever", "delete", "-"), describedCommands());
    }

    @Test
    void shouldReportDifferencesOfTopic() throws Exception {
        topics("create");
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            var commands = new ConfigResource(ConfigResource.Type.TOPIC, "laurel.commands");
            var oneDay = new AlterConfigOp(new ConfigEntry("retention.ms", "86400000"), AlterConfigOp.OpType.SET);
            admin.incrementalAlterConfigs(Map.of(commands, List.of(oneDay)))
                    .all()
                    .get(20, TimeUnit.SECONDS);
        }

        List<String> differing =
                row("laurel.commands", "12", "1", "1", "1 d", "delete", "retention.ms is 86400000, not -1");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertEquals(differing, describedCommands()));
    }

    private List<String> describedCommands() {
        return topics("describe")
                .out()
                .lines()
                .filter(line -> line.startsWith("laurel.commands "))
                .findFirst()
                .map(line -> List.of(line.split(" {2,}")))
                .orElse(List.of());
    }

    private static List<String> row(String... columns) {
        return List.of(columns);
    }

    private CommandRun topics(String command, String... options) {
        var all = new ArrayList<>(List.of("topics", command, "--kafka", broker.bootstrapServers()));
        all.addAll(List.of(options));
        return CommandRun.of(all.toArray(String[]::new));
    }
}
