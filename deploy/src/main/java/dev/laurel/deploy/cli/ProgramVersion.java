package dev.laurel.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** The versions of Laurel, Java and Kafka. */
public final class ProgramVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {
            "laurel " + ofLaurel(),
            "java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
            "kafka " + AppInfoParser.getVersion()
        };
    }

    /** Returns the version that the build has written into the resource. */
    public static String ofLaurel() {
        try (InputStream resource = ProgramVersion.class.getResourceAsStream("/dev/laurel/deploy/version.properties")) {
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
