package dev.laurel.warehouse.sync;

import dev.laurel.platform.command.CommandFailed;
import java.sql.SQLException;
import java.util.Locale;
import java.util.stream.Collectors;

/** Messages for failures of a database, which say what the operator can do. */
final class SqlFailure {

    /** Of a message of a database: the reason is not always in the first. */
    private static final int MAX_LINES = 3;

    private SqlFailure() {}

    /** Whether the same may succeed later: the database was away, had no room, or gave up a transaction. */
    static boolean isTransient(SQLException e) {
        String state = stateOf(e);
        return state.startsWith("08")
                || state.startsWith("40")
                || state.startsWith("53")
                || state.startsWith("57")
                || state.equals("55P03")
                || isFull(e);
    }

    private static String stateOf(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    private static boolean isFull(SQLException e) {
        return stateOf(e).equals("53100")
                || String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("no space left");
    }

    static CommandFailed of(String database, SQLException e) {
        String state = stateOf(e);
        String message = String.valueOf(e.getMessage())
                .lines()
                .limit(MAX_LINES)
                .map(String::strip)
                .collect(Collectors.joining("; "));
        String reason = switch (state) {
            case "28000", "28P01" ->
                "the database " + database + " refuses the user or the password; give --user and --password-file";
            case "3D000" -> "the server has no database of the name in " + database + "; create it first";
            case "42501" ->
                "the user may not do this in " + database
                        + ": it needs the right to create the schema laurel, or to own it";
            case "55P03" -> "another sync keeps the tables of " + database + "; one at a time may";
            case "0A000", "42704" -> "the database " + database + " is too old; PostgreSQL 12 is the oldest that works";
            default ->
                state.startsWith("08")
                        ? "the database " + database + " cannot be reached; is the address right, and is it running?"
                        : isFull(e)
                                ? "the disk of the database " + database + " is full"
                                : message.startsWith("No suitable driver")
                                        ? "there is no driver for " + database
                                                + " on the class path; deploy/laurel has those of PostgreSQL and DuckDB"
                                        : "the database " + database + " refused";
        };
        return new CommandFailed(reason + " (" + message + ")", e);
    }
}
