package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import org.junit.jupiter.api.Test;

final class LogTimesCheckTest {

    private static final String LOG = "laurel.commands";
    private static final String ALTER = "kafka-configs.sh --bootstrap-server " + Deployment.BROKERS
            + " --alter --entity-type topics --entity-name laurel.commands --add-config ";

    private final Deployment deployment = new Deployment();

    @Test
    void shouldAcceptAnyPastAndOneHourAhead() {
        deployment.expectOk(TopicChecks::logTimes, "the log accepts any past time and no time in the far future");
    }

    @Test
    void shouldWarnIfHistoryIsRefused() {
        deployment.set(LOG, "message.timestamp.before.max.ms", "604800000");

        deployment.expectOnly(TopicChecks::logTimes, Status.warn, LOG,
                "message.timestamp.before.max.ms is 604800000: older history cannot be imported",
                ALTER + "message.timestamp.before.max.ms=9223372036854775807");
    }

    @Test
    void shouldFailIfSlightlyFastClockIsRefused() {
        deployment.set(LOG, "message.timestamp.after.max.ms", "500");

        deployment.expectOnly(TopicChecks::logTimes, Status.fail, LOG,
                "message.timestamp.after.max.ms is 500: events of a gateway whose clock is a little ahead are refused",
                ALTER + "message.timestamp.after.max.ms=3600000");
    }

    @Test
    void shouldWarnIfAnyFutureIsAccepted() {
        deployment.set(LOG, "message.timestamp.after.max.ms", Long.toString(Long.MAX_VALUE));

        deployment.expectOnly(TopicChecks::logTimes, Status.warn, LOG,
                "message.timestamp.after.max.ms is 9223372036854775807: a producer with a wrong clock can move a user's"
                        + " time far ahead (keep it if you use --test-clock)",
                ALTER + "message.timestamp.after.max.ms=3600000");
    }
}
