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

/** The routes of the running program and the OpenAPI documents, held to one another. */
@ExtendWith(SharedLaurel.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class DocumentedRoutesIT {

    /** Mounted only where time is virtual; {@link VirtualTimeIT} calls them. */
    private static final Set<String> WITH_TEST_CLOCK = Set.of("GET /admin/v1/test-clock", "POST /admin/v1/test-clock");

    /** Documented ahead of the code. */
    private static final Set<String> NOT_BUILT_YET = Set.of("DELETE /admin/v1/admin-api-keys",
            "DELETE /admin/v1/application-api-keys", "DELETE /admin/v1/points/boosts",
            "DELETE /admin/v1/points/boosts/{id}", "DELETE /admin/v1/streaks/pauses", "DELETE /admin/v1/tenants",
            "DELETE /admin/v1/users", "GET /admin/v1/admin-api-keys", "GET /admin/v1/application-api-keys",
            "GET /admin/v1/notifications/channels", "GET /admin/v1/notifications/settings", "GET /admin/v1/settings",
            "GET /admin/v1/streaks/pauses", "GET /admin/v1/streaks/settings", "GET /admin/v1/tenants",
            "GET /admin/v1/tenants/{id}", "GET /admin/v1/users", "GET /admin/v1/users/{id}/export",
            "GET /admin/v1/webhooks/{id}/secret", "GET /api/achievements", "GET /api/streaks",
            "GET /api/streaks/rankings", "GET /api/users/{id}/wrapped", "GET /v1/achievements", "GET /v1/streaks",
            "GET /v1/streaks/rankings", "GET /v1/users/{id}/wrapped", "PATCH /admin/v1/admin-api-keys",
            "PATCH /admin/v1/notifications/channels", "PATCH /admin/v1/notifications/settings",
            "PATCH /admin/v1/settings", "PATCH /admin/v1/streaks/settings", "PATCH /admin/v1/tenants",
            "POST /admin/v1/admin-api-keys", "POST /admin/v1/admin-api-keys/{id}/rotate",
            "POST /admin/v1/application-api-keys", "POST /admin/v1/metrics/events", "POST /admin/v1/points/boosts",
            "POST /admin/v1/streaks/freezes", "POST /admin/v1/streaks/pauses", "POST /admin/v1/streaks/restore",
            "POST /admin/v1/tenants", "POST /admin/v1/webhooks/{id}/rotate-secret");

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
        missing.removeAll(NOT_BUILT_YET);
        assertEquals(Set.of(), missing, "documented, but not mounted");
    }
}
