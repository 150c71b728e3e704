package dev.laurel.deploy.cli;

import dev.laurel.platform.command.LocalFiles;
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
        return LocalFiles.properties(ProgramVersion.class, "/dev/laurel/deploy/version.properties")
                .getProperty("version");
    }
}
