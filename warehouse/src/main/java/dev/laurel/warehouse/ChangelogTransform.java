package dev.laurel.warehouse;

import dev.laurel.schemas.serde.Json;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.ConnectRecord;
import org.apache.kafka.connect.data.Date;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.transforms.Transformation;
import org.jspecify.annotations.Nullable;

/**
 * Turns the records of changelog topics into structs for any sink of Kafka Connect: one per record, whose topic becomes the name of a
 * table. A record that is several rows has them as arrays of structs. It is a transformation and no converter, because a converter sees
 * a value without its key, and both together say what an entry is. Records that no table is made of are dropped.
 *
 * <p>The worker reads keys and values with its {@code ByteArrayConverter}, and committed records only. One thread; stateless.
 */
public final class ChangelogTransform<R extends ConnectRecord<R>> implements Transformation<R> {

    private static final String PREFIX = "table.prefix";
    private static final String NESTED = "nested";
    private static final String DELETES = "deletes";

    /** The version of the schemas. It grows with columns that may be null. */
    private static final int VERSION = 1;

    /** What sinks of Debezium store as a column for JSON; for others it is a string. */
    private static final String JSON = "io.debezium.data.Json";

    private static final String DELETED = "deleted";
    private static final String PARTITION = "record_partition";
    private static final String OFFSET = "record_offset";

    private static final ConfigDef CONFIG = new ConfigDef()
            .define(
                    PREFIX,
                    ConfigDef.Type.STRING,
                    "",
                    ConfigDef.Importance.MEDIUM,
                    "Text before the names of tables, such as laurel_.")
            .define(
                    NESTED,
                    ConfigDef.Type.STRING,
                    "array",
                    ConfigDef.ValidString.in("array", "json"),
                    ConfigDef.Importance.MEDIUM,
                    "How a record has several rows: 'array' of structs; 'json' text, for sinks of databases without"
                            + " arrays.")
            .define(
                    DELETES,
                    ConfigDef.Type.STRING,
                    "tombstone",
                    ConfigDef.ValidString.in("tombstone", "flag"),
                    ConfigDef.Importance.MEDIUM,
                    "How a deletion is passed on: 'tombstone', a null value; 'flag', a struct with deleted = true, "
                            + "for sinks that only append. Then all structs have their partition and offset.");

    private String prefix = "";
    private boolean isJson;
    private boolean isFlag;
    private final Map<Table, Shape> shapes = new EnumMap<>(Table.class);

    /** A part of a record's struct: the rows of a table, without the columns that the record's key has. */
    private record Child(String name, int[] columns, Schema schema) {}

    /** @param keys positions of the columns of the key; @param columns of the first table that are not of the key */
    private record Shape(int[] keys, int[] columns, Schema key, Schema value, Map<Table, Child> children) {}

    @Override
    public ConfigDef config() {
        return CONFIG;
    }

    @Override
    public void configure(Map<String, ?> given) {
        Map<String, Object> settings = CONFIG.parse(given);
        prefix = String.valueOf(settings.get(PREFIX));
        isJson = "json".equals(settings.get(NESTED));
        isFlag = "flag".equals(settings.get(DELETES));
        shapes.clear();
    }

