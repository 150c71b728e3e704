package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Finding.Status;
import dev.laurel.schemas.topic.Generation;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ChangelogsCheckTest {

    private static final String USERS = "laurel-ledger-users-changelog";
    private static final String REBUILD = "build the state anew from the log: deploy/laurel replay --promote --kafka "
            + Deployment.BROKERS;

    private final Deployment deployment = new Deployment();

    @Test
    void shouldKnowTheStoresOfAllApplications() {
        assertEquals(List.of("idempotency-keys", "metric-days", "partition-state", "points-ledger", "streak-periods",
                "timers", "users"), ClusterFacts.StreamsApplication.of(Generation.FIRST).getFirst().stores());
        deployment.expectOk(new ApplicationChecks.ChangelogsCheck(), "13 stores can be restored from their changelogs");
    }

    @Test
    void shouldFailWhereOneIsMissing() {
        deployment.topics.remove(USERS);

        deployment.expectOnly(new ApplicationChecks.ChangelogsCheck(), Status.fail, USERS,
                "is missing: the store cannot be restored elsewhere", REBUILD);
    }

    @Test
    void shouldFailWhereOneIsNotAsWideAsTheLog() {
        deployment.partitions(USERS, Deployment.partition(0));

        deployment.expectOnly(new ApplicationChecks.ChangelogsCheck(), Status.fail, USERS,
                "has 1 partitions, laurel.commands has 2",
                REBUILD);
    }

    @Test
    void shouldFailWhereOldStateIsDeleted() {
        deployment.set(USERS, "cleanup.policy", "delete");

        deployment.expectOnly(new ApplicationChecks.ChangelogsCheck(), Status.fail, USERS,
                "cleanup.policy is delete, must be compact: state is lost when it gets old",
                "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS
                        + " --alter --entity-type topics --entity-name " + USERS
                        + " --add-config cleanup.policy=compact");
    }

    @Test
    void shouldFailWhereALargeUserIsRefused() {
        deployment.set(USERS, "max.message.bytes", "1048588");

        assertEquals("max.message.bytes is 1048588, must be 4194304: a large user would stop the task",
                deployment.judgedBy(new ApplicationChecks.ChangelogsCheck()).getFirst().message());
    }

    @Test
    void shouldAskNothingOfAnApplicationThatHasNeverRun() {
        deployment.groups.clear();
        deployment.topics.keySet().removeIf(name -> name.endsWith("-changelog"));

        assertEquals(List.of(), deployment.judgedBy(new ApplicationChecks.ChangelogsCheck()));
    }
}
