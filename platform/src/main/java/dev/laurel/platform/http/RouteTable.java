package dev.laurel.platform.http;

import dev.laurel.platform.http.Caller.AuditNote;
import dev.laurel.platform.http.HttpSettings.AuditLog;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.Outcome;
import dev.laurel.schemas.input.BadInputException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.ExceptionHandler;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import io.javalin.router.Endpoint;
import io.javalin.security.Roles;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the routes of a server. Each route declares the {@link RequiredRole} that it needs, which is checked before
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

    public RouteTable get(String path, RequiredRole access, Handler handler) {
        return add(HandlerType.GET, path, access, handler);
    }

    public RouteTable post(String path, RequiredRole access, Handler handler) {
        return add(HandlerType.POST, path, access, handler);
    }

    public RouteTable put(String path, RequiredRole access, Handler handler) {
        return add(HandlerType.PUT, path, access, handler);
    }

    public RouteTable patch(String path, RequiredRole access, Handler handler) {
        return add(HandlerType.PATCH, path, access, handler);
    }

    public RouteTable delete(String path, RequiredRole access, Handler handler) {
        return add(HandlerType.DELETE, path, access, handler);
    }

    /** Answers failures of all routes of the server. */
    public <E extends Exception> void exception(Class<E> type, ExceptionHandler<? super E> handler) {
        routes.exception(type, handler);
    }

    /** @throws IllegalArgumentException if no key, or another one, is checked on this path than {@code access} needs */
    private RouteTable add(HandlerType method, String path, RequiredRole access, Handler handler) {
        if (!access.suits(method.name(), path)) {
            throw new IllegalArgumentException(method + " " + path + " cannot need " + access);
        }
        Handler guarded = guarded(access, checked(method, path, access, handler));
        boolean isChange = method != HandlerType.GET && RequiredRole.isAdmin(path) && access.isForChanges();
        routes.addHttpHandler(
                method,
                path,
                isChange ? new AuditedHandler(method.name(), path, access, guarded, log) : guarded,
                access);
        return this;
    }

    /** Returns the handler, with the check of the caller before it. */
    private static Handler guarded(RequiredRole access, Handler handler) {
        return switch (access) {
            case PUBLIC -> handler;
            case PEER ->
                context -> {
                    PeerCalls.expectPeer(context);
                    handler.handle(context);
                };
            default ->
                context -> {
                    Caller.of(context).expect(access);
                    handler.handle(context);
                };
        };
    }

    /** Checks the names of a documented route that needs a key; web pages and providers of sign-in send others what they like. */
    private Handler checked(HandlerType method, String path, RequiredRole access, Handler handler) {
        DocumentedRoutes.Operation operation =
                access == RequiredRole.PUBLIC ? null : DocumentedRoutes.operation(method.name(), path);
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
    static RequiredRole accessOf(Endpoint endpoint) {
        return (RequiredRole) Objects.requireNonNull(endpoint.metadata(Roles.class), endpoint.path)
                .getRoles()
                .iterator()
                .next();
    }

    /** A set of routes that can be mounted on a server. */
    public interface Routes {

        void mount(RouteTable routes);

        /** Called when the server begins to stop, before it waits for requests in progress: responses without an end must end. */
        default void beginStop() {}

        /** All of these routes. */
        static Routes of(List<? extends Routes> parts) {
            return new Routes() {

                @Override
                public void mount(RouteTable routes) {
                    parts.forEach(part -> part.mount(routes));
                }

                @Override
                public void beginStop() {
                    parts.forEach(Routes::beginStop);
                }
            };
        }
    }

    /**
     * The handler of a route that changes something: writes the audit record of each request when the result is known, and before the
     * answer is sent (docs/admin-api.md B9). So the record of an answered change is in the log, whatever happens to the process.
     *
     * <p>A request leaves a record if it was carried out or may have been, or if its author may not do that. Other refusals change nothing
     * and leave none.
     */
    private record AuditedHandler(String method, String path, RequiredRole access, Handler handler, AuditLog log)
            implements Handler {

        private static final int FORBIDDEN = 403;
        private static final int FAILED = 500;

        @Override
        public void handle(Context context) throws Exception {
            Caller caller = Caller.of(context);
            log.expectWritable();
            try {
                handler.handle(context);
            } catch (Exception | Error e) {
                write(context, caller, statusOf(e), reasonOf(e));
                throw e;
            }
            write(context, caller, context.statusCode(), null);
        }

        private static int statusOf(Throwable failure) {
            return switch (failure) {
                case HttpRefusal refusal -> refusal.status();
                case BadInputException bad -> bad.refusal().kind().status();
                case HttpResponseException refused -> refused.getStatus();
                case Exception broken when ErrorAnswers.isBrokenBody(broken) -> 400;
                default -> FAILED;
            };
        }

        private static @Nullable String reasonOf(Throwable failure) {
            return failure instanceof BadInputException bad ? bad.refusal().message() : failure.getMessage();
        }

        private void write(Context context, Caller caller, int status, @Nullable String reason) {
            AuditNote entry = caller.audit();
            Outcome outcome = outcomeOf(status, entry);
            if (outcome == null) {
                return;
            }
            Author author = Objects.requireNonNull(caller.author(), "an admin key has an author");
            log.write(new AuditRecord(
                    Instant.now().truncatedTo(ChronoUnit.MILLIS),
                    author,
                    access.isOfInstance() || !caller.hasTenant() ? null : caller.tenant(),
                    DocumentedRoutes.operationOf(method, path),
                    outcome,
                    outcome == Outcome.REFUSED ? reason : null,
                    entry.objects(),
                    entry.count(),
                    entry.versions(),
                    Objects.requireNonNullElse(context.res().getHeader(AccessLog.REQUEST_ID), "")));
        }

        /** @return null: the request changed nothing and leaves no record */
        private static @Nullable Outcome outcomeOf(int status, AuditNote entry) {
            if (status < 300) {
                return entry.isUnknown() ? Outcome.UNKNOWN : Outcome.ACCEPTED;
            }
            if (status == FAILED || entry.isUnknown() || entry.count() > 0) {
                return Outcome.UNKNOWN;
            }
            return status == FORBIDDEN ? Outcome.REFUSED : null;
        }
    }
}
