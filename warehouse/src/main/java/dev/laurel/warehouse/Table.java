package dev.laurel.warehouse;

import static dev.laurel.warehouse.Column.nullable;
import static dev.laurel.warehouse.Column.of;

import dev.laurel.warehouse.Column.Type;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The tables that rows are made of. Their columns are durable: a later version may add columns that may be null, at the end, and changes
 * nothing else. Objects of the rules are identified by the numbers that users' states have; {@link #OBJECTS} has their keys and names.
 *
 * <p>docs/warehouse.md has a sentence for each table and column.
 */
public enum Table {

    /** A row per user. */
    USERS(
            "users",
            2,
            List.of(
                    of("tenant", Type.TEXT),
                    of("user_id", Type.TEXT),
                    nullable("name", Type.TEXT),
                    nullable("email", Type.TEXT),
                    nullable("tz", Type.TEXT),
                    nullable("signed_up", Type.DATE),
                    nullable("subscribed", Type.BOOLEAN),
                    of("control", Type.BOOLEAN),
                    of("attributes", Type.JSON),
                    of("created_at", Type.TIMESTAMP),
                    of("updated_at", Type.TIMESTAMP),
                    nullable("last_event_at", Type.TIMESTAMP),
                    of("streak_frequency", Type.TEXT),
                    of("streak_length", Type.INTEGER),
                    of("longest_streak", Type.INTEGER),
                    nullable("streak_extended_at", Type.TIMESTAMP),
                    of("streak_freezes", Type.INTEGER),
                    of("week_start", Type.INTEGER))),

    /** A row per user, metric or points system, and local day with a change. */
    DAYS(
            "days",
            5,
            List.of(
                    Table.tenant(),
                    Table.user(),
                    Table.newest(),
                    of("object", Type.INTEGER),
                    of("day", Type.DATE),
                    of("value", Type.DECIMAL),
                    nullable("events", Type.INTEGER))),

    /** A row per user and completed achievement. */
    COMPLETIONS(
            "completions",
            3,
            List.of(Table.tenant(), Table.user(), of("achievement", Type.INTEGER), of("completed_at", Type.TIMESTAMP))),

    /** A row per award of points. */
    AWARDS(
            "awards",
            6,
            List.of(
                    Table.tenant(),
                    Table.user(),
                    Table.newest(),
                    of("system", Type.INTEGER),
                    of("page", Type.INTEGER),
                    of("sequence", Type.INTEGER),
                    of("awarded_at", Type.TIMESTAMP),
                    of("points", Type.BIGINT),
                    of("total", Type.BIGINT),
                    of("trigger", Type.INTEGER),
                    of("ruleset_version", Type.BIGINT),
                    of("boosts", Type.INTEGER))),

    /** A row per user and period of the streak that was met or covered. */
    PERIODS(
            "periods",
            6,
            List.of(
                    Table.tenant(),
                    Table.user(),
                    Table.newest(),
                    of("frequency", Type.TEXT),
                    of("block", Type.INTEGER),
                    of("period", Type.INTEGER),
                    of("status", Type.TEXT),
                    nullable("met_on", Type.INTEGER))),

    /** A row per participant of a group of a run of a leaderboard. */
    PARTICIPANTS(
            "participants",
            5,
            List.of(
                    Table.tenant(),
                    of("board", Type.INTEGER),
                    of("run", Type.INTEGER),
                    of("group_id", Type.TEXT),
                    Table.user(),
                    of("group_values", Type.JSON),
                    of("value", Type.DECIMAL),
                    of("changed_at", Type.TIMESTAMP),
                    nullable("visibility", Type.TEXT))),

    /** A row per object of the rules that rows refer to. */
    OBJECTS(
            "objects",
            2,
            List.of(
                    Table.tenant(),
                    of("number", Type.INTEGER),
                    of("kind", Type.TEXT),
                    of("key", Type.TEXT),
                    of("name", Type.TEXT),
                    of("id", Type.TEXT),
                    nullable("parent", Type.INTEGER),
                    of("is_current", Type.BOOLEAN)));

    private final String name;
    private final int keys;
    private final List<Column> columns;

    Table(String name, int keys, List<Column> columns) {
        this.name = name;
        this.keys = keys;
        this.columns = columns;
    }

    private static Column tenant() {
        return of("tenant", Type.TEXT);
    }

    private static Column user() {
        return of("user_id", Type.TEXT);
    }

    /** Whether the row comes from the store of users, which has what is newest. */
    private static Column newest() {
        return of("newest", Type.BOOLEAN);
    }

    public String tableName() {
        return name;
    }

    /** All columns, in the order of the values of rows. */
    public List<Column> columns() {
        return columns;
    }

    /** The columns of the primary key, which come first. */
    public List<Column> key() {
        return columns.subList(0, keys);
    }

    /** The names of columns. */
    public static List<String> names(List<Column> columns) {
        return columns.stream().map(Column::name).toList();
    }

    /** The positions of the columns that a struct of a record has: the tables of connectors tell stores apart themselves. */
    int[] shownFrom(int first) {
        return IntStream.range(first, columns.size())
                .filter(i -> !columns.get(i).name().equals("newest"))
                .toArray();
    }
}
