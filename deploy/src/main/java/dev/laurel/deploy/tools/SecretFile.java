package dev.laurel.deploy.tools;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files that hold secrets. What is in them is in no message. */
public final class SecretFile {

    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final int MAX_BYTES = 1024 * 1024;

    private SecretFile() {}

    /**
     * What is in the file, without space around it. That everybody on this machine can read it is warned of.
     *
     * @param option names the file in messages
     * @throws CommandFailed if it cannot be read, or has nothing in it
     */
    public static String read(String option, Path file) {
        try {
            if (Files.size(file) > MAX_BYTES) {
                throw new CommandFailed(option + ": " + file + " is larger than a secret can be");
            }
            warnIfOpen(file);
            String text = Files.readString(file).strip();
            if (text.isEmpty()) {
                throw new CommandFailed(option + ": there is nothing in " + file);
            }
            return text;
        } catch (NoSuchFileException e) {
            throw new CommandFailed(option + ": there is no " + file, e);
        } catch (CharacterCodingException e) {
            throw new CommandFailed(option + ": " + file + " is no text in UTF-8", e);
        } catch (IOException e) {
            throw new CommandFailed(option + ": cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * A secret that is given itself or by its file.
     *
     * @param option that gives it itself; with {@code -file} behind it, the one that gives the file
     * @return null if neither is given
     */
    public static String either(String option, String given, Path file) {
        if (given != null && file != null) {
            throw new CommandFailed(option + " and " + option + "-file are both given: give one of them");
        }
        return file == null ? given : read(option + "-file", file);
    }

    /** Likewise, of Java's properties, some of which are secret. */
    public static Map<String, String> readProperties(String option, Path file) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(read(option, file)));
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed(option + ": " + file + " is no file of properties", e);
        }
        var settings = new HashMap<String, String>();
        properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        return settings;
    }

    /** Does nothing where files have no such permissions. */
    public static void warnIfOpen(Path file) throws IOException {
        if (isOpen(file)) {
            LOG.warn("{} holds a secret, and everybody on this machine can read it: chmod o-rwx", file);
        }
    }

    static boolean isOpen(Path file) throws IOException {
        return Files.getFileStore(file).supportsFileAttributeView("posix")
                && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    }
}
