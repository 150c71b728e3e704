package dev.laurel.warehouse;

import dev.laurel.warehouse.Column.Type;
import java.util.List;
import java.util.stream.IntStream;

import static dev.laurel.warehouse.Column.nullable;
import static dev.laurel.warehouse.Column.of;

/**
 * The tables that rows are made of. Their columns are durable: a later version may add columns that may be null, at the end, and changes
 * nothing else. Objects of the rules are identified by the numbers that users' states have; {@link #OBJECTS} has their keys and names.
 *
 * <p>The comment in front of a table or a column is its sentence in docs/warehouse.md.
 */
public enum Table {

    // A row per user.
    USERS("users", 2, List.of(// The tenant; empty without multi-tenancy.
            of("tenant", Type.TEXT), // The id of the user.
            of("user_id", Type.TEXT), // The name.
            nullable("name", Type.TEXT), // The email address.
            nullable("email", Type.TEXT), // The time zone, such as Europe/Helsinki; null: that of the tenant.
            nullable("tz", Type.TEXT), // The day of the sign-up with the product, if it was given.
            nullable("signed_up", Type.DATE), // Whether the user wants emails; null: never said, which means yes.
            nullable("subscribed", Type.BOOLEAN), // Whether the user is in the control group.
            of("control", Type.BOOLEAN), // The attributes, as an object with texts.
            of("attributes", Type.JSON), // The time of the first command.
            of("created_at", Type.TIMESTAMP), // The last change of a property.
            of("updated_at", Type.TIMESTAMP), // The newest event; null: none yet.
            nullable("last_event_at", Type.TIMESTAMP), // daily, weekly or monthly.
            of("streak_frequency", Type.TEXT), // The present length; 0 if the user has switched streaks off.
            of("streak_length", Type.INTEGER), // The greatest length ever.
            of("longest_streak", Type.INTEGER), // When the newest period was met.
            nullable("streak_extended_at", Type.TIMESTAMP), // Freezes in hand.
            of("streak_freezes", Type.INTEGER), // Days from 1970-01-01 to the first day of the week 0 of streaks, -6 to 0; for weekly
            // streaks.
            of("week_start", Type.INTEGER))),

    // A row per user, metric or points system, and local day with a change.
    DAYS("days", 5, List.of(
            Table.tenant(), Table.user(), Table.newest(), // The number of the metric or points system.
            of("object", Type.INTEGER), // The user's local day.
            of("day", Type.DATE), // The sum of the values of events, or of the points awarded.
            of("value", Type.DECIMAL), // The number of events; means nothing for points.
            nullable("events", Type.INTEGER))),

    // A row per user and completed achievement.
    COMPLETIONS("completions", 3, List.of(
            Table.tenant(), Table.user(), // The number of the achievement.
            of("achievement", Type.INTEGER), // When it was completed.
            of("completed_at", Type.TIMESTAMP))),

    // A row per award of points.
    AWARDS("awards", 6, List.of(
            Table.tenant(), Table.user(), Table.newest(), // The number of the points system.
            of("system", Type.INTEGER), // The page of the ledger: sequence / 8.
            of("page", Type.INTEGER), // 0, 1, … per user and system, in the order of processing.
            of("sequence", Type.INTEGER), // When.
            of("awarded_at", Type.TIMESTAMP), // The points that took effect; negative for deductions.
            of("points", Type.BIGINT), // The user's total after it.
            of("total", Type.BIGINT), // The number of the trigger.
            of("trigger", Type.INTEGER), // The version of the rules.
            of("ruleset_version", Type.BIGINT), // How many boosts multiplied it.
            of("boosts", Type.INTEGER))),

    // A row per user and period of the streak that was met or covered.
    PERIODS("periods", 6, List.of(
            Table.tenant(), Table.user(), Table.newest(), // daily, weekly or monthly.
            of("frequency", Type.TEXT), // The block of 32 periods.
            of("block", Type.INTEGER), // The number of the period: days, weeks or months since 1970.
            of("period", Type.INTEGER), // met, frozen, restored, excused, paused, or met_before_reset.
            of("status", Type.TEXT), // The day of the period on which it was met; 0 is the first.
            nullable("met_on", Type.INTEGER))),

    // A row per participant of a group of a run of a leaderboard.
    PARTICIPANTS("participants", 5, List.of(
            Table.tenant(), // The number of the leaderboard.
            of("board", Type.INTEGER), // The first day of the run, in days since 1970; 0: it does not repeat.
            of("run", Type.INTEGER), // The group, by a hash of its values; empty without a breakdown.
            of("group_id", Type.TEXT),
            Table.user(), // The values of the breakdown attributes, as an array of texts.
            of("group_values", Type.JSON), // The ranked value.
            of("value", Type.DECIMAL), // Of equal values the earlier one has the better rank.
            of("changed_at", Type.TIMESTAMP))),

    // A row per object of the rules that rows refer to.
    OBJECTS("objects", 2, List.of(
            Table.tenant(), // The number, which no other object of the tenant has ever had.
            of("number", Type.INTEGER), // metric, achievement, points (a points system), trigger, leaderboard, and others of removed
            // objects.
            of("kind", Type.TEXT), // The key.
            of("key", Type.TEXT), // The name; of a trigger its type.
            of("name", Type.TEXT), // The id in the API.
            of("id", Type.TEXT), // The number of the points system that a trigger belongs to.
            nullable("parent", Type.INTEGER), // Whether the newest version of the rules has it.
            of("is_current", Type.BOOLEAN)));

    private final String name;
    private final int keys;
    private final List<Column> columns;

    Table(String name, int keys, List<Column> columns) {
        this.name = name;
        this.keys = keys;
        this.columns = columns;
    }

    // The tenant.
    private static Column tenant() {
        return of("tenant", Type.TEXT);
    }

    // The user.
    private static Column user() {
        return of("user_id", Type.TEXT);
    }

    // Whether the row comes from the store of users, which has what is newest.
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
        return IntStream.range(first, columns.size()).filter(i -> !columns.get(i).name().equals("newest")).toArray();
    }
}
