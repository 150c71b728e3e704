package dev.laurel.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Reads resources of the class path that have the format of {@link Properties}. */
public final class ResourceProperties {

    private ResourceProperties() {}

    /** @param name as for {@link Class#getResourceAsStream}; there is such a resource */
    public static Properties read(Class<?> owner, String name) {
        try (InputStream in = owner.getResourceAsStream(name)) {
            var properties = new Properties();
            properties.load(in);
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
