package dev.laurel.deploy.e2e;

import dev.laurel.deploy.TempFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides a {@link LaurelInstance} with {@link SwimClub}'s ruleset, started once for all test classes. Tests use
 * user ids of their own, do not change the ruleset, and count only their own users.
 */
final class SharedLaurel implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(SharedLaurel.class);

    /** Closed with the store that holds it, at the end of the run. */
    private record Shared(Path dataDir, LaurelInstance instance) implements AutoCloseable {

        static Shared start() {
            try {
                Path dataDir = TempFolders.create("laurel-e2e");
                LaurelInstance instance = LaurelInstance.start(dataDir);
                instance.client().put("/admin/v1/ruleset", SwimClub.RULESET).expect(200);
                return new Shared(dataDir, instance);
            } catch (IOException e) {
                throw new IllegalStateException("no place for the instance under test", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while starting the instance under test", e);
            }
        }

        @Override
        public void close() throws IOException {
            instance.close();
            try (Stream<Path> paths = Files.walk(dataDir)) {
                for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LaurelInstance.class;
    }

    @Override
    public LaurelInstance resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot().getStore(NAMESPACE).computeIfAbsent("shared", _ -> Shared.start(), Shared.class)
                .instance();
    }
}
