package dev.laurel.deploy;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** The result of a command line, run in this JVM and without the environment. */
public record CommandRun(int exitCode, String out, String err) {

    public static CommandRun of(String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int exitCode = LaurelMain.run(Map.of(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
