package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Compares the routes of the running program with the OpenAPI documents. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DocumentedRoutesIT {

    /** Routes that exist only with virtual time; {@link VirtualTimeIT} calls them. */
    private static final Set<String> WITH_TEST_CLOCK = Set.of("GET /admin/v1/test-clock", "POST /admin/v1/test-clock");

    @Test
    void shouldDocumentEveryRouteAndMountEveryDocumentedOne(LaurelInstance instance) {
        Set<String> documented = OpenApiDocument.all().stream().flatMap(document -> document.operations().stream())
                .map(Operation::name).collect(Collectors.toCollection(TreeSet::new));
        Set<String> mounted = new TreeSet<>(instance.routes());

        var undocumented = new TreeSet<>(mounted);
        undocumented.removeAll(documented);
        var missing = new TreeSet<>(documented);
        missing.removeAll(mounted);
        missing.removeAll(WITH_TEST_CLOCK);
        assertEquals(Set.of(), undocumented, "mounted, but in no document");
        assertEquals(Set.of(), missing, "documented, but not mounted");
    }
}
