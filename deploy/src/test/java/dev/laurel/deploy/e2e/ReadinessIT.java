package dev.laurel.deploy.e2e;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Tests that a ready process shows everything that was in the log when it started. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ReadinessIT {

    /** More events than are processed between the last commit and the kill. */
    private static final int USERS = 20_000;
    private static final int LOOKED_AT = 100;

    @TempDir
    private Path dataDir;

    @Test
    void shouldBeReadyOnlyAfterProcessingTheLog() throws Exception {
        try (var laurel = LaurelProcess.standalone(dataDir); var client = laurel.client()) {
            client.put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
            laurel.kill();
        }
        // The log ends with transaction markers, which no consumer reads.
        try (var laurel = LaurelProcess.standalone(dataDir); var client = laurel.client()) {
            client.get("/readyz").expect(200);
            client.record("ann", "laps-swum", "1.5");
            try (var log = new DirectProducer(laurel.bootstrapServers())) {
                for (int user = 0; user < USERS; user++) {
                    log.sendAside(nameOf(user), Instant.now(),
                            DirectProducer.event(nameOf(user), "laps-swum", "1.5"));
                }
                log.flush();
            }
            laurel.kill();
        }
        // The log ends with unprocessed records.
        try (var laurel = LaurelProcess.standalone(dataDir); var client = laurel.client()) {
            client.get("/readyz").expect(200);
            for (int user = USERS - LOOKED_AT; user < USERS; user++) {
                assertEquals(new BigDecimal("1.5"), client.user(nameOf(user)).total("laps-swum"));
            }
        }
    }

    private static String nameOf(int user) {
        return "swimmer-" + user;
    }
}
