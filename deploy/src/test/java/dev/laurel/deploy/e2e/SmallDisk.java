package dev.laurel.deploy.e2e;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * A file system of a few megabytes in memory that can be filled. Tests are skipped with a message if it cannot be
 * mounted.
 */
final class SmallDisk implements AutoCloseable {

    private static final int BLOCK_BYTES = 4096;

    private final Path path;

    private SmallDisk(Path path) {
        this.path = path;
    }

    static SmallDisk mounted(Path folder, int megabytes) throws IOException {
        Path path = Files.createDirectories(folder.resolve("small-disk"));
        int exitCode = run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", path.toString());
        if (exitCode != 0) {
            System.out.println("drill full-disk is SKIPPED: a tmpfs cannot be mounted here, that takes root");
        }
        Assumptions.assumeTrue(exitCode == 0, "a tmpfs cannot be mounted here, that takes root");
        return new SmallDisk(path);
    }

    private static int run(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).inheritIO().start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in " + command[0], e);
        }
    }

    Path path() {
        return path;
    }

    private Path filling() {
        return path.resolve("filling");
    }

    /** Uses all remaining space. */
    void fill() throws IOException {
        try (OutputStream out = Files.newOutputStream(filling())) {
            byte[] block = new byte[BLOCK_BYTES];
            while (true) {
                out.write(block);
            }
        } catch (IOException full) {
            if (Files.getFileStore(path).getUsableSpace() >= BLOCK_BYTES) {
                throw full;
            }
        }
    }

    /** Frees the space that {@link #fill} has used. */
    void clear() throws IOException {
        Files.delete(filling());
    }

    /** Unmounts the file system; no process may use it any more. */
    @Override
    public void close() throws IOException {
        if (run("umount", "--lazy", path.toString()) != 0) {
            throw new IOException(path + " cannot be unmounted");
        }
    }
}
