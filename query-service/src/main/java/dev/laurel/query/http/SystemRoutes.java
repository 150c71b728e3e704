package dev.laurel.query.http;

import static dev.laurel.query.http.ReadAnswers.answer;

import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.platform.http.RouteTable;
import dev.laurel.platform.http.RouteTable.Routes;
import dev.laurel.schemas.wire.SystemBody;
import dev.laurel.schemas.wire.SystemBody.DiagnosticsBody;
import dev.laurel.schemas.wire.SystemBody.HealthBody;

/** What operators ask about the system as a whole (docs/admin-api.md B11). Every process answers, from its own point of view. */
public record SystemRoutes(Reports reports) implements Routes {

    private static final String ATTACHMENT = "attachment; filename=\"laurel-diagnostics.json\"";

    /** What the routes answer. Thread-safe. */
    public interface Reports {

        /** @throws HttpRefusal 503 if Kafka does not answer in time */
        SystemBody system();

        /** @throws HttpRefusal 503 if the examination takes too long; a later call has its result */
        HealthBody health();

        DiagnosticsBody diagnostics();
    }

    @Override
    public void mount(RouteTable routes) {
        routes.get("/admin/v1/system", RequiredRole.VIEWER_OF_INSTANCE, context -> answer(context, reports.system()));
        routes.get("/admin/v1/health", RequiredRole.ADMIN_OF_INSTANCE, context -> answer(context, reports.health()));
        routes.get("/admin/v1/diagnostics", RequiredRole.ADMIN_OF_INSTANCE, context -> {
            context.header("Content-Disposition", ATTACHMENT);
            answer(context, reports.diagnostics());
        });
    }
}