    @Override
    public @Nullable R apply(R record) {
        String store = StoreRows.storeOf(record.topic());
        if (store == null) {
            throw new DataException("no table is made of the topic " + record.topic()
                    + "; the topics are those of docs/warehouse.md, before other transformations change their names");
        }
        if (!(record.key() instanceof byte[] key) || !(record.value() == null || record.value() instanceof byte[])) {
            throw new DataException("keys and values of " + record.topic() + " must be bytes: set key.converter and "
                    + "value.converter to org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        List<RowSet> sets = StoreRows.of(store, key, (byte[]) record.value());
        if (sets.isEmpty()) {
            return null;
        }
        RowSet head = sets.getFirst();
        Shape shape = shapes.computeIfAbsent(head.table(), _ -> shape(sets));
        Object[] scope = head.scope().toArray();
        Struct id = struct(shape.key, head.table(), shape.keys, scope);
        boolean isDeleted = record.value() == null;
        Struct value = isDeleted && !isFlag ? null : value(shape, sets, scope, isDeleted, record);
        return record.newRecord(
                prefix + head.table().tableName(),
                record.kafkaPartition(),
                shape.key,
                id,
                value == null ? null : shape.value,
                value,
                record.timestamp());
    }

    private Struct value(Shape shape, List<RowSet> sets, Object[] scope, boolean isDeleted, R record) {
        Table table = sets.getFirst().table();
        Struct value = struct(shape.value, table, shape.keys, scope);
        if (isFlag) {
            value.put(DELETED, isDeleted);
            value.put(PARTITION, record.kafkaPartition());
            value.put(OFFSET, record instanceof SinkRecord read ? read.kafkaOffset() : -1L);
        }
        if (isDeleted) {
            return value;
        }
        if (!shape.children.containsKey(table)) {
            fill(value, table, shape.columns, sets.getFirst().rows().getFirst());
        }
        for (RowSet set : sets) {
            Child child = shape.children.get(set.table());
            if (child != null) {
                value.put(child.name, isJson ? json(child, set) : array(child, set));
            }
        }
        return value;
    }

    private static List<Struct> array(Child child, RowSet set) {
        return set.rows().stream()
                .map(row -> struct(child.schema, set.table(), child.columns, row))
                .toList();
    }

    private static String json(Child child, RowSet set) {
        var rows = new ArrayList<Map<String, @Nullable Object>>();
        for (@Nullable Object[] row : set.rows()) {
            var fields = new LinkedHashMap<String, @Nullable Object>();
            for (int column : child.columns) {
                Object value = row[column];
                fields.put(
                        set.table().columns().get(column).name(),
                        value instanceof LocalDate || value instanceof Instant ? value.toString() : value);
            }
            rows.add(fields);
        }
        return Json.text(rows);
    }

    private static Struct struct(Schema schema, Table table, int[] columns, @Nullable Object[] row) {
        var struct = new Struct(schema);
        fill(struct, table, columns, row);
        return struct;
    }

    private static void fill(Struct struct, Table table, int[] columns, @Nullable Object[] row) {
        for (int column : columns) {
            struct.put(table.columns().get(column).name(), connectValue(row[column]));
        }
    }

    private static @Nullable Object connectValue(@Nullable Object value) {
        return switch (value) {
            case BigDecimal number -> number.setScale(Column.Type.SCALE, RoundingMode.HALF_EVEN);
            case LocalDate day ->
                java.util.Date.from(day.atStartOfDay(ZoneOffset.UTC).toInstant());
            case Instant time -> java.util.Date.from(time);
            case null, default -> value;
        };
    }

    /** The shape of all records of a store, which the sets of any of them tell. */
    private Shape shape(List<RowSet> sets) {
        RowSet head = sets.getFirst();
        Table table = head.table();
        boolean isWhole = head.scope().size() == table.key().size();
        int[] keys = Arrays.stream(table.shownFrom(0))
                .filter(column -> column < head.scope().size())
                .toArray();
        int[] columns = isWhole ? table.shownFrom(head.scope().size()) : new int[0];
        var key = schema(table.tableName() + ".Key");
        var value = schema(table.tableName() + ".Value");
        for (int column : keys) {
            add(key, table.columns().get(column), false);
            add(value, table.columns().get(column), false);
        }
        for (int column : columns) {
            add(value, table.columns().get(column), isFlag);
        }
        var children = new EnumMap<Table, Child>(Table.class);
        for (RowSet set : isWhole ? sets.subList(1, sets.size()) : sets) {
            Child child = child(set);
            children.put(set.table(), child);
            value.field(
                    child.name,
                    isJson
                            ? SchemaBuilder.string().name(JSON).optional().build()
                            : SchemaBuilder.array(child.schema).optional().build());
        }
        if (isFlag) {
            value.field(DELETED, Schema.BOOLEAN_SCHEMA)
                    .field(PARTITION, Schema.INT32_SCHEMA)
                    .field(OFFSET, Schema.INT64_SCHEMA);
        }
        return new Shape(keys, columns, key.build(), value.build(), children);
    }

    private Child child(RowSet set) {
        String name = set.table().tableName();
        int[] columns = set.table().shownFrom(set.scope().size());
        var schema = schema(name + ".Row");
        for (int column : columns) {
            add(schema, set.table().columns().get(column), false);
        }
        return new Child(name, columns, schema.build());
    }

    private static SchemaBuilder schema(String name) {
        return SchemaBuilder.struct().name("dev.laurel." + name).version(VERSION);
    }

    private static void add(SchemaBuilder schema, Column column, boolean mayBeAbsent) {
        SchemaBuilder type = switch (column.type()) {
            case TEXT -> SchemaBuilder.string();
            case JSON -> SchemaBuilder.string().name(JSON);
            case BOOLEAN -> SchemaBuilder.bool();
            case INTEGER -> SchemaBuilder.int32();
            case BIGINT -> SchemaBuilder.int64();
            case DECIMAL -> Decimal.builder(Column.Type.SCALE);
            case DATE -> Date.builder();
            case TIMESTAMP -> Timestamp.builder();
        };
        schema.field(column.name(), (column.isNullable() || mayBeAbsent ? type.optional() : type).build());
    }

    @Override
    public void close() {
        // It holds nothing.
    }
}
