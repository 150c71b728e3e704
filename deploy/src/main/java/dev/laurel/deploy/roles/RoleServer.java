package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.schemas.access.PeerKey;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.HttpSettings;
import dev.laurel.schemas.http.OpenApiRoutes;
import dev.laurel.schemas.http.RateLimits;
import dev.laurel.schemas.http.Routes;
import dev.laurel.schemas.http.SchemaRoutes;
import dev.laurel.schemas.http.TlsFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** The one HTTP server of a process: the routes of its roles, and those that every process has. */
public final class RoleServer {

    private final Address address;
    private final HttpServer http;

    /**
     * @param port 0 takes any free one
     * @param adminHost requests for this host name get the admin API at {@code /v1}; null: there is no such name
     * @param tls null: plain HTTP
     */
    public record Address(String host, int port, String adminHost, TlsFiles tls) {}

    private RoleServer(Address address, HttpServer http) {
        this.address = address;
        this.http = http;
    }

    /**
     * @param peerKey by which other processes of the deployment call this one; null: there are none
     * @param isReady whether the roles of this process are, as {@code /readyz} says if Kafka can be reached, too; asked on the
     *        threads of requests
     * @param routes of the roles of this process
     * @throws CommandFailed if the address cannot be listened on, or the certificate cannot be used
     */
    public static RoleServer start(RoleProcess process, FollowedTables tables, Address address, PeerKey peerKey,
            BooleanSupplier isReady, List<Routes> routes) {
        var settings = HttpSettings.at(new HttpServer.Address(address.host(), address.port()))
                .withAdminHost(address.adminHost()).withTls(address.tls())
                .withLimits(new RateLimits(tables.rulesets())).withPeerKey(peerKey).withTracing(process.tracing())
                .withMetrics(process.metrics());
        var kafka = process.parts().add(new BrokerContact(process.kafka()));
        BooleanSupplier readiness = () -> isReady.getAsBoolean() && kafka.isReachable();
        process.parts().add(ProcessMeters.register(process.metrics(), readiness, kafka::brokers));
        var all = new ArrayList<>(routes);
        all.addAll(List.of(new NodeRoutes(readiness), new SchemaRoutes(),
                new OpenApiRoutes()));
        try {
            return new RoleServer(address, process.parts().add(HttpServer.start(settings, tables.keys(), all)));
        } catch (IllegalStateException e) {
            throw new CommandFailed(e.getMessage(), e);
        }
    }

    public String url() {
        return OwnUrl.of(address.host(), http.port(), address.tls() != null);
    }

    /** What is served, as method and path: {@code GET /v1/users/{id}}. */
    public List<String> routes() {
        return http.routes();
    }
}
