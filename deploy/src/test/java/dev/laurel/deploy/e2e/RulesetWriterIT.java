package dev.laurel.deploy.e2e;

import dev.laurel.processors.NodeId;
import dev.laurel.processors.publish.RulesetWriter;
import dev.laurel.schemas.topic.AccessTable;
import dev.laurel.schemas.topic.GenerationTable;
import dev.laurel.schemas.topic.RulesetTable;
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

import static org.junit.jupiter.api.Assertions.assertFalse;

/** Nodes come and go, each with a writer, and one of them writes: an edit is answered by whoever it is then. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RulesetWriterIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Test
    void shouldBeTheWriterAgainAfterAnotherOne(LaurelInstance instance) throws Exception {
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
            // One before all others in the group's order, one behind them: either may be given the edits.
            for (String id : List.of("-first", "z-last")) {
                try (var other = new RulesetWriter(client, new NodeId(id), rulesets, access, generations,
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

    /** One that is refused goes all the way, and changes nothing for others. */
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
        return admin.describeConsumerGroups(Set.of(group)).describedGroups().get(group).get();
    }
}
