package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.kafka.common.config.TopicConfig;
import org.junit.jupiter.api.Test;

class TopicsTest {

    /** Names are durable data: a changed name means a new, empty topic beside the old one, which keeps all records. */
    @Test
    void shouldKeepNamesPartitioningAndRetention() {
        List<String> catalogue = Topics.all().stream()
                .map(t -> "%s %s %s %s %s"
                        .formatted(
                                t.name(),
                                t.partitioning(),
                                t.config().getOrDefault(TopicConfig.CLEANUP_POLICY_CONFIG, "delete"),
                                t.config().getOrDefault(TopicConfig.RETENTION_MS_CONFIG, "-"),
                                t.config().getOrDefault(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "-")))
                .toList();

        assertEquals(
                List.of(
                        "laurel.commands USERS delete -1 CreateTime",
                        "laurel.direct USERS delete -1 CreateTime",
                        "laurel.ruleset-edits ONE delete 604800000 LogAppendTime",
                        "laurel.rulesets ONE compact - -",
                        "laurel.ruleset-archive ONE delete -1 CreateTime",
                        "laurel.access ONE compact - -",
                        "laurel.scores BOARDS delete 604800000 LogAppendTime",
                        "laurel.effects USERS delete 2592000000 LogAppendTime",
                        "laurel.replies GATEWAYS delete 3600000 LogAppendTime",
                        "laurel.rejections ONE delete 2592000000 LogAppendTime",
                        "laurel.outbox USERS delete 604800000 LogAppendTime",
                        "laurel.send-marks USERS delete 604800000 LogAppendTime",
                        "laurel.generations ONE compact - -",
                        "laurel.audit ONE delete 34560000000 CreateTime"),
                catalogue);
    }
}
