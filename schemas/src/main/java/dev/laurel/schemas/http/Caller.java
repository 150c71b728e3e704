package dev.laurel.schemas.http;

import dev.laurel.schemas.http.ApiKeys.Principal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;

/**
 * Who makes a request, and for which tenant. {@link HttpServer} makes it once the key has been checked; a route takes its
 * tenant from here and from nowhere else, and {@link #userKey} is its only way to a {@link UserKey}: so what a key must
 * not reach is refused in one place, for reads and writes alike (application-api.md §1, Keys).
 */
public final class Caller {

    private static final String ATTRIBUTE = "laurel.caller";

    private final ApiKeys.Grant grant;

    /** Not public: who could make one could be anybody. */
    Caller(ApiKeys.Grant grant) {
        this.grant = grant;
    }

    /** @throws IllegalStateException on a path that is open to everyone: nobody has been asked for a key there */
    public static Caller of(Context context) {
        Caller caller = orNull(context);
        if (caller == null) {
            throw new IllegalStateException(context.path() + " is open, it has no caller");
        }
        return caller;
    }

    /** Null where {@link #of} would throw. */
    static Caller orNull(Context context) {
        return context.attribute(ATTRIBUTE);
    }

    void putOn(Context context) {
        context.attribute(ATTRIBUTE, this);
    }

    public Principal principal() {
        return grant.principal();
    }

    /**
     * The tenant of the request. A route of the admin API that concerns the whole instance does not ask, and so works without.
     *
     * @throws HttpRefusal 422 if there are several and the request names none of them
     */
    public TenantId tenant() {
        if (grant.tenant() == null) {
            throw new HttpRefusal(422, grant.problem());
        }
        return grant.tenant();
    }

    /** Whether {@link #tenant} can be asked for. */
    public boolean hasTenant() {
        return grant.tenant() != null;
    }

    /**
     * This user of the caller's tenant.
     *
     * @throws HttpRefusal 403 if the caller has an application key of another user
     */
    public UserKey userKey(UserId user) {
        return switch (grant.principal()) {
            case Principal.Admin _ -> new UserKey(tenant(), user);
            case Principal.ApplicationUser(UserId own) when own.equals(user) -> new UserKey(tenant(), user);
            case Principal.ApplicationUser _ ->
                throw new HttpRefusal(403, "This application key belongs to another user.");
        };
    }

    /** @throws HttpRefusal 401 if the caller has an application key */
    public void expectAdmin() {
        switch (grant.principal()) {
            case Principal.Admin _ -> {
            }
            case Principal.ApplicationUser _ ->
                throw new HttpRefusal(401, "An application key is not valid here: this needs an admin key.");
        }
    }
}
