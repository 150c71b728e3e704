package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.deploy.TextTable;
import dev.laurel.deploy.bench.BenchReport.Machine;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How long an instance with many users is away. Seconds; medians.
 *
 * @param stateBytes of the stores on disk
 * @param stop from SIGTERM until the process has ended
 * @param startAfterStop from its start until a user could be read, the state being where it was left
 * @param startAfterKill the same after SIGKILL under load: the broker looks through its log, and the stores are restored from
 *        their changelogs
 */
public record RestartReport(@JsonIgnore Machine machine, int users, long stateBytes, double stop,
        double startAfterStop, double startAfterKill) implements Findings {
    static final double STOPPED_TARGET_S = 10;
    private static final double MEGABYTE = 1024.0 * 1024;
    private static final double MILLION = 1e6;

    @Override
    public String toTable() {
        var table = TextTable.ofNumbers();
        table.row("", "s", "target", "s per million users");
        table.row("SIGTERM until it has ended", seconds(stop));
        table.row(List.of("start until a user is read", seconds(startAfterStop),
                String.format(Locale.ROOT, "≤ %.0f", STOPPED_TARGET_S)));
        table.row(List.of("start after SIGKILL until a user is read", seconds(startAfterKill), "",
                seconds(startAfterKill * MILLION / users)));
        return String.format(Locale.ROOT, "%s%n%,d users, %,.0f MB in the stores%n%n%s", ThisMachine.line(machine),
                users, stateBytes / MEGABYTE, table.text());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    @Override
    public String toJson() {
        return ThisMachine.json(machine, Map.of("restart", this));
    }
}
