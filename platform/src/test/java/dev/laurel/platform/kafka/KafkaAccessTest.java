package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaAccessTest {

    private static final String SECRET = "swim-faster";
    private static final Map<String, Object> SCRAM = Map.of(
            "security.protocol",
            "SASL_SSL",
            "sasl.mechanism",
            "SCRAM-SHA-512",
            "sasl.jaas.config",
            "org.example.ScramLoginModule required password=\"" + SECRET + "\";",
            "ssl.truststore.password",
            SECRET,
            "request.timeout.ms",
            "20000");

    @Test
    void shouldPassSettingsToEveryClient() {
        Map<String, Object> client = new KafkaAccess("kafka:9093", SCRAM).clientProperties();

        assertEquals("kafka:9093", client.get("bootstrap.servers"));
        assertEquals("SASL_SSL", client.get("security.protocol"));
        assertEquals(20_000, client.get("request.timeout.ms"));
    }

    @Test
    void shouldRegisterMetricsOfClientsOnRequestOnly() {
        String reporter = "org.apache.kafka.common.metrics.JmxReporter";

        Map<String, Object> client = KafkaAccess.at("kafka:9093").clientProperties();
        assertEquals("", client.get("metric.reporters"));
        assertEquals(false, client.get("enable.metrics.push"));
        assertEquals(
                List.of(reporter),
                new KafkaAccess("kafka:9093", Map.of("metric.reporters", reporter, "enable.metrics.push", "true"))
                        .clientProperties()
                        .get("metric.reporters"));
    }

    @Test
    void shouldPreferSettingsOfAClient() {
        assertEquals(
                5_000,
                new KafkaAccess("kafka:9093", SCRAM)
                        .with(Map.of("request.timeout.ms", 5_000))
                        .get("request.timeout.ms"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "acks",
                "isolation.level",
                "enable.idempotence",
                "group.id",
                "group.instance.id",
                "transactional.id",
                "key.serializer",
                "value.deserializer",
                "enable.auto.commit",
                "auto.offset.reset",
                "client.id",
                "max.request.size",
                "bootstrap.servers",
                "config.providers"
            })
    void shouldNameTheReservedSettingThatItRefuses(String name) {
        String refusal = refusal(Map.of(name, "1"));

        assertTrue(refusal.startsWith(name), refusal);
    }

    @Test
    void shouldNameTheUnknownSettingThatItRefuses() {
        assertTrue(refusal(Map.of("ssl.trustore.location", "x")).startsWith("ssl.trustore.location"));
    }

    @Test
    void shouldRefuseInvalidValues() {
        assertTrue(refusal(Map.of("security.protocol", "TLS")).contains("security.protocol"));
        assertTrue(refusal(Map.of("request.timeout.ms", "soon")).contains("request.timeout.ms"));
    }

    @Test
    void shouldCompressWithoutTellingEveryClient() {
        assertEquals("snappy", KafkaAccess.at("kafka:9093").compression());
        var access = new KafkaAccess("kafka:9093", Map.of("compression.type", "zstd"));

        assertEquals("zstd", access.compression());
        assertEquals(KafkaAccess.at("kafka:9093").clientProperties(), access.clientProperties());
        assertTrue(refusal(Map.of("compression.type", "zip")).contains("compression.type"));
    }

    @Test
    void shouldRequireBootstrapServers() {
        assertThrows(ConfigException.class, () -> KafkaAccess.at(" "));
    }

    @Test
    void shouldNotPrintSecrets() {
        KafkaAccess access = new KafkaAccess("kafka:9093", SCRAM);
        var properties = new Properties();
        properties.putAll(access.clientProperties());

        for (Object printed : List.of(
                access,
                access.clientProperties(),
                access.further(),
                properties,
                new AdminClientConfig(access.clientProperties()).values())) {
            assertFalse(printed.toString().contains(SECRET), printed.toString());
        }
    }

    private static String refusal(Map<String, Object> further) {
        return assertThrows(ConfigException.class, () -> new KafkaAccess("kafka:9093", further))
                .getMessage();
    }
}
