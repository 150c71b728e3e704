package dev.laurel.deploy.roles;

import dev.laurel.deploy.tools.replay.ReplayJobs;
import dev.laurel.gateway.GatewayConfig;
import dev.laurel.gateway.http.Replays;
import dev.laurel.platform.command.CommandFailed;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a gateway, in a process of its own or in a standalone. */
final class GatewayOptions {

    @Option(
            names = "--max-in-flight",
            paramLabel = "N",
            defaultValue = "" + GatewayConfig.DEFAULT_MAX_IN_FLIGHT,
            description = "Writes that may wait for their results at a time; more are answered 503 (default:"
                    + " ${DEFAULT-VALUE}).")
    private int maxInFlight;

    @Option(
            names = "--reply-timeout",
            paramLabel = "DURATION",
            defaultValue = "PT30S",
            description = "How long a write waits for its result before it is answered 202, pending (default:"
                    + " ${DEFAULT-VALUE}).")
    private Duration replyTimeout;

    @Option(
            names = "--strict",
            paramLabel = "true|false",
            arity = "0..1",
            defaultValue = "false",
            fallbackValue = "true",
            description = "Answer writes only with results of committed transactions, which adds up to half a second"
                    + " (default: ${DEFAULT-VALUE}).")
    private boolean strict;

    @Option(
            names = "--replays",
            paramLabel = "N",
            description =
                    "Replays of POST /admin/v1/replays that may run here at the same time; 0 offers none (default: 0;"
                            + " standalone: 1).")
    private @Nullable Integer replays;

    @Option(
            names = "--replays-dir",
            paramLabel = "DIR",
            description =
                    "Folder for replays and their reports, for this process only (default: replays in the data folder"
                            + " of a node or standalone; gateway: ./laurel-data/replays).")
    private @Nullable Path replaysDir;

    /**
     * Returns the replays to offer.
     *
     * @param usual default number
     * @param dir default folder
     * @throws CommandFailed if the number is out of range
     */
    Replaying replays(int usual, Path dir) {
        int running = replays == null ? usual : replays;
        CommandFailed.expectRange("--replays", running, 0, ReplayJobs.MAX_RUNNING);
        return new Replaying(running, replaysDir == null ? dir : replaysDir);
    }

    /**
     * The replays that a process offers.
     *
     * @param running number at the same time; 0: none
     */
    record Replaying(int running, Path dir) {

        /**
         * Opens them as a part of the process.
         *
         * @param rocksDbBytes memory for RocksDB of the process
         * @return null if there are none
         * @throws CommandFailed if the folder cannot be used
         */
        @Nullable
        Replays open(RoleProcess process, long rocksDbBytes) {
            return running == 0
                    ? null
                    : process.parts()
                            .add(ReplayJobs.open(dir, running, process.kafka(), process.clock(), rocksDbBytes));
        }
    }

    /**
     * Returns how requests wait for their results.
     *
     * @throws CommandFailed if a value is out of range
     */
    GatewayConfig.Limits limits() {
        if (maxInFlight < 1 || maxInFlight > 1_000_000) {
            throw new CommandFailed("--max-in-flight must be from 1 to 1000000, is " + maxInFlight);
        }
        if (replyTimeout.compareTo(Duration.ofMillis(1)) < 0 || replyTimeout.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new CommandFailed("--reply-timeout must be from 1 ms to 10 minutes, like PT30S, is " + replyTimeout);
        }
        return new GatewayConfig.Limits(maxInFlight, replyTimeout, strict);
    }
}
