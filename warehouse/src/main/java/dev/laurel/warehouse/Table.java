package dev.laurel.warehouse;

import dev.laurel.warehouse.Column.Type;
import java.util.List;
import java.util.stream.IntStream;

import static dev.laurel.warehouse.Column.nullable;
import static dev.laurel.warehouse.Column.of;

/**
 * The tables that rows are made of. Their columns are durable: a later version may add columns that may be null, at the end, and changes
 * nothing else. Objects of the rules are identified by the numbers that users' states have; {@link #OBJECTS} has their keys and names.
 */
public enum Table {

    USERS("users", 2, "A row per user.", of(Table.TENANT, Type.TEXT, "The tenant; empty without multi-tenancy."),
            of(Table.USER, Type.TEXT, "The id of the user."),
            nullable("name", Type.TEXT, "The name."),
            nullable("email", Type.TEXT, "The email address."),
            nullable("tz", Type.TEXT, "The time zone, such as Europe/Helsinki; null: that of the tenant."),
            nullable("signed_up", Type.DATE, "The day of the sign-up with the product, if it was given."),
            nullable("subscribed", Type.BOOLEAN, "Whether the user wants emails; null: never said, which means yes."),
            of("control", Type.BOOLEAN, "Whether the user is in the control group."),
            of("attributes", Type.JSON, "The attributes, as an object with texts."),
            of("created_at", Type.TIMESTAMP, "The time of the first command."),
            of("updated_at", Type.TIMESTAMP, "The last change of a property."),
            nullable("last_event_at", Type.TIMESTAMP, "The newest event; null: none yet."),
            of("streak_frequency", Type.TEXT, "daily, weekly or monthly."),
            of("streak_length", Type.INTEGER, "The present length; 0 if the user has switched streaks off."),
            of("longest_streak", Type.INTEGER, "The greatest length ever."),
            nullable("streak_extended_at", Type.TIMESTAMP, "When the newest period was met."),
            of("streak_freezes", Type.INTEGER, "Freezes in hand."),
            of("week_start", Type.INTEGER,
                    "Days from 1970-01-01 to the first day of the week 0 of streaks, -6 to 0; for weekly streaks.")),

    DAYS("days", 5, "A row per user, metric or points system, and local day with a change.", Table.tenant(),
            Table.user(), Table.newest(),
            of("object", Type.INTEGER, "The number of the metric or points system."),
            of("day", Type.DATE, "The user's local day."),
            of("value", Type.DECIMAL, "The sum of the values of events, or of the points awarded."),
            nullable("events", Type.INTEGER, "The number of events; means nothing for points.")),

    COMPLETIONS("completions", 3, "A row per user and completed achievement.", Table.tenant(), Table.user(),
            of("achievement", Type.INTEGER, "The number of the achievement."),
            of("completed_at", Type.TIMESTAMP, "When it was completed.")),

    AWARDS("awards", 6, "A row per award of points.", Table.tenant(), Table.user(), Table.newest(),
            of("system", Type.INTEGER, "The number of the points system."),
            of("page", Type.INTEGER, "The page of the ledger: sequence / 8."),
            of("sequence", Type.INTEGER, "0, 1, … per user and system, in the order of processing."),
            of("awarded_at", Type.TIMESTAMP, "When."),
            of("points", Type.BIGINT, "The points that took effect; negative for deductions."),
            of("total", Type.BIGINT, "The user's total after it."),
            of("trigger", Type.INTEGER, "The number of the trigger."),
            of("ruleset_version", Type.BIGINT, "The version of the rules."),
            of("boosts", Type.INTEGER, "How many boosts multiplied it.")),

    PERIODS("periods", 6, "A row per user and period of the streak that was met or covered.", Table.tenant(),
            Table.user(), Table.newest(),
            of("frequency", Type.TEXT, "daily, weekly or monthly."),
            of("block", Type.INTEGER, "The block of 32 periods."),
            of("period", Type.INTEGER, "The number of the period: days, weeks or months since 1970."),
            of("status", Type.TEXT, "met, frozen, restored, excused, paused, or met_before_reset."),
            nullable("met_on", Type.INTEGER, "The day of the period on which it was met; 0 is the first.")),

    PARTICIPANTS("participants", 5, "A row per participant of a group of a run of a leaderboard.", Table.tenant(),
            of("board", Type.INTEGER, "The number of the leaderboard."),
            of("run", Type.INTEGER, "The first day of the run, in days since 1970; 0: it does not repeat."),
            of("group_id", Type.TEXT, "The group, by a hash of its values; empty without a breakdown."), Table.user(),
            of("group_values", Type.JSON, "The values of the breakdown attributes, as an array of texts."),
            of("value", Type.DECIMAL, "The ranked value."),
            of("changed_at", Type.TIMESTAMP, "Of equal values the earlier one has the better rank.")),

    OBJECTS("objects", 2, "A row per object of the rules that rows refer to.", Table.tenant(),
            of("number", Type.INTEGER, "The number, which no other object of the tenant has ever had."),
            of("kind", Type.TEXT,
                    "metric, achievement, points (a points system), trigger, leaderboard, and others of removed objects."),
            of("key", Type.TEXT, "The key."),
            of("name", Type.TEXT, "The name; of a trigger its type."),
            of("id", Type.TEXT, "The id in the API."),
            nullable("parent", Type.INTEGER, "The number of the points system that a trigger belongs to."),
            of("is_current", Type.BOOLEAN, "Whether the newest version of the rules has it."));

    static final String TENANT = "tenant";
    static final String USER = "user_id";
    static final String NEWEST = "newest";

    private final String name;
    private final int keys;
    private final String about;
    private final List<Column> columns;

    Table(String name, int keys, String about, Column... columns) {
        this.name = name;
        this.keys = keys;
        this.about = about;
        this.columns = List.of(columns);
    }

    private static Column tenant() {
        return of("tenant", Type.TEXT, "The tenant.");
    }

    private static Column user() {
        return of("user_id", Type.TEXT, "The user.");
    }

    private static Column newest() {
        return of("newest", Type.BOOLEAN, "Whether the row comes from the store of users, which has what is newest.");
    }

    public String tableName() {
        return name;
    }

    /** A sentence for the documents. */
    public String about() {
        return about;
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
