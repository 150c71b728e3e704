package dev.laurel.warehouse.sync;

import dev.laurel.schemas.kind.IssueList;
import dev.laurel.warehouse.Column;
import dev.laurel.warehouse.Table;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** What differs between the databases. */
public sealed interface Dialect {

    /** The name of the schema that has the tables. */
    String SCHEMA = "laurel";

    /** The name of a type, as it is written, and as {@code information_schema} shows it. */
    String type(Column.Type type);

    /** Whether tables are in a schema of their own, and have primary keys, and a commit deletes the rows of temporary tables. */
    boolean hasSchema();

    /** What the driver opens. */
    String url();

    /** The condition on {@code information_schema} for the tables. */
    String tables();

    /** The text of a view, written for a schema {@code laurel}. */
    String view(String text);

    /** Prepares a connection, whose transactions are committed by the caller. */
    void begin(Connection connection) throws SQLException;

    /** Appends rows to a temporary table. */
    void append(Connection connection, String table, List<Column> columns, Iterable<? extends @Nullable Object[]> rows)
            throws SQLException;

    /**
     * The statements that replace the rows of a table.
     *
     * @param scopes temporary table of the scopes; @param rows temporary table of their rows
     * @param scope how many columns a scope has
     */
    List<String> replace(Table table, String scopes, int scope, String rows);

    private static String same(List<Column> columns, String one, String other) {
        return columns.stream()
                .map(column -> one + "." + quoted(column) + " = " + other + "." + quoted(column))
                .collect(Collectors.joining(" AND "));
    }

    static String quoted(Column column) {
        return '"' + column.name() + '"';
    }

    static String list(List<Column> columns) {
        return list(columns, "");
    }

    private static String list(List<Column> columns, String qualifier) {
        return columns.stream().map(column -> qualifier + quoted(column)).collect(Collectors.joining(", "));
    }

    static String qualified(String table) {
        return SCHEMA + "." + table;
    }

    /** Texts are compared by their bytes, as Laurel compares ids of users. */
    static String definitions(List<Column> columns, Dialect dialect) {
        return columns.stream()
                .map(column -> quoted(column) + " " + dialect.type(column.type())
                        + (column.type() == Column.Type.TEXT && dialect.hasSchema() ? " COLLATE \"C\"" : "")
                        + (column.isNullable() ? "" : " NOT NULL"))
                .collect(Collectors.joining(", "));
    }

    /** PostgreSQL, from 12 on. */
    record Postgres(String url) implements Dialect {

        /** One sync at a time keeps the tables of a database. */
        private static final long LOCK = 0x6c61_7572_656cL;

        @Override
        public String type(Column.Type type) {
            return switch (type) {
                case JSON -> "jsonb";
                case DECIMAL -> "numeric";
                case TIMESTAMP -> "timestamp with time zone";
                case TEXT, BOOLEAN, INTEGER, BIGINT, DATE -> IssueList.word(type);
            };
        }

        @Override
        public boolean hasSchema() {
            return true;
        }

        @Override
        public String tables() {
            return "table_schema = 'laurel'";
        }

        @Override
        public String view(String text) {
            return text;
        }

        @Override
        public void begin(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                try (var locked = statement.executeQuery("SELECT pg_try_advisory_lock(" + LOCK + ")")) {
                    if (!locked.next() || !locked.getBoolean(1)) {
                        throw new SQLException("another sync keeps the tables of this database", "55P03");
                    }
                }
                // Positions are in the same transactions as rows, so what a crash loses is read again.
                statement.execute("SET synchronous_commit = off");
                // Batches are small beside the tables, and temporary tables have no statistics by which the planner
                // would know.
                statement.execute("SET enable_hashjoin = off");
                statement.execute("SET enable_mergejoin = off");
            }
        }

