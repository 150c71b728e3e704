package dev.laurel.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The source files of the project, without build results and downloads. */
final class ProjectFiles {

    static final Path ROOT = root();
    private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules", "laurel-data");

    private ProjectFiles() {}

    /** Tests run in the folder of a module, which is in the root or deeper. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("deploy").resolve("laurel"))) {
            folder = Objects.requireNonNull(folder.getParent(), "not in a checkout");
        }
        return folder;
    }

    /** Returns all files with this suffix, in the order of their paths. */
    static List<Path> ending(Collection<String> endings) {
        var found = new ArrayList<Path>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return NOT_OURS.contains(folder.getFileName().toString())
                            ? FileVisitResult.SKIP_SUBTREE
                            : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    if (endings.stream().anyMatch(file.getFileName().toString()::endsWith)) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().toList();
    }

    /** Returns a path relative to the root, for messages. */
    static String nameOf(Path file) {
        return ROOT.relativize(file).toString();
    }
}
