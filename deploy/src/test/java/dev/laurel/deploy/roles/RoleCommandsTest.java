package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Tests that roles refuse invalid options before they start anything. */
final class RoleCommandsTest {

    private static final String KEY = "opskey01.0123456789abcdef0123456789abcdef";

    /** An address at which nothing listens. */
    private static final String NO_KAFKA = "127.0.0.1:1";

    @ParameterizedTest
    @ValueSource(strings = {"gateway", "node", "delivery"})
    void shouldRequireKafka(String role) {
        CommandRun run = CommandRun.of(role);

        assertEquals(2, run.exitCode());
        assertTrue(run.err().contains("--kafka"), run.err());
    }

    @Test
    void shouldRequireAnAdvertisedAddressForAWildcardHost() {
        CommandRun run = CommandRun.of("node", "--kafka", NO_KAFKA, "--admin-key", KEY);

        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("laurel: --advertised host:port is needed: --host 0.0.0.0 stands for all"),
                run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"node-1", "node-1:0", "node-1:99999", "node-1:80/x", "http://node-1:80", "a b:80", ":80"})
    void shouldRefuseAMalformedAddress(String advertised) {
        CommandRun run = CommandRun.of("node", "--kafka", NO_KAFKA, "--admin-key", KEY, "--advertised", advertised);

        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("laurel: --advertised must be host:port"), run.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void shouldAdvertiseItsOwnAddressByDefault(String host) {
        CommandRun run = CommandRun.of("node", "--kafka", NO_KAFKA, "--admin-key", KEY, "--host", host);

        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("laurel: cannot reach Kafka at " + NO_KAFKA), run.err());
    }

    @Test
    void shouldRefuseAMalformedKey() {
        CommandRun run = CommandRun.of("gateway", "--kafka", NO_KAFKA, "--admin-key", "secret");

        assertEquals(1, run.exitCode());
        assertTrue(run.err().startsWith("laurel: --admin-key: an admin key is 8 letters or digits"), run.err());
    }

    @ParameterizedTest
    @CsvSource({"--max-in-flight, 0, 'from 1 to 1000000, is 0'",
            "--max-in-flight, 1000001, 'from 1 to 1000000, is 1000001'",
            "--reply-timeout, PT0S, 'from 1 ms to 10 minutes, like PT30S, is PT0S'",
            "--reply-timeout, PT11M, 'from 1 ms to 10 minutes, like PT30S, is PT11M'",
            "--reply-timeout, PT9000000000000000S, 'from 1 ms to 10 minutes, like PT30S, is PT2500000000000H'"})
    void shouldRefuseGatewaySettingsThatAreOutOfRange(String option, String value, String allowed) {
        for (CommandRun run : List.of(
                CommandRun.of("gateway", "--kafka", NO_KAFKA, "--admin-key", KEY, option, value),
                CommandRun.of("standalone", "--kafka", NO_KAFKA, "--admin-key", KEY, option, value))) {
            assertEquals(1, run.exitCode());
            assertEquals("laurel: " + option + " must be " + allowed,
                    run.err().lines().findFirst().orElseThrow());
        }
    }

    @Test
    void shouldPassGatewaySettingsOn() {
        GatewayOptions given = CommandLine.populateCommand(new GatewayOptions(), "--max-in-flight", "7",
                "--reply-timeout", "PT1.5S", "--strict");
        GatewayOptions usual = CommandLine.populateCommand(new GatewayOptions());

        assertEquals(Map.of("in.flight.max", 7, "reply.timeout.ms", 1500L, "strict", true), given.settings());
        assertEquals(Map.of("in.flight.max", 4096, "reply.timeout.ms", 30_000L, "strict", false), usual.settings());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1@127.0.0.1:9193,1@127.0.0.1:9194", "2@127.0.0.1:9193"})
    void shouldRefuseAMalformedQuorum(String quorum) {
        assertEquals(2, CommandRun.of("broker", "--quorum", quorum).exitCode());
    }
}
