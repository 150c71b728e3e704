package dev.laurel.deploy.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Option for the data folder of a standalone on this machine, from which tools take its addresses and its key. */
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class DataDirOption {

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "./laurel-data", description = "Data folder of a standalone on this machine (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    public Path path() {
        return dataDir;
    }
}
