package dev.laurel.deploy.tools;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a standalone of this machine keeps its files: how tools find it without being told more. */
public final class DataDirOption {

    @Option(names = "--data-dir", paramLabel = "DIR", defaultValue = "./laurel-data", description = "Data folder of a standalone on this machine (default: ${DEFAULT-VALUE}).")
    private Path dataDir;

    public Path path() {
        return dataDir;
    }
}
