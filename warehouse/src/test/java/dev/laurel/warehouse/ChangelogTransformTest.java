package dev.laurel.warehouse;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records become structs. The stored bytes are the approved ones of the stores; what follows from them is
 * in {@code records.txt}, a file in review.
 */
class ChangelogTransformTest {

    private static final Path STORED = Path.of("..", "processors", "src", "test", "resources", "stored");
    private static final Path CONNECTORS = Path.of("..", "deploy", "connect");
    private static final Path APPROVED = Path.of("src", "test", "resources", "records.txt");

    /** The length of the key of the user before it: pool/u1. */
    private static final String USER = "0007" + HexFormat.of().formatHex("pool/u1".getBytes(UTF_8));

    private static final String PLAIN = HexFormat.of().formatHex("pool/u1".getBytes(UTF_8));

    @Test
    void shouldTurnStoredBytesIntoStructs() throws IOException {
        var turned = new LinkedHashMap<String, Object>();
        try (Stream<Path> files = Files.list(STORED)) {
            for (Path file : files.filter(path -> path.getFileName().toString().startsWith("user-v"))
                    .sorted()
                    .toList()) {
                String hex = Files.readString(file).replaceAll("\\s", "");
                turned.put(file.getFileName().toString(), shown(apply(Map.of(), "laurel-ledger-users", PLAIN, hex)));
            }
        }
        // The forms in UserHistoryCodecsTest, StreakFieldsTest and BoardKeysTest.
        turned.put(
                "day", shown(apply(Map.of(), "laurel-ledger-metric-days", USER + "80000007" + "80005021", "02020905")));
        turned.put(
                "ledger page",
                shown(apply(
                        Map.of(),
                        "laurel-ledger-g2-points-ledger",
                        USER + "80000007" + "80000025",
                        "030207ac02d9843d8084d28497673108030080897a64090300")));
        turned.put(
                "participant",
                shown(apply(
                        Map.of(),
                        "laurel-boards-leaderboard-entries",
                        "650004706f6f6c" + "8000000a" + "80005021" + "0001" + "00000005" + "5475726b75" + "7531",
                        "03" + "027531" + "00" + "01" + "0014" + "0a" + "0c" + "04" + "01")));
        turned.put("deleted", shown(apply(Map.of(), "laurel-ledger-users", PLAIN, null)));
        turned.put(
                "deleted, flagged",
                shown(apply(
                        Map.of("deletes", "flag"), "laurel-ledger-metric-days", USER + "80000007" + "80005021", null)));
        turned.put(
                "nested as JSON",
                shown(apply(
                        Map.of("nested", "json", "table.prefix", "laurel_"),
                        "laurel-ledger-points-ledger",
                        USER + "80000007" + "80000025",
                        "030207ac02d9843d8084d28497673108030080897a64090300")));
        String json = pretty(turned);
        if (Boolean.getBoolean("laurel.approve")) {
            Files.createDirectories(APPROVED.getParent());
            Files.writeString(APPROVED, json);
        }
        assertEquals(Files.readString(APPROVED), json);
    }

    @Test
    void shouldDropWhatNoTableIsMadeOf() {
        assertNull(apply(Map.of(), "laurel-ledger-metric-days", USER + "80000000" + "80000140", "010000000000000005"));
        assertNull(apply(Map.of(), "laurel-boards-leaderboard-entries", "6800000003", "010204"));
    }

    @Test
    void shouldRefuseOtherTopicsAndConverters() {
        assertTrue(assertThrows(DataException.class, () -> apply(Map.of(), "laurel-ledger-timers", PLAIN, null))
                .getMessage()
                .contains("no table is made of the topic laurel-ledger-timers-changelog"));
        try (var transform = new ChangelogTransform<SinkRecord>()) {
            transform.configure(Map.of());
            var text = new SinkRecord("laurel-ledger-users-changelog", 0, null, "pool/u1", null, "x", 5);
            assertTrue(assertThrows(DataException.class, () -> transform.apply(text))
                    .getMessage()
                    .contains("ByteArrayConverter"));
            assertThrows(ConfigException.class, () -> transform.configure(Map.of("nested", "rows")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"postgresql.json", "iceberg.json", "s3.json"})
    void shouldReadTheTopicsOfTheReadyConnectors(String file) throws IOException {
        @SuppressWarnings("unchecked")
        var config = (Map<String, String>) Json.read(Files.readAllBytes(CONNECTORS.resolve(file)), Map.class)
                .get("config");
        List<String> stores = Stream.of(config.get("topics").split(","))
                .map(StoreRows::storeOf)
                .toList();
        assertEquals(StoreRows.STORES, stores);
        assertEquals("read_committed", config.get("consumer.override.isolation.level"));
        assertEquals(ChangelogTransform.class.getName(), config.get("transforms.laurel.type"));
        var own = new LinkedHashMap<String, String>();
        config.forEach((key, value) -> {
            if (key.startsWith("transforms.laurel.") && !key.endsWith(".type")) {
                own.put(key.substring("transforms.laurel.".length()), value);
            }
        });
        try (var transform = new ChangelogTransform<SinkRecord>()) {
            assertTrue(transform.config().names().containsAll(own.keySet()), own.toString());
            transform.configure(own);
        }
    }

    private static SinkRecord apply(Map<String, String> config, String store, String key, String value) {
        try (var transform = new ChangelogTransform<SinkRecord>()) {
            transform.configure(config);
            return transform.apply(new SinkRecord(
                    store + "-changelog",
                    3,
                    null,
                    HexFormat.of().parseHex(key),
                    null,
                    value == null ? null : HexFormat.of().parseHex(value),
                    77));
        }
    }

    private static Map<String, Object> shown(SinkRecord record) {
        if (record.value() != null) {
            ((Struct) record.value()).validate();
        }
        ((Struct) record.key()).validate();
        var shown = new LinkedHashMap<String, Object>();
        shown.put("topic", record.topic());
        shown.put("schema", record.keySchema().name() + " " + record.keySchema().version());
        shown.put("key", plain(record.key()));
        shown.put("value", plain(record.value()));
        return shown;
    }

    private static Object plain(Object value) {
        return switch (value) {
            case Struct struct -> {
                var fields = new LinkedHashMap<String, Object>();
                for (Field field : struct.schema().fields()) {
                    fields.put(field.name(), plain(struct.get(field)));
                }
                yield fields;
            }
            case List<?> list -> {
                var plain = new ArrayList<Object>();
                list.forEach(item -> plain.add(plain(item)));
                yield plain;
            }
            case Date date -> Instant.ofEpochMilli(date.getTime()).toString();
            case null, default -> value;
        };
    }

    /** Each part in a line, and each row of a list. */
    private static String pretty(Map<String, Object> values) {
        var text = new StringBuilder();
        values.forEach((name, parts) -> {
            text.append(name).append('\n');
            ((Map<?, ?>) parts)
                    .forEach((part, value) -> text.append("  ")
                            .append(part)
                            .append(": ")
                            .append(new String(Json.write(value), UTF_8).replace("},{", "},\n    {"))
                            .append('\n'));
        });
        return text.toString();
    }
}
