package dev.laurel.platform.http;

import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import io.javalin.http.Handler;
import io.javalin.security.RouteRole;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a route needs of its caller (docs/operations/security.md, Roles). Roles are those of admin keys; which routes an
 * application key may call, and for whom, depends on the path and on {@link Caller#userKey}.
 */
public enum Access implements RouteRole {
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

    private final @Nullable Role least;
    private final boolean isOfInstance;

    Access(@Nullable Role least, boolean isOfInstance) {
        this.least = least;
        this.isOfInstance = isOfInstance;
    }

    /** Whether a route with this path can need this: {@link RequestFilter} decides by method and path whether a key is checked. */
    boolean suits(String method, String path) {
        return (this == PUBLIC) == RequestFilter.isPublic(method, path)
                && (this == PEER) == path.startsWith(PeerCalls.PATH)
                && (!isOfInstance || RequestFilter.isAdmin(path));
    }

    /** Returns the handler, with the check before it. */
    Handler guard(Handler handler) {
        return switch (this) {
            case PUBLIC -> handler;
            case PEER -> context -> {
                PeerCalls.expectPeer(context);
                handler.handle(context);
            };
            default -> context -> {
                Caller.of(context).expect(this);
                handler.handle(context);
            };
        };
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
        String holder = switch (actor) {
            case Actor.KeyHolder _ -> "key";
            case Actor.Person _ -> "person";
        };
        return new HttpRefusal(403, actor.role().permits(role())
                ? what + " concerns all tenants: it needs a " + holder + " that is bound to none."
                : what + " needs the role " + role().word() + ": the " + holder + " has the role "
                        + actor.role().word() + ".");
    }

    private Role role() {
        return Objects.requireNonNull(least, name());
    }
}
