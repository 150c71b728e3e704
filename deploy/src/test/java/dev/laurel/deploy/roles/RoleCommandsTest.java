package dev.laurel.deploy.roles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.runtime.DeliveryConfig.Sending;
import dev.laurel.deploy.CommandRun;
import dev.laurel.gateway.GatewayConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        assertTrue(
                run.err().startsWith("laurel: --advertised host:port is needed: --host 0.0.0.0 stands for all"),
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
    @CsvSource(
            delimiter = '|',
            value = {
                "--oidc-client-id=laurel | the --oidc options need --oidc-issuer",
                "--oidc-issuer=https://id.example | --oidc-issuer needs --oidc-client-id, --oidc-redirect-url and"
                        + " --oidc-roles",
                "ALL --oidc-roles=ops=root | --oidc-roles must be group=role or group=role@tenant with a role of"
                        + " viewer, support, editor, admin, is 'ops=root'",
                "ALL --oidc-roles=a=admin;b | --oidc-roles must be group=role or group=role@tenant with a role of"
                        + " viewer, support, editor, admin, is 'b'",
                "ALL --oidc-roles=a=admin --oidc-scopes=email | --oidc-scopes must contain openid, is email",
                "ALL --oidc-roles=a=admin --oidc-issuer=http://id.example | OpenID Connect: the issuer must be an"
                        + " https address, or http on a loopback address, is http://id.example",
                "ALL --oidc-roles=a=admin --oidc-client-secret=s --oidc-client-secret-file=f | --oidc-client-secret"
                        + " and --oidc-client-secret-file exclude each other: give one of them"
            })
    void shouldRefuseAProviderThatCannotBeUsed(String options, String problem) {
        String callback = "https://laurel.example/admin/v1/session/oidc/callback";
        String given = options.contains("--oidc-issuer")
                ? options
                : options.replace("ALL", "ALL --oidc-issuer=https://id.example");
        String all = given.replace("ALL", "--oidc-client-id=laurel --oidc-redirect-url=" + callback);
        for (String role : List.of("gateway", "standalone")) {
            var arguments = new ArrayList<>(List.of(role, "--kafka", NO_KAFKA, "--admin-key", KEY));
            arguments.addAll(List.of(all.split(" ")));
            CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

            assertEquals(1, run.exitCode());
            assertEquals("laurel: " + problem, run.err().lines().findFirst().orElseThrow());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--max-in-flight, 0, 'from 1 to 1000000, is 0'",
        "--max-in-flight, 1000001, 'from 1 to 1000000, is 1000001'",
        "--reply-timeout, PT0S, 'from 1 ms to 10 minutes, like PT30S, is PT0S'",
        "--reply-timeout, PT11M, 'from 1 ms to 10 minutes, like PT30S, is PT11M'",
        "--reply-timeout, PT9000000000000000S, 'from 1 ms to 10 minutes, like PT30S, is PT2500000000000H'"
    })
    void shouldRefuseGatewaySettingsThatAreOutOfRange(String option, String value, String allowed) {
        for (CommandRun run : List.of(
                CommandRun.of("gateway", "--kafka", NO_KAFKA, "--admin-key", KEY, option, value),
                CommandRun.of("standalone", "--kafka", NO_KAFKA, "--admin-key", KEY, option, value))) {
            assertEquals(1, run.exitCode());
            assertEquals(
                    "laurel: " + option + " must be " + allowed,
                    run.err().lines().findFirst().orElseThrow());
        }
    }

    @Test
    void shouldPassGatewaySettingsOn() {
        GatewayOptions given = CommandLine.populateCommand(
                new GatewayOptions(), "--max-in-flight", "7", "--reply-timeout", "PT1.5S", "--strict");
        GatewayOptions usual = CommandLine.populateCommand(new GatewayOptions());

        assertEquals(new GatewayConfig.Limits(7, Duration.ofMillis(1500), true), given.limits());
        assertEquals(new GatewayConfig.Limits(4096, Duration.ofSeconds(30), false), usual.limits());
        assertEquals(GatewayConfig.Limits.DEFAULT, usual.limits());
    }

    @ParameterizedTest
    @CsvSource({
        "node, --max-ranked, -1, 'at least 0, is -1'",
        "node, --max-lag, -1, 'at least 0, is -1'",
        "node, --threads, 65, '1 to 64, is 65'",
        "delivery, --standbys, 6, '0 to 5, is 6'",
        "node, --max-peer-calls, 0, '1 to 10000, is 0'",
        "delivery, --max-peer-calls, 10001, '1 to 10000, is 10001'",
        "delivery, --max-webhook-connections, 0, '1 to 100000, is 0'",
        "standalone, --max-connections-per-webhook, 10001, '1 to 10000, is 10001'"
    })
    void shouldRefuseLimitsThatAreOutOfRange(String role, String option, String value, String allowed) {
        var arguments = new ArrayList<>(List.of(role, "--kafka", NO_KAFKA, "--admin-key", KEY, option, value));
        if (!role.equals("standalone")) {
            arguments.addAll(List.of("--advertised", NO_KAFKA));
        }
        if (role.equals("delivery")) {
            arguments.addAll(List.of("--nodes", "http://127.0.0.1:1"));
        }
        CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

        assertEquals(1, run.exitCode());
        assertEquals(
                "laurel: " + option + " must be " + allowed,
                run.err().lines().findFirst().orElseThrow());
    }

    @Test
    void shouldPassLimitsOn() {
        assertEquals(
                5,
                CommandLine.populateCommand(new LeaderboardOptions(), "--max-ranked", "5")
                        .maxRanked());
        DeliveryOptions usual = CommandLine.populateCommand(new DeliveryOptions());
        DeliveryOptions given =
                CommandLine.populateCommand(new DeliveryOptions(), "--max-connections-per-webhook", "64");

        assertEquals(Sending.DEFAULT, usual.sending(false, ""));
        assertEquals(new InFlightLimits(1_024, 64), given.sending(false, "").webhooks());
    }

    @Test
    void shouldPreferGivenAddressesToUsualOnes() {
        DeliveryOptions usual = CommandLine.populateCommand(new DeliveryOptions());
        DeliveryOptions given = CommandLine.populateCommand(
                new DeliveryOptions(), "--allow-private-webhooks=false", "--public-url", "https://laurel.example.com/");

        assertTrue(usual.sending(true, "http://127.0.0.1:8080").allowsPrivate());
        assertEquals(
                "http://127.0.0.1:8080",
                usual.sending(true, "http://127.0.0.1:8080").publicUrl());
        assertFalse(given.sending(true, "http://127.0.0.1:8080").allowsPrivate());
        assertEquals(
                "https://laurel.example.com",
                given.sending(true, "http://127.0.0.1:8080").publicUrl());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1@127.0.0.1:9193,1@127.0.0.1:9194", "2@127.0.0.1:9193"})
    void shouldRefuseAMalformedQuorum(String quorum) {
        assertEquals(2, CommandRun.of("broker", "--quorum", quorum).exitCode());
    }
}
