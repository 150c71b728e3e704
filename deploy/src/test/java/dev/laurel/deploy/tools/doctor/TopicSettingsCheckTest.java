package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import dev.laurel.schemas.topic.Topics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TopicSettingsCheckTest {

    private static final String ALTER = "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS
            + " --alter --entity-type topics --entity-name ";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptSettingsOfCatalogue() {
        deployment.expectOk(TopicChecks::settings, Topics.all().size() + " topics have the required settings");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            laurel.commands | retention.ms           | 604800000     | -1            | fail | : the log is the whole input, and deleted records are lost
            laurel.commands | cleanup.policy         | compact       | delete        | fail | : the log is the whole input, and deleted records are lost
            laurel.commands | message.timestamp.type | LogAppendTime | CreateTime    | fail | : the time of a record is the time of its event
            laurel.commands | max.message.bytes      | 1048588       | 4194304       | fail | ''
            laurel.direct   | retention.ms           | 604800000     | -1            | fail | : what is not in the log yet would be lost, or would count at another time
            laurel.direct   | message.timestamp.type | LogAppendTime | CreateTime    | fail | : what is not in the log yet would be lost, or would count at another time
            laurel.access   | cleanup.policy         | delete        | compact       | fail | ''
            laurel.effects  | retention.ms           | 86400000      | 2592000000    | warn | ''
            laurel.outbox   | message.timestamp.type | CreateTime    | LogAppendTime | warn | : retention must begin at arrival, otherwise imported history is deleted at once
            """)
    void shouldReportSettingThatLosesData(String topic, String setting, String actual, String wanted, Status status,
            String why) {
        deployment.set(topic, setting, actual);

        deployment.expectOnly(TopicChecks::settings, status, topic,
                setting + " is " + actual + ", must be " + wanted + why,
                ALTER + topic + " --add-config " + setting + "=" + wanted);
    }

    @ParameterizedTest
    @CsvSource({"laurel.effects,retention.ms,-1", "laurel.effects,retention.ms,9999999999",
            "laurel.effects,max.message.bytes,8388608"})
    void shouldAcceptLargerLimits(String topic, String setting, String actual) {
        deployment.set(topic, setting, actual);

        deployment.expectOk(TopicChecks::settings, Topics.all().size() + " topics have the required settings");
    }
}
