package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.StreamsApplication;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.Generation;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ChangelogsCheckTest {

    private static final String USERS = "laurel-ledger-users-changelog";
    private static final String REBUILD = "rebuild the state from the log: deploy/laurel replay --promote --kafka "
            + Deployment.BROKERS;

    private final Deployment deployment = new Deployment();

    @Test
    void shouldCheckStoresOfAllApplications() {
        assertEquals(List.of("counters", "idempotency-keys", "metric-days", "partition-state", "points-ledger",
                "streak-periods",
                "timers", "users"), StreamsApplication.of(Generation.FIRST).getFirst().stores());
        deployment.expectOk(ApplicationChecks::changelogs, "13 stores can be restored from their changelogs");
    }

    @Test
    void shouldFailIfChangelogIsMissing() {
        deployment.topics.remove(USERS);

        deployment.expectOnly(ApplicationChecks::changelogs, Status.fail, USERS,
                "is missing: the store cannot be restored elsewhere", REBUILD);
    }

    @Test
    void shouldNameWhatEarlierReleasesHaveLeft() {
        String former = "laurel-delivery-webhooks-changelog";
        deployment.topics.put(former, deployment.topics.get("laurel-delivery-deliveries-changelog"));

        deployment.expectOnly(ApplicationChecks::changelogs, Status.warn, former,
                "was of a store of an earlier release, and is not read any more",
                "kafka-topics.sh --bootstrap-server " + Deployment.BROKERS + " --delete --topic " + former);
    }

    @Test
    void shouldFailIfPartitionsDifferFromLog() {
        deployment.partitions(USERS, Deployment.partition(0));

        deployment.expectOnly(ApplicationChecks::changelogs, Status.fail, USERS,
                "has 1 partitions, laurel.commands has 2",
                REBUILD);
    }

    @Test
    void shouldFailIfOldStateIsDeleted() {
        deployment.set(USERS, "cleanup.policy", "delete");

        deployment.expectOnly(ApplicationChecks::changelogs, Status.fail, USERS,
                "cleanup.policy is delete, must be compact: old state is deleted",
                "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS
                        + " --alter --entity-type topics --entity-name " + USERS
                        + " --add-config cleanup.policy=compact");
    }

    @Test
    void shouldFailIfLargeUserIsRefused() {
        deployment.set(USERS, "max.message.bytes", "1048588");

        assertEquals("max.message.bytes is 1048588, must be 4194304: a large user would stop the task",
                deployment.findingsOf(ApplicationChecks::changelogs).getFirst().message());
    }

    @Test
    void shouldIgnoreApplicationThatHasNeverRun() {
        deployment.groups.clear();
        deployment.topics.keySet().removeIf(name -> name.endsWith("-changelog"));

        assertEquals(List.of(), deployment.findingsOf(ApplicationChecks::changelogs));
    }
}
