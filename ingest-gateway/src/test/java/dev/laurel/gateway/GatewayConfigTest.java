package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {

    @Test
    void shouldHaveDefaultsForAllSettingsExceptBrokers() {
        GatewayConfig config = config(Map.of());

        assertEquals(4096, config.maxInFlight());
        assertEquals(Duration.ofSeconds(30), config.replyTimeout());
        assertFalse(config.isStrict());
        assertThrows(ConfigException.class, () -> GatewayConfig.of(Map.of()));
    }

    @Test
    void shouldReadSettingsGivenAsText() {
        GatewayConfig config = config(Map.of("strict", "true", "in.flight.max", "7"));

        assertTrue(config.isStrict());
        assertEquals(7, config.maxInFlight());
    }

    @Test
    void shouldNameTheSettingThatIsUnknownOrOutOfRange() {
        assertTrue(refusal(Map.of("in.flight.maxx", 1)).contains("in.flight.maxx"));
        assertTrue(refusal(Map.of("in.flight.max", 0)).contains("in.flight.max"));
        assertTrue(refusal(Map.of("kafka.bootstrap.servers", "x:1")).contains("bootstrap.servers"));
    }

    @Test
    void shouldGiveSameInstanceTheSamePartition() {
        int partition = config(Map.of("instance.id", "gateway-1")).replyPartition(16);

        assertTrue(partition >= 0 && partition < 16);
        assertEquals(partition, config(Map.of("instance.id", "gateway-1")).replyPartition(16));
    }

    @Test
    void shouldUseTheGivenPartitionIfItExists() {
        GatewayConfig config = config(Map.of("reply.partition", 5));

        assertEquals(5, config.replyPartition(6));
        assertTrue(config.isAlone());
        assertFalse(config(Map.of()).isAlone());
        assertThrows(ConfigException.class, () -> config.replyPartition(5));
    }

    @Test
    void shouldPassOnSettingsOfKafkaClientsAndRefuseReservedOnes() {
        GatewayConfig config = config(Map.of("kafka.security.protocol", "SSL"));

        assertEquals("SSL", config.client(Map.of()).get("security.protocol"));
        assertTrue(refusal(Map.of("kafka.acks", "1")).contains("acks"));
    }

    private static String refusal(Map<String, Object> settings) {
        return assertThrows(ConfigException.class, () -> config(settings)).getMessage();
    }

    private static GatewayConfig config(Map<String, Object> settings) {
        var all = new HashMap<>(settings);
        all.put("bootstrap.servers", "localhost:9092");
        return GatewayConfig.of(all);
    }
}
