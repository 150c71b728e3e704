package dev.laurel.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which Laurel this is. */
public final class LaurelVersion {

    private LaurelVersion() {}

    /** Written into the resource by the build. */
    public static String text() {
        try (InputStream resource = LaurelVersion.class.getResourceAsStream("version.properties")) {
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
