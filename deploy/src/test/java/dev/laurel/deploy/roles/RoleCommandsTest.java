package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    @ValueSource(strings = {"1", "1@127.0.0.1:9193,1@127.0.0.1:9194", "2@127.0.0.1:9193"})
    void shouldRefuseAMalformedQuorum(String quorum) {
        assertEquals(2, CommandRun.of("broker", "--quorum", quorum).exitCode());
    }
}
