package dev.laurel.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.KafkaAccess;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GatewayConfigTest {

    private static final KafkaAccess KAFKA = new KafkaAccess("localhost:9092", Map.of("security.protocol", "SSL"));

    @Test
    void shouldGiveSameInstanceTheSamePartition() {
        int partition = config("gateway-1", false).replyPartition(16);

        assertTrue(partition >= 0 && partition < 16);
        assertEquals(partition, config("gateway-1", false).replyPartition(16));
    }

    @Test
    void shouldUseTheFirstPartitionIfAlone() {
        assertEquals(0, config("gateway-1", true).replyPartition(16));
    }

    @Test
    void shouldPassOnSettingsOfKafkaClientsAndNameThem() {
        Map<String, Object> client = config("one", false).client(Map.of("linger.ms", 7));

        assertEquals("SSL", client.get("security.protocol"));
        assertEquals("laurel-gateway-one", client.get("client.id"));
        assertEquals(7, client.get("linger.ms"));
    }

    private static GatewayConfig config(String instanceId, boolean isAlone) {
        return new GatewayConfig(KAFKA, instanceId, isAlone, GatewayConfig.Limits.DEFAULT);
    }
}
