package dev.laurel.processors.delivery.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Which Laurel this is. */
final class Version {

    private Version() {}

    /** Written into the resource by the build. */
    static String text() {
        try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
            var properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("reading a resource of ours", e);
        }
    }
}
