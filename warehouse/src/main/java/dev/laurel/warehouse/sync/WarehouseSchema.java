package dev.laurel.warehouse.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import dev.laurel.warehouse.Column;
import dev.laurel.warehouse.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/**
 * The schema {@code laurel} of a database: the tables that the sync writes, its own, and the views that people read. Creates what is
 * missing, adds columns of later versions, and refuses tables of another form.
 */
final class WarehouseSchema {

    /** Statements for all databases. */
    private static final String COMMON = "schema.sql";

    private WarehouseSchema() {}

    /** @throws CommandFailed if a table has another form */
    static void prepare(Connection connection, Dialect dialect) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!hasSchema(statement, dialect)) {
                statement.execute("CREATE SCHEMA " + Dialect.SCHEMA);
            }
            Map<String, Map<String, String>> present = columns(statement, dialect);
            for (Table table : Table.values()) {
                Map<String, String> found = present.get(table.tableName());
                if (found == null) {
                    statement.execute("CREATE TABLE " + Dialect.qualified(table.tableName()) + " ("
                            + Dialect.definitions(table.columns(), dialect)
                            + (dialect.hasSchema() ? ", PRIMARY KEY (" + Dialect.list(table.key()) + ")" : "") + ")");
                } else {
                    complete(statement, dialect, table, found);
                }
            }
            for (String sql : new String(LocalFiles.resource(WarehouseSchema.class, COMMON), UTF_8).split(";\n")) {
                statement.execute(dialect.view(sql));
            }
        }
    }

    private static boolean hasSchema(Statement statement, Dialect dialect) throws SQLException {
        if (!dialect.hasSchema()) {
            return true;
        }
        try (var row =
                statement.executeQuery("SELECT 1 FROM information_schema.schemata WHERE schema_name = 'laurel'")) {
            return row.next();
        }
    }

    private static void complete(Statement statement, Dialect dialect, Table table, Map<String, String> found)
            throws SQLException {
        for (Column column : table.columns()) {
            String type = found.get(column.name());
            String wanted = dialect.type(column.type());
            String of = "the table " + Dialect.qualified(table.tableName()) + " of the database ";
            if (type == null && !column.isNullable()) {
                throw new CommandFailed(of + "has no column " + column.name() + " (" + wanted
                        + "), so it was not made by 'laurel sync'; name another database, or remove the schema "
                        + Dialect.SCHEMA);
            }
            if (type == null) {
                statement.execute("ALTER TABLE " + Dialect.qualified(table.tableName()) + " ADD COLUMN "
                        + Dialect.quoted(column) + " " + wanted);
            } else if (!type.equalsIgnoreCase(wanted)) {
                throw new CommandFailed(of + "has a column " + column.name() + " of the type " + type + " instead of "
                        + wanted + "; name another database, or remove the schema " + Dialect.SCHEMA);
            }
        }
    }

    /** The types of the columns of the tables of the schema, by name. */
    private static Map<String, Map<String, String>> columns(Statement statement, Dialect dialect) throws SQLException {
        var tables = new HashMap<String, Map<String, String>>();
        try (var rows = statement.executeQuery(
                "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE "
                        + dialect.tables())) {
            while (rows.next()) {
                tables.computeIfAbsent(rows.getString(1), _ -> new HashMap<>())
                        .put(rows.getString(2), rows.getString(3));
            }
        }
        return tables;
    }
}
