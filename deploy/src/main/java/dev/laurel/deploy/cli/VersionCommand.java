package dev.laurel.deploy.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Properties;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the versions of Laurel, Java and Kafka.")
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class VersionCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.println("laurel " + laurelVersion());
        out.println("java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")");
        out.println("kafka " + AppInfoParser.getVersion());
        out.flush();
    }

    /** Returns the version that the build has written into the resource. */
    public static String laurelVersion() {
        try (InputStream resource = VersionCommand.class.getResourceAsStream("/dev/laurel/deploy/version.properties")) {
            Properties properties = new Properties();
            properties.load(resource);
            return properties.getProperty("version");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
