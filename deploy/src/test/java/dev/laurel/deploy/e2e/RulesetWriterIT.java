package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.laurel.platform.kafka.AccessTable;
import dev.laurel.platform.kafka.GenerationTable;
import dev.laurel.platform.kafka.RulesetTable;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.processors.runtime.NodeId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.GroupState;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Nodes start and stop, each with a ruleset writer of which one is active; every edit gets a reply from the present
 * writer.
 */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RulesetWriterIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void shouldBecomeTheWriterAgain(LaurelInstance instance) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", instance.bootstrapServers());
        var fault = new CompletableFuture<Throwable>();
        edit(instance);
        try (var admin = Admin.create(client);
                var rulesets = new RulesetTable(client, fault::complete);
                var access = new AccessTable(client, fault::complete);
                var generations = new GenerationTable(client, fault::complete)) {
            rulesets.start();
            access.start();
            generations.start();
            // One member is first and one last in the order of the group, so either may become the writer.
            for (String id : List.of("-first", "z-last")) {
                try (var other = new RulesetWriter(
                        client,
                        new NodeId(id),
                        rulesets,
                        access,
                        generations,
                        (_, achievements) -> achievements,
                        (_, _) -> null,
                        InstantSource.system(),
                        fault::complete)) {
                    other.start();
                    awaitMembers(admin, 2);
                    edit(instance);
                }
                awaitMembers(admin, 1);
                edit(instance);
            }
            assertFalse(fault.isDone());
        }
    }

    /** Sends a refused edit, which reaches the writer and changes nothing for others. */
    private static void edit(LaurelInstance instance) {
        instance.client().post("/admin/v1/metrics", "[{}]").expect(200);
    }

    private static void awaitMembers(Admin admin, int count) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            ConsumerGroupDescription group = describe(admin);
            return group.groupState() == GroupState.STABLE && group.members().size() == count;
        });
    }

    private static ConsumerGroupDescription describe(Admin admin) throws ExecutionException, InterruptedException {
        String group = "laurel-ruleset-writer";
        return admin.describeConsumerGroups(Set.of(group))
                .describedGroups()
                .get(group)
                .get();
    }
}
