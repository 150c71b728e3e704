package dev.laurel.deploy.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BrokerSettingsTest {
    private static final Path DIR = Path.of("broker");
    private static final String THREE = "1@127.0.0.1:9101,2@127.0.0.1:9102,3@[::1]:9103";

    @Test
    void shouldParseQuorum() {
        SortedMap<Integer, String> quorum = BrokerSettings.parseQuorum(THREE);

        assertEquals(Map.of(1, "127.0.0.1:9101", 2, "127.0.0.1:9102", 3, "[::1]:9103"), quorum);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "127.0.0.1:9101",
                "x@127.0.0.1:9101",
                "1@127.0.0.1",
                "1@127.0.0.1:0",
                "1@127.0.0.1:9101,1@127.0.0.1:9102",
                "1@a b:9101"
            })
    void shouldRefuseMalformedQuorum(String text) {
        assertThrows(IllegalArgumentException.class, () -> BrokerSettings.parseQuorum(text));
    }

    @Test
    void shouldTakeControllerPortFromQuorum() {
        BrokerSettings settings = new BrokerSettings(DIR, "127.0.0.1", 9092, 0, 2, BrokerSettings.parseQuorum(THREE));

        assertEquals(9102, settings.controllerPort());
    }

    @Test
    void shouldRefuseNodeOutsideQuorum() {
        SortedMap<Integer, String> quorum = BrokerSettings.parseQuorum(THREE);

        assertThrows(IllegalArgumentException.class, () -> new BrokerSettings(DIR, "127.0.0.1", 9092, 0, 4, quorum));
    }

    @Test
    void shouldRefuseAControllerPortOtherThanInTheQuorum() {
        SortedMap<Integer, String> quorum = BrokerSettings.parseQuorum(THREE);

        assertThrows(IllegalArgumentException.class, () -> new BrokerSettings(DIR, "127.0.0.1", 9092, 9103, 2, quorum));
    }

    @Test
    void shouldRefuseOnePortForTwoListeners() {
        assertThrows(IllegalArgumentException.class, () -> BrokerSettings.alone(DIR, 9092, 9092));
    }

    @Test
    void shouldReplicateInternalTopicsAcrossQuorum() {
        BrokerSettings settings = new BrokerSettings(DIR, "127.0.0.1", 9092, 0, 1, BrokerSettings.parseQuorum(THREE));

        Map<String, Object> properties = BrokerProperties.of(settings);

        assertEquals("3", properties.get("offsets.topic.replication.factor"));
        assertEquals("2", properties.get("transaction.state.log.min.isr"));
        assertEquals(THREE, properties.get("controller.quorum.voters"));
    }

    @Test
    void shouldKeepSingleCopyWhenAlone() {
        Map<String, Object> properties =
                BrokerProperties.of(new BrokerSettings(DIR, "127.0.0.1", 9092, 9093, 1, new TreeMap<>()));

        assertEquals("1", properties.get("transaction.state.log.replication.factor"));
        assertEquals("1@127.0.0.1:9093", properties.get("controller.quorum.voters"));
        assertTrue(properties.values().stream().allMatch(String.class::isInstance));
    }

    @Test
    void shouldAcceptRecordsFromTheFutureOnlyOnRequest() {
        BrokerSettings settings = BrokerSettings.alone(DIR, 9092, 9093);
        String future = "log.message.timestamp.after.max.ms";

        assertFalse(BrokerProperties.of(settings).containsKey(future));
        assertEquals(
                Long.toString(Long.MAX_VALUE),
                BrokerProperties.of(settings.takingFuture()).get(future));
        assertEquals(
                Long.toString(Long.MAX_VALUE),
                BrokerProperties.of(settings.takingFuture().withPorts(1, 2)).get(future));
    }
}
