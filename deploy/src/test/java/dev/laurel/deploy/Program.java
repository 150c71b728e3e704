package dev.laurel.deploy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Command lines that run the program in a process of its own. A packaged program runs as in {@code deploy/laurel},
 * with the cache for a faster start if there is one, because tests start it about seventy times. Otherwise it runs
 * from the class path of the test.
 */
public final class Program {

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final String CLASS_PATH;
    private static final List<String> CACHE;

    static {
        Path jar = Boolean.getBoolean("laurel.packaged") ? jar() : null;
        Path cache = TARGET.resolve("laurel.aot");
        CLASS_PATH = jar == null
                ? System.getProperty("java.class.path")
                : jar + File.pathSeparator + TARGET.resolve("lib") + "/*";
        CACHE = jar != null && isUsable(cache, jar) ? List.of("-Xlog:aot*=off", "-XX:AOTCache=" + cache) : List.of();
    }

    private Program() {}

    /** @param heap maximum heap, as in {@code 768m} */
    public static List<String> command(String heap, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The flags of the script, without the second compiler, which short runs do not need; the serial collector has
        // no threads.
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx" + heap,
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseCompactObjectHeaders"));
        command.addAll(CACHE);
        command.addAll(List.of("-cp", CLASS_PATH, LaurelMain.class.getName()));
        command.addAll(arguments);
        return command;
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(TARGET)) {
            return files.filter(
                            file -> file.getFileName().toString().matches("laurel-deploy-[0-9.]+(-SNAPSHOT)?\\.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("no jar in " + TARGET));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the cache belongs to this jar. An empty file means that its creation failed. */
    private static boolean isUsable(Path cache, Path jar) {
        try {
            return Files.exists(cache)
                    && Files.size(cache) > 0
                    && Files.getLastModifiedTime(cache).compareTo(Files.getLastModifiedTime(jar)) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
