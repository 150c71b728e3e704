package dev.laurel.warehouse;

import static dev.laurel.warehouse.Column.NEWEST;
import static dev.laurel.warehouse.Column.TENANT;
import static dev.laurel.warehouse.Column.Type.BIGINT;
import static dev.laurel.warehouse.Column.Type.BOOLEAN;
import static dev.laurel.warehouse.Column.Type.DATE;
import static dev.laurel.warehouse.Column.Type.DECIMAL;
import static dev.laurel.warehouse.Column.Type.INTEGER;
import static dev.laurel.warehouse.Column.Type.JSON;
import static dev.laurel.warehouse.Column.Type.TEXT;
import static dev.laurel.warehouse.Column.Type.TIMESTAMP;
import static dev.laurel.warehouse.Column.USER;
import static dev.laurel.warehouse.Column.nullable;
import static dev.laurel.warehouse.Column.of;

import dev.laurel.schemas.kind.IssueList;
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
            2,
            TENANT,
            USER,
            nullable("name", TEXT),
            nullable("email", TEXT),
            nullable("tz", TEXT),
            nullable("signed_up", DATE),
            nullable("subscribed", BOOLEAN),
            of("control", BOOLEAN),
            of("attributes", JSON),
            of("created_at", TIMESTAMP),
            of("updated_at", TIMESTAMP),
            nullable("last_event_at", TIMESTAMP),
            of("streak_frequency", TEXT),
            of("streak_length", INTEGER),
            of("longest_streak", INTEGER),
            nullable("streak_extended_at", TIMESTAMP),
            of("streak_freezes", INTEGER),
            of("week_start", INTEGER)),

    /** A row per user, metric or points system, and local day with a change. */
    DAYS(
            5,
            TENANT,
            USER,
            NEWEST,
            of("object", INTEGER),
            of("day", DATE),
            of("value", DECIMAL),
            nullable("events", INTEGER)),

    /** A row per user and completed achievement. */
    COMPLETIONS(3, TENANT, USER, of("achievement", INTEGER), of("completed_at", TIMESTAMP)),

    /** A row per award of points. */
    AWARDS(
            6,
            TENANT,
            USER,
            NEWEST,
            of("system", INTEGER),
            of("page", INTEGER),
            of("sequence", INTEGER),
            of("awarded_at", TIMESTAMP),
            of("points", BIGINT),
            of("total", BIGINT),
            of("trigger", INTEGER),
            of("ruleset_version", BIGINT),
            of("boosts", INTEGER)),

    /** A row per user and period of the streak that was met or covered. */
    PERIODS(
            6,
            TENANT,
            USER,
            NEWEST,
            of("frequency", TEXT),
            of("block", INTEGER),
            of("period", INTEGER),
            of("status", TEXT),
            nullable("met_on", INTEGER)),

    /** A row per participant of a group of a run of a leaderboard. */
    PARTICIPANTS(
            5,
            TENANT,
            of("board", INTEGER),
            of("run", INTEGER),
            of("group_id", TEXT),
            USER,
            of("group_values", JSON),
            of("value", DECIMAL),
            of("changed_at", TIMESTAMP),
            nullable("visibility", TEXT)),

    /** A row per object of the rules that rows refer to. */
    OBJECTS(
            2,
            TENANT,
            of("number", INTEGER),
            of("kind", TEXT),
            of("key", TEXT),
            of("name", TEXT),
            of("id", TEXT),
            nullable("parent", INTEGER),
            of("is_current", BOOLEAN));

    private final int keys;
    private final List<Column> columns;

    Table(int keys, Column... columns) {
        this.keys = keys;
        this.columns = List.of(columns);
    }

    public String tableName() {
        return IssueList.word(this);
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
                .filter(i -> !columns.get(i).equals(NEWEST))
                .toArray();
    }
}
