package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.Topics;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TopicsCheckTest {

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptAllTopics() {
        deployment.expectOk(TopicChecks::topics,
                Topics.all().size() + " topics exist, users are in 2 partitions");
    }

    @Test
    void shouldShowHowToCreateMissingTopic() {
        deployment.topics.remove("laurel.effects");

        deployment.expectOnly(TopicChecks::topics, Status.fail, "laurel.effects", "is missing",
                "deploy/laurel topics create --partitions 2 --kafka " + Deployment.BROKERS);
    }

    @Test
    void shouldReportAllTopicsOfEmptyCluster() {
        deployment.topics.clear();

        var findings = deployment.findingsOf(TopicChecks::topics);
        assertEquals(Topics.all().size(), findings.size());
        assertEquals("deploy/laurel topics create --kafka " + Deployment.BROKERS, findings.getFirst().fix());
    }

    @Test
    void shouldShowHowToWidenTopicOfUsers() {
        deployment.partitions("laurel.outbox", Deployment.partition(0));

        deployment.expectOnly(TopicChecks::topics, Status.fail, "laurel.outbox",
                "has 1 partitions, must have as many as laurel.commands, 2",
                "kafka-topics.sh --bootstrap-server " + Deployment.BROKERS
                        + " --alter --topic laurel.outbox --partitions 2");
    }

    @Test
    void shouldLetTopicsOfDirectProducersHaveAnyNumberOfPartitions() {
        deployment.partitions("laurel.direct", Deployment.partition(0));
        deployment.topics.put("laurel.direct.acme", deployment.topics.get("laurel.access"));

        deployment.expectOk(TopicChecks::topics,
                Topics.all().size() + 1 + " topics exist, users are in 2 partitions");
    }

    @Test
    void shouldNotSuggestRemovingPartitions() {
        deployment.partitions("laurel.outbox", Deployment.partition(0), Deployment.partition(1),
                Deployment.partition(2));

        var finding = deployment.findingsOf(TopicChecks::topics).getFirst();
        assertEquals(Status.fail, finding.status());
        assertTrue(finding.fix().startsWith("partitions cannot be removed"), finding.fix());
    }

    @Test
    void shouldFailForTwoPartitionsIfOrderMatters() {
        deployment.partitions("laurel.rulesets", Deployment.partition(0), Deployment.partition(1));

        var finding = deployment.findingsOf(TopicChecks::topics).getFirst();
        assertEquals(Status.fail, finding.status());
        assertEquals("has 2 partitions, must have 1: its order matters", finding.message());
    }

    @Test
    void shouldAcceptAnyNumberOfScoresAndReplies() {
        deployment.partitions("laurel.scores", Deployment.partition(0));
        deployment.partitions("laurel.replies", Deployment.partition(0));

        deployment.expectOk(TopicChecks::topics,
                Topics.all().size() + " topics exist, users are in 2 partitions");
    }
}
