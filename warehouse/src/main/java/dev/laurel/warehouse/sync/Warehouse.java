package dev.laurel.warehouse.sync;

import dev.laurel.platform.kafka.Follower.Position.Place;
import dev.laurel.warehouse.Column;
import dev.laurel.warehouse.Table;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;

/**
 * A database with the tables. Each {@link #write} is one transaction of rows and of the positions up to which the topics were read, so that
 * whatever ends the process, the next one continues where the tables are. One thread; every failure is the caller's.
 */
final class Warehouse implements AutoCloseable {

    private final Dialect dialect;
    private final Connection connection;

    /** Temporary tables that have rows of the present transaction. */
    private final Set<String> filled = new HashSet<>();

    /**
     * Where the tables come from.
     *
     * @param cluster id of the Kafka cluster
     * @param isLoaded whether the tables have had everything up to some moment
     * @param confirmedMs the newest such moment, or before it the beginning of the load
     */
    record State(int format, String cluster, int generation, boolean isLoaded, long confirmedMs) {}

    private Warehouse(Dialect dialect, Connection connection) {
        this.dialect = dialect;
        this.connection = connection;
    }

    /** Opens a database and prepares its tables. */
    static Warehouse open(Dialect dialect, Properties properties) throws SQLException {
        Connection connection = DriverManager.getConnection(dialect.url(), properties);
        try {
            dialect.begin(connection);
            connection.setAutoCommit(false);
            WarehouseSchema.prepare(connection, dialect);
            var warehouse = new Warehouse(dialect, connection);
            warehouse.createTemporary();
            connection.commit();
            return warehouse;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void createTemporary() throws SQLException {
        for (RowBatch.Part part : RowBatch.all()) {
            Table table = part.table();
            createTemporary(rowsOf(part), table.columns(), table.key().size());
            createTemporary(scopesOf(part), scopeOf(part), part.scope());
        }
    }

    /** @param keys how many of the columns identify a row */
    private void createTemporary(String name, List<Column> columns, int keys) throws SQLException {
        execute("CREATE TEMP TABLE " + name + " (" + Dialect.definitions(columns, dialect)
                + (dialect.hasSchema()
                        ? ", PRIMARY KEY (" + Dialect.list(columns.subList(0, keys)) + ")) ON COMMIT DELETE ROWS"
                        : ")"));
    }

    private static String rowsOf(RowBatch.Part part) {
        return "new_" + part.table().tableName() + "_" + part.scope();
    }

    private static String scopesOf(RowBatch.Part part) {
        return "scope_" + part.table().tableName() + "_" + part.scope();
    }

    private static List<Column> scopeOf(RowBatch.Part part) {
        return part.table().columns().subList(0, part.scope());
    }

    private void execute(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            statement.execute();
        }
    }

    private static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            if (values[i] == null) {
                statement.setNull(i + 1, Types.INTEGER);
            } else {
                statement.setObject(i + 1, values[i]);
            }
        }
    }

    private interface RowReader {

        void read(ResultSet row) throws SQLException;
    }

    private void query(String sql, RowReader reader) throws SQLException {
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        } finally {
            connection.rollback();
        }
    }

    /** Returns null if the tables are new. */
    @Nullable
    State state() throws SQLException {
        var found = new ArrayList<State>(1);
        query(
                "SELECT format, cluster, generation, loaded, confirmed_ms FROM laurel.sync_state",
                row -> found.add(
                        new State(row.getInt(1), row.getString(2), row.getInt(3), row.getBoolean(4), row.getLong(5))));
        return found.isEmpty() ? null : found.getFirst();
    }

    Map<TopicPartition, Place> positions() throws SQLException {
        var positions = new HashMap<TopicPartition, Place>();
        query(
                "SELECT topic, part, topic_id, next_offset FROM laurel.sync_positions",
                row -> positions.put(
                        new TopicPartition(row.getString(1), row.getInt(2)),
                        new Place(Uuid.fromString(row.getString(3)), row.getLong(4))));
        return positions;
    }

    /** The newest versions whose objects are in the tables, by tenant. */
    Map<String, Long> versions() throws SQLException {
        var versions = new HashMap<String, Long>();
        query(
                "SELECT tenant, version FROM laurel.sync_rulesets",
                row -> versions.put(row.getString(1), row.getLong(2)));
        return versions;
    }

    /** Empties the tables for a load from the beginning. */
    void reset(State state) throws SQLException {
        for (Table table : Table.values()) {
            execute((dialect.hasSchema() ? "TRUNCATE " : "DELETE FROM ") + Dialect.qualified(table.tableName()));
        }
        execute("DELETE FROM laurel.sync_positions");
        execute("DELETE FROM laurel.sync_rulesets");
        putState(state);
        connection.commit();
    }

    private void putState(State state) throws SQLException {
        execute("DELETE FROM laurel.sync_state");
        execute(
                "INSERT INTO laurel.sync_state VALUES (?, ?, ?, ?, ?)",
                state.format,
                state.cluster,
                state.generation,
                state.isLoaded,
                state.confirmedMs);
    }

    /** What else a transaction writes. @param state null: it is as it was */
    record Progress(
            Map<TopicPartition, Place> positions,
            List<Objects> objects,
            @Nullable State state) {}

    /**
     * Objects of a version of the rules.
     *
     * @param isNewest whether objects without a row here are no longer current
     * @param rows by the columns of {@link Table#OBJECTS}
     */
    record Objects(String tenant, long version, boolean isNewest, List<@Nullable Object[]> rows) {}

    /** Writes rows and how far the topics were read in one transaction. */
    void write(RowBatch batch, Progress progress) throws SQLException {
        for (Objects objects : progress.objects) {
            putObjects(objects);
        }
        for (RowBatch.Part part : batch.parts()) {
            replace(part, batch);
        }
        putPositions(progress.positions);
        if (progress.state != null) {
            putState(progress.state);
        }
        connection.commit();
        if (!dialect.hasSchema()) {
            for (String table : filled) {
                execute("DELETE FROM " + table);
                connection.commit();
            }
        }
        filled.clear();
    }

    private void replace(RowBatch.Part part, RowBatch batch) throws SQLException {
        Table table = part.table();
        List<@Nullable Object[]> rows = batch.rows(part);
        var scopes = new ArrayList<@Nullable Object[]>();
        batch.scopes(part).forEach(scope -> scopes.add(scope.toArray()));
        filled.add(scopesOf(part));
        filled.add(rowsOf(part));
        dialect.append(connection, scopesOf(part), scopeOf(part), scopes);
        dialect.append(connection, rowsOf(part), table.columns(), rows);
        for (String statement : dialect.replace(table, scopesOf(part), part.scope(), rowsOf(part))) {
            execute(statement);
        }
    }

    private void putPositions(Map<TopicPartition, Place> positions) throws SQLException {
        if (positions.isEmpty()) {
            return;
        }
        try (PreparedStatement delete =
                        connection.prepareStatement("DELETE FROM laurel.sync_positions WHERE topic = ? AND part = ?");
                PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO laurel.sync_positions VALUES (?, ?, ?, ?)")) {
            for (var entry : positions.entrySet()) {
                TopicPartition partition = entry.getKey();
                bind(delete, partition.topic(), partition.partition());
                delete.addBatch();
                bind(
                        insert,
                        partition.topic(),
                        partition.partition(),
                        entry.getValue().topic().toString(),
                        entry.getValue().next());
                insert.addBatch();
            }
            delete.executeBatch();
            insert.executeBatch();
        }
    }

    /** Objects that are not current are only added: a row from the time when they were has the better name. */
    private void putObjects(Objects objects) throws SQLException {
        List<Column> columns = Table.OBJECTS.columns();
        if (objects.isNewest) {
            execute("UPDATE laurel.objects SET is_current = false WHERE tenant = ? AND is_current", objects.tenant);
            execute("DELETE FROM laurel.sync_rulesets WHERE tenant = ?", objects.tenant);
            execute("INSERT INTO laurel.sync_rulesets VALUES (?, ?)", objects.tenant, objects.version);
        }
        for (@Nullable Object[] row : objects.rows) {
            if (Boolean.TRUE.equals(row[columns.size() - 1])) {
                execute("DELETE FROM laurel.objects WHERE tenant = ? AND number = ?", row[0], row[1]);
            }
            @Nullable Object[] values = Arrays.copyOf(row, row.length + 2);
            System.arraycopy(row, 0, values, row.length, 2);
            execute(
                    "INSERT INTO laurel.objects (" + Dialect.list(columns) + ") SELECT "
                            + "?, ".repeat(columns.size() - 1)
                            + "? WHERE NOT EXISTS (SELECT 1 FROM laurel.objects WHERE tenant = ? AND number = ?)",
                    values);
        }
    }

    /** Counts the rows of the tables. */
    Map<Table, Long> count() throws SQLException {
        var counts = new EnumMap<Table, Long>(Table.class);
        for (Table table : Table.values()) {
            query(
                    "SELECT count(*) FROM " + Dialect.qualified(table.tableName()),
                    row -> counts.put(table, row.getLong(1)));
        }
        return counts;
    }

    /** Gives the statistics that the planner of queries uses, after a load. */
    void analyze() throws SQLException {
        for (Table table : Table.values()) {
            execute("ANALYZE " + Dialect.qualified(table.tableName()));
        }
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
