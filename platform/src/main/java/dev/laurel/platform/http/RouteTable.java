package dev.laurel.platform.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.ExceptionHandler;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.security.Roles;
import java.util.Objects;

/**
 * Takes the routes of an {@link HttpServer}. Each route declares the {@link Access} that it needs, which is checked before
 * its handler runs, so that no route can be without a check. Likewise each request that changes something leaves an audit record,
 * and the names in each request are compared with those that are documented.
 */
public final class RouteTable {

    private final RoutesConfig routes;
    private final AuditLog log;
    private final boolean isStrict;

    /** @param isStrict whether requests with unknown names are refused */
    RouteTable(RoutesConfig routes, AuditLog log, boolean isStrict) {
        this.routes = routes;
        this.log = log;
        this.isStrict = isStrict;
    }

    public RouteTable get(String path, Access access, Handler handler) {
        return add(HandlerType.GET, path, access, handler);
    }

    public RouteTable post(String path, Access access, Handler handler) {
        return add(HandlerType.POST, path, access, handler);
    }

    public RouteTable put(String path, Access access, Handler handler) {
        return add(HandlerType.PUT, path, access, handler);
    }

    public RouteTable patch(String path, Access access, Handler handler) {
        return add(HandlerType.PATCH, path, access, handler);
    }

    public RouteTable delete(String path, Access access, Handler handler) {
        return add(HandlerType.DELETE, path, access, handler);
    }

    /** Answers failures of all routes of the server. */
    public <E extends Exception> void exception(Class<E> type, ExceptionHandler<? super E> handler) {
        routes.exception(type, handler);
    }

    /** @throws IllegalArgumentException if no key, or another one, is checked on this path than {@code access} needs */
    private RouteTable add(HandlerType method, String path, Access access, Handler handler) {
        if (!access.suits(method.name(), path)) {
            throw new IllegalArgumentException(method + " " + path + " cannot need " + access);
        }
        Handler guarded = access.guard(checked(method, path, access, handler));
        boolean isChange = method != HandlerType.GET && RequestFilter.isAdmin(path) && access.isForChanges();
        routes.addHttpHandler(method, path,
                isChange ? new AuditedHandler(method.name(), path, access, guarded, log) : guarded, access);
        return this;
    }

    /** Checks the names of a documented route that needs a key; web pages and providers of sign-in send others what they like. */
    private Handler checked(HandlerType method, String path, Access access, Handler handler) {
        DocumentedRoutes.Operation operation = access == Access.PUBLIC
                ? null
                : DocumentedRoutes.operation(method.name(), path);
        if (operation == null) {
            return handler;
        }
        var names = new KnownNames(operation, isStrict);
        return context -> {
            names.check(context);
            handler.handle(context);
        };
    }

    /** What a mounted route needs. */
    static Access accessOf(Endpoint endpoint) {
        return (Access) Objects.requireNonNull(endpoint.metadata(Roles.class), endpoint.path).getRoles().iterator()
                .next();
    }
}
