package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.cli.DataDir;
import dev.laurel.platform.command.CommandFailed;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Inspects the data directory of a process on this machine. */
final class DirectoryInspector {

    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private DirectoryInspector() {}

    /** Returns null if the directory does not exist. */
    static Facts.@Nullable DirectoryFacts gather(Path directory) {
        if (!Files.isDirectory(directory)) {
            return null;
        }
        try {
            FileStore store = Files.getFileStore(directory);
            boolean isPosix = store.supportsFileAttributeView("posix");
            Path key = new DataDir(directory).keyFile();
            boolean isOpen = isPosix && Files.exists(key)
                    && Files.getPosixFilePermissions(key).stream().anyMatch(OTHERS::contains);
            return new Facts.DirectoryFacts(directory.toString(), isPosix ? Files.getOwner(directory).getName() : null,
                    System.getProperty("user.name"), Files.isWritable(directory), store.getUsableSpace(),
                    store.getTotalSpace(), isOpen ? key.toString() : null);
        } catch (IOException e) {
            throw new CommandFailed("cannot inspect " + directory + ": " + e.getMessage(), e);
        }
    }
}
