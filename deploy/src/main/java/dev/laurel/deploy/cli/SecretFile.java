package dev.laurel.deploy.cli;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.command.LocalFiles;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads files that hold secrets. Messages never contain their content. */
public final class SecretFile {

    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final int MAX_BYTES = 1024 * 1024;

    private SecretFile() {}

    /**
     * Returns the content without surrounding white space. Logs a warning if everybody on this machine can read the
     * file.
     *
     * @param option names the file in messages
     * @throws CommandFailed if the file cannot be read or is empty
     */
    public static String read(String option, Path file) {
        String text = LocalFiles.readText(option + ": ", file, MAX_BYTES).strip();
        if (text.isEmpty()) {
            throw new CommandFailed(option + ": " + file + " is empty");
        }
        warnIfOpen(option, file);
        return text;
    }

    /**
     * Returns a secret from its option or its file; null: neither is given.
     *
     * @param option name of the option for the secret; the option for the file has the suffix {@code -file}
     */
    public static @Nullable String either(String option, @Nullable String given, @Nullable Path file) {
        if (given != null && file != null) {
            throw new CommandFailed(option + " and " + option + "-file exclude each other: give one of them");
        }
        return file == null ? given : read(option + "-file", file);
    }

    /** Reads a properties file, in which some values are secret. */
    public static Map<String, String> readProperties(String option, Path file) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(read(option, file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed(option + ": " + file + " must be a properties file", e);
        }
        var settings = new HashMap<String, String>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }

    /** Does nothing on file systems without POSIX permissions. */
    public static void warnIfOpen(String option, Path file) {
        if (CommandFailed.attempt(option + ": cannot read " + file, () -> isOpen(file))) {
            LOG.warn("{} contains a secret and is readable by everybody on this machine; run chmod o-rwx on it", file);
        }
    }

    static boolean isOpen(Path file) throws IOException {
        return Files.getFileStore(file).supportsFileAttributeView("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    }
}
