package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.HttpSettings;
import dev.laurel.schemas.http.OpenApiRoutes;
import dev.laurel.schemas.http.RateLimits;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.http.SchemaRoutes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The one HTTP server of a process: the routes of its roles, and those that every process has. */
public final class RoleServer {

    private final String host;
    private final HttpServer http;

    /**
     * @param port 0 takes any free one
     * @param adminHost requests for this host name get the admin API at {@code /v1}; null: there is no such name
     */
    public record Address(String host, int port, String adminHost) {}

    private RoleServer(String host, HttpServer http) {
        this.host = host;
        this.http = http;
    }

    /**
     * @param isReady whether the roles of this process are, as {@code /readyz} says if Kafka can be reached, too; asked on the
     *        threads of requests
     * @param routes of the roles of this process
     * @throws CommandFailed if the address cannot be listened on
     */
    public static RoleServer start(RoleProcess process, FollowedTables tables, Address address,
            BooleanSupplier isReady, List<Routes> routes) {
        var settings = HttpSettings.at(new HttpServer.Address(address.host(), address.port()))
                .withAdminHost(address.adminHost()).withLimits(new RateLimits(tables.rulesets()))
                .withMetrics(process.metrics());
        process.parts().add(ProcessMeters.register(process.metrics(), isReady));
        var all = new ArrayList<>(routes);
        var kafka = process.parts().add(new BrokerContact(process.kafka()));
        all.addAll(List.of(new NodeRoutes(() -> isReady.getAsBoolean() && kafka.isReachable()), new SchemaRoutes(),
                new OpenApiRoutes()));
        try {
            return new RoleServer(address.host(),
                    process.parts().add(HttpServer.start(settings, tables.keys(), all)));
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    public String url() {
        return OwnUrl.of(host, http.port());
    }

    /** What is served, as method and path: {@code GET /v1/users/{id}}. */
    public List<String> routes() {
        return http.routes();
    }
}
