package dev.laurel.warehouse.sync;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.warehouse.Column;
import dev.laurel.warehouse.Table;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema {@code laurel} of a database: the tables that the sync writes, its own, and the views that people read. Creates what is
 * missing, adds columns of later versions, and refuses tables of another form.
 */
final class WarehouseSchema {

    private static final List<String> OWN = List.of(
            "sync_state (format integer, cluster text, generation integer, loaded boolean, confirmed_ms bigint)",
            "sync_positions (topic text, part integer, topic_id text, next_offset bigint)",
            "sync_rulesets (tenant text, version bigint)");

    /** The same for all databases. docs/warehouse.md has their columns. */
    private static final Map<String, String> VIEWS = Map.of(
            "metric_totals", """
                    SELECT d.tenant, d.user_id, o.key AS metric, o.name AS metric_name, d.day, d.value, d.events
                    FROM laurel.days d
                    JOIN laurel.objects o ON o.tenant = d.tenant AND o.number = d.object AND o.kind = 'metric'
                    """,
            "points_totals", """
                    SELECT d.tenant, d.user_id, o.key AS points_system, o.name AS points_system_name, d.day,
                        CAST(d.value AS bigint) AS points
                    FROM laurel.days d
                    JOIN laurel.objects o ON o.tenant = d.tenant AND o.number = d.object AND o.kind = 'points'
                    """,
            "points_awards", """
                    SELECT a.tenant, a.user_id, s.key AS points_system, a.sequence, a.awarded_at, a.points, a.total,
                        t.key AS trigger_key, t.name AS trigger_type, a.boosts, a.ruleset_version
                    FROM laurel.awards a
                    JOIN laurel.objects s ON s.tenant = a.tenant AND s.number = a.system
                    LEFT JOIN laurel.objects t ON t.tenant = a.tenant AND t.number = a.trigger
                    """,
            "achievement_completions", """
                    SELECT c.tenant, c.user_id, o.key AS achievement, o.name AS achievement_name, c.completed_at
                    FROM laurel.completions c
                    JOIN laurel.objects o ON o.tenant = c.tenant AND o.number = c.achievement
                    """,
            "streak_periods",
            """
                    SELECT tenant, user_id, frequency, first_day,
                        CASE frequency WHEN 'daily' THEN first_day
                            WHEN 'weekly' THEN first_day + 6
                            ELSE CAST(CAST(first_day AS date) + INTERVAL '1 month' - INTERVAL '1 day' AS date) END AS last_day,
                        status, first_day + met_on AS met_on
                    FROM (
                        SELECT p.tenant, p.user_id, p.frequency, p.status, p.met_on,
                            CASE p.frequency WHEN 'daily' THEN DATE '1970-01-01' + p.period
                                WHEN 'weekly' THEN DATE '1970-01-01' + (p.period * 7 + u.week_start)
                                ELSE CAST(DATE '1970-01-01' + p.period * INTERVAL '1 month' AS date) END AS first_day
                        FROM laurel.periods p
                        JOIN laurel.users u ON u.tenant = p.tenant AND u.user_id = p.user_id
                            AND u.streak_frequency = p.frequency) AS shown
                    """,
            "leaderboard_rankings",
            """
                    SELECT p.tenant, o.key AS leaderboard, o.name AS leaderboard_name,
                        CASE WHEN p.run = 0 THEN NULL ELSE DATE '1970-01-01' + p.run END AS run, p.group_values, p.user_id,
                        row_number() OVER (PARTITION BY p.tenant, p.board, p.run, p.group_id
                            ORDER BY p.value DESC, p.changed_at, p.user_id) AS rank,
                        p.value, p.changed_at
                    FROM laurel.participants p
                    JOIN laurel.objects o ON o.tenant = p.tenant AND o.number = p.board AND o.is_current
                    """);

    /** A view of another view. */
    private static final String FREEZES = """
            SELECT tenant, user_id, frequency, first_day, last_day FROM laurel.streak_periods WHERE status = 'frozen'
            """;

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
                            + (dialect.hasKeys() ? ", PRIMARY KEY (" + Dialect.list(table.key()) + ")" : "") + ")");
                } else {
                    complete(statement, dialect, table, found);
                }
            }
            for (String own : OWN) {
                statement.execute("CREATE TABLE IF NOT EXISTS " + Dialect.qualified(own));
            }
            for (var view : VIEWS.entrySet()) {
                statement.execute(
                        "CREATE OR REPLACE VIEW " + Dialect.qualified(view.getKey()) + " AS "
                                + dialect.view(view.getValue()));
            }
            statement.execute(
                    "CREATE OR REPLACE VIEW " + Dialect.qualified("streak_freezes") + " AS " + dialect.view(FREEZES));
        }
    }

    /** Asks first: creating a schema takes a right that its owner need not have. */
    private static boolean hasSchema(Statement statement, Dialect dialect) throws SQLException {
        if (dialect.schema() == null) {
            return true;
        }
        try (var row = statement
                .executeQuery("SELECT 1 FROM information_schema.schemata WHERE " + dialect.schema())) {
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
                tables.computeIfAbsent(rows.getString(1), _ -> new HashMap<>()).put(rows.getString(2),
                        rows.getString(3));
            }
        }
        return tables;
    }
}