        @Override
        public void append(
                Connection connection, String table, List<Column> columns, Iterable<? extends @Nullable Object[]> rows)
                throws SQLException {
            var text = new StringBuilder();
            for (@Nullable Object[] row : rows) {
                for (int i = 0; i < columns.size(); i++) {
                    if (i > 0) {
                        text.append('\t');
                    }
                    appendValue(text, row[i]);
                }
                text.append('\n');
            }
            try (var in = new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8))) {
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn("COPY " + table + " (" + list(columns) + ") FROM STDIN", in);
            } catch (IOException e) {
                throw new SQLException("the connection was closed while rows were sent", "08006", e);
            }
        }

        /** Writes the text format of COPY. */
        private static void appendValue(StringBuilder text, @Nullable Object value) {
            switch (value) {
                case null -> text.append("\\N");
                case String words -> {
                    for (int i = 0; i < words.length(); i++) {
                        char c = words.charAt(i);
                        switch (c) {
                            case '\\' -> text.append("\\\\");
                            case '\n' -> text.append("\\n");
                            case '\r' -> text.append("\\r");
                            case '\t' -> text.append("\\t");
                            default -> text.append(c);
                        }
                    }
                }
                case BigDecimal number -> text.append(number.toPlainString());
                default -> text.append(value); // dates and times in the form of ISO 8601
            }
        }

        @Override
        public List<String> replace(Table table, String scopes, int scope, String rows) {
            List<Column> columns = table.columns();
            List<Column> key = table.key();
            List<Column> others = columns.subList(key.size(), columns.size());
            String name = qualified(table.tableName());
            String excluded = list(others, "excluded.");
            String present = list(others, "t.");
            return List.of(
                    "DELETE FROM " + name + " t USING " + scopes + " s WHERE "
                            + same(columns.subList(0, scope), "t", "s")
                            + " AND NOT EXISTS (SELECT 1 FROM " + rows + " r WHERE " + same(key, "r", "t") + ")",
                    // Most rows of a set are as they were: writing them again would only make work for the vacuum.
                    "INSERT INTO " + name + " AS t (" + list(columns) + ") SELECT " + list(columns) + " FROM " + rows
                            + " ON CONFLICT (" + list(key) + ") DO UPDATE SET (" + list(others) + ") = ROW(" + excluded
                            + ") WHERE (" + present + ") IS DISTINCT FROM (" + excluded + ")");
        }
    }

    /**
     * DuckDB, a database in a file. Its tables have no keys, which would cost more than all else. A file is a catalog, by whose name
     * people qualify tables: it is opened as {@code laurel}, and has no schema of this name, which would be ambiguous in a file
     * {@code laurel.duckdb}.
     */
    record DuckDb(String file) implements Dialect {

        @Override
        public String type(Column.Type type) {
            return switch (type) {
                case TEXT -> "VARCHAR";
                case DECIMAL -> "DECIMAL(38," + Column.Type.SCALE + ")";
                case JSON, BOOLEAN, INTEGER, BIGINT, DATE, TIMESTAMP -> type.name();
            };
        }

        @Override
        public boolean hasSchema() {
            return false;
        }

        @Override
        public String url() {
            return "jdbc:duckdb:";
        }

        @Override
        public String tables() {
            return "table_catalog = 'laurel' AND table_schema = 'main'";
        }

        /** The file may be opened under another name. */
        @Override
        public String view(String text) {
            return text.replace(SCHEMA + ".", "");
        }

        /** The file is locked by the process that has it open. */
        @Override
        public void begin(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("ATTACH '" + file.replace("'", "''") + "' AS " + SCHEMA);
                statement.execute("USE " + SCHEMA);
            }
        }

        @Override
        public void append(
                Connection connection, String table, List<Column> columns, Iterable<? extends @Nullable Object[]> rows)
                throws SQLException {
            try (DuckDBAppender appender =
                    connection.unwrap(DuckDBConnection.class).createAppender("temp", "main", table)) {
                for (@Nullable Object[] row : rows) {
                    appender.beginRow();
                    for (int i = 0; i < columns.size(); i++) {
                        appendValue(appender, row[i]);
                    }
                    appender.endRow();
                }
            }
        }

        private static void appendValue(DuckDBAppender appender, @Nullable Object value) throws SQLException {
            switch (value) {
                case null -> appender.appendNull();
                case String text -> appender.append(text);
                case Boolean flag -> appender.append(flag.booleanValue());
                case Integer number -> appender.append(number.intValue());
                case Long number -> appender.append(number.longValue());
                case BigDecimal number -> appender.append(number.setScale(Column.Type.SCALE, RoundingMode.HALF_EVEN));
                case LocalDate day -> appender.append(day);
                case Instant time -> appender.append(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
                default -> throw new IllegalArgumentException("no column has values such as " + value);
            }
        }

        @Override
        public List<String> replace(Table table, String scopes, int scope, String rows) {
            String name = qualified(table.tableName());
            var statements = new ArrayList<String>();
            statements.add("DELETE FROM " + name + " t USING " + scopes + " s WHERE "
                    + same(table.columns().subList(0, scope), "t", "s"));
            statements.add("INSERT INTO " + name + " SELECT " + list(table.columns()) + " FROM " + rows);
            return statements;
        }
    }

    /** The dialect of an address. @throws IllegalArgumentException if there is none */
    static Dialect of(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return new Postgres(url);
        }
        if (url.startsWith("duckdb:") && url.length() > "duckdb:".length()) {
            return new DuckDb(url.substring("duckdb:".length()));
        }
        throw new IllegalArgumentException("must be jdbc:postgresql://HOST:PORT/DATABASE or duckdb:FILE");
    }
}
