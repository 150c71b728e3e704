package dev.laurel.platform.http;

import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import io.javalin.security.RouteRole;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a route needs of its caller (docs/operations/security.md, Roles). Roles are those of admin keys; which routes an
 * application key may call, and for whom, depends on the path and on {@link Caller#userKey}.
 */
public enum RequiredRole implements RouteRole {
    /** Nothing: the path is public. */
    PUBLIC(null, false),
    /** The peer key. */
    PEER(null, false),
    /** The role viewer. */
    VIEWER(Role.VIEWER, false),
    /** The role support. */
    SUPPORT(Role.SUPPORT, false),
    /** The role editor. */
    EDITOR(Role.EDITOR, false),
    /** The role admin. */
    ADMIN(Role.ADMIN, false),
    /** The role viewer, and a key that is bound to no tenant: the route shows what concerns all tenants. */
    VIEWER_OF_INSTANCE(Role.VIEWER, true),
    /** The role editor, and a key that is bound to no tenant: the route uses what all tenants share. */
    EDITOR_OF_INSTANCE(Role.EDITOR, true),
    /** The role admin, and a key that is bound to no tenant: the route changes what concerns all tenants. */
    ADMIN_OF_INSTANCE(Role.ADMIN, true);

    /**
     * Paths that need no key: health, metrics, schemas, API documents and sign-in. {@link #isPublic} adds the web pages.
     */
    private static final Set<String> PUBLIC_PATHS = Set.of(
            "/healthz",
            "/readyz",
            "/metrics",
            "/v1/schemas",
            "/v1/openapi",
            "/v1/openapi.yaml",
            "/admin/v1/openapi",
            "/admin/v1/openapi.yaml",
            "/admin/v1/session/providers",
            "/admin/v1/session/oidc",
            "/admin/v1/session/oidc/callback");

    /** Sign-in and sign-out, which check what they need themselves. */
    private static final Set<String> SIGN_IN = Set.of("POST /admin/v1/session", "DELETE /admin/v1/session");

    private final @Nullable Role least;
    private final boolean isOfInstance;

    RequiredRole(@Nullable Role least, boolean isOfInstance) {
        this.least = least;
        this.isOfInstance = isOfInstance;
    }

    /** Whether a route with this path can need this: by method and path it is decided whether a key is checked. */
    boolean suits(String method, String path) {
        return (this == PUBLIC) == isPublic(method, path)
                && (this == PEER) == path.startsWith(PeerCalls.PATH)
                && (!isOfInstance || isAdmin(path));
    }

    static boolean isAdmin(String path) {
        return path.equals("/admin") || path.startsWith("/admin/");
    }

    /** @param method of the request or of the route */
    static boolean isPublic(String method, String path) {
        return PUBLIC_PATHS.contains(withoutSlash(path))
                || SIGN_IN.contains(method + " " + withoutSlash(path))
                || path.startsWith("/v1/schemas/")
                || path.startsWith("/unsubscribe/")
                || path.startsWith("/m/")
                || path.equals("/console")
                || path.startsWith("/console/")
                || path.equals("/elements")
                || path.startsWith("/elements/");
    }

    /** Removes a trailing slash, which does not change the route. */
    static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Whether a route below {@code /admin} that needs this and is no GET changes something: what a viewer may do does not. */
    boolean isForChanges() {
        return least != null && least != Role.VIEWER;
    }

    /** Whether the route concerns all tenants. */
    boolean isOfInstance() {
        return isOfInstance;
    }

    boolean permits(Role role, boolean isBound) {
        return role.permits(role()) && !(isOfInstance && isBound);
    }

    /**
     * The refusal of a caller whom this does not permit.
     *
     * @param what subject of the message
     */
    HttpRefusal refusal(String what, Actor actor) {
        String holder = switch (actor.author().type()) {
            case KEY -> "key";
            case PERSON -> "person";
        };
        return new HttpRefusal(
                403,
                actor.role().permits(role())
                        ? what + " concerns all tenants: it needs a " + holder + " that is bound to none."
                        : what + " needs the role " + role().word() + ": the " + holder + " has the role "
                                + actor.role().word() + ".");
    }

    private Role role() {
        return Objects.requireNonNull(least, name());
    }
}
