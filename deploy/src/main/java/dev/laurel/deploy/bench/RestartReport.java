package dev.laurel.deploy.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.laurel.deploy.bench.BenchReport.Machine;
import dev.laurel.deploy.cli.TextTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Unavailability of an instance with many users, in seconds; medians.
 *
 * @param stateBytes size of the stores on disk
 * @param stop time from SIGTERM until the process has ended
 * @param startAfterStop time from the start until a user can be read, with state on disk
 * @param startAfterKill the same after SIGKILL under load: the broker recovers its log, and the stores are restored
 * from their changelogs
 */
record RestartReport(@JsonIgnore Machine machine, int users, long stateBytes, double stop,
        double startAfterStop, double startAfterKill) implements BenchResult {
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
        return String.format(Locale.ROOT, "%s%n%,d users, %,.0f MB in the stores%n%n%s", MachineInfo.line(machine),
                users, stateBytes / MEGABYTE, table.text());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.1f", seconds);
    }

    @Override
    public String toJson() {
        return MachineInfo.json(machine, Map.of("restart", this));
    }
}
