package dev.laurel.platform.http;

import dev.laurel.platform.access.ApiKeys;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.audit.AuditRecord.Author;
import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller of a request and its tenant. {@link HttpServer} creates it after the key check. A route takes
 * the tenant only from here and obtains a {@link UserKey} only from {@link #userKey}, so that access is checked in one
 * place for reads and writes (docs/application-api.md §1, Keys).
 */
public final class Caller {

    private static final String ATTRIBUTE = "laurel.caller";

    private final ApiKeys.Grant grant;
    private final Sessions.@Nullable Session session;
    private final RequestLimits limits;

    /** Null until something is noted. */
    private @Nullable AuditNote audit;

    /** Not public, because code that can create a caller can bypass the key check. @param session null: the request has a key */
    Caller(ApiKeys.Grant grant, Sessions.@Nullable Session session, RequestLimits limits) {
        this.grant = grant;
        this.session = session;
        this.limits = limits;
    }

    /** @throws IllegalStateException on a public path, where no key is checked */
    public static Caller of(Context context) {
        Caller caller = orNull(context);
        if (caller == null) {
            throw new IllegalStateException(context.path() + " is a public path and has no caller");
        }
        return caller;
    }

    /** Returns null where {@link #of} throws. */
    static @Nullable Caller orNull(Context context) {
        return context.attribute(ATTRIBUTE);
    }

    void putOn(Context context) {
        context.attribute(ATTRIBUTE, this);
    }

    /** Who makes the request; null with an application key. */
    public @Nullable Actor actor() {
        return grant.actor();
    }

    /** The session of the request; null if the request has a key. */
    public Sessions.@Nullable Session session() {
        return session;
    }

    /** Who the changes of this request are by; null with an application key. */
    public @Nullable Author author() {
        Actor actor = actor();
        return actor == null ? null : actor.author();
    }

    /** Takes what the request changes, for its audit record. To be called on the thread of the request. */
    public AuditNote audit() {
        AuditNote entry = audit;
        if (entry == null) {
            entry = new AuditNote();
            audit = entry;
        }
        return entry;
    }

    /**
     * The tenant of the request. Admin routes that concern the whole instance do not call this and therefore work
     * without a tenant.
     *
     * @throws HttpRefusal 422 if the instance has several tenants and the request does not name an active one; 403 if
     *         the key is bound to another tenant
     */
    public TenantId tenant() {
        if (grant.tenant() == null) {
            throw new HttpRefusal(isBound() ? 403 : 422, grant.problem());
        }
        return grant.tenant();
    }

    /** Whether {@link #tenant} returns a tenant. */
    public boolean hasTenant() {
        return grant.tenant() != null;
    }

    /** Whether the caller has an admin key that is bound to a tenant. */
    public boolean isBound() {
        return grant.isOfBoundActor();
    }

    /** Whether the caller has an admin key that gives this access. */
    public boolean isPermitted(RequiredRole access) {
        return grant.principal() instanceof Principal.Admin admin && access.permits(admin.role(), admin.isBound());
    }

    /** @throws HttpRefusal 403 if the role of the caller does not give this access */
    void expect(RequiredRole access) {
        expect(access, "This");
    }

    /**
     * Works like the check of the whole route, for a part of a request that needs more than the route.
     *
     * @param what the part, as the subject of the message
     */
    public void expect(RequiredRole access, String what) {
        switch (grant.principal()) {
            case Principal.Admin admin
            when !access.permits(admin.role(), admin.isBound()) -> throw access.refusal(what, admin.actor());
            case Principal.ApplicationUser(UserId _, Role role)
            when !access.permits(role, true) ->
                throw new HttpRefusal(403, what + " changes something: this application key may only read.");
            case Principal.Admin _, Principal.ApplicationUser _ -> {
                // Permitted.
            }
        }
    }

    /** Counts the events of a batch against the limit of the tenant, except the first: the request was counted as one. */
    public void countBatch(int events) {
        limits.add(tenant(), RequestLimits.Tier.WRITE, events - 1);
    }

    /**
     * The key of this user in the caller's tenant.
     *
     * @throws HttpRefusal 403 if the caller has an application key of another user
     */
    public UserKey userKey(UserId user) {
        return switch (grant.principal()) {
            case Principal.Admin _ -> new UserKey(tenant(), user);
            case Principal.ApplicationUser(UserId own, Role _) when own.equals(user) -> new UserKey(tenant(), user);
            case Principal.ApplicationUser _ ->
                throw new HttpRefusal(403, "This application key belongs to another user.");
        };
    }

    /** The user of the caller's application key; null: the caller has another key. */
    public @Nullable UserId applicationUser() {
        return grant.principal() instanceof Principal.ApplicationUser(UserId user, Role _) ? user : null;
    }

    /** @throws HttpRefusal 401 if the caller has an application key */
    public void expectAdmin() {
        if (!(grant.principal() instanceof Principal.Admin)) {
            throw new HttpRefusal(401, "An application key is not valid here: this needs an admin key.");
        }
    }

    /**
     * What a request has changed so far, as its route notes it; {@link Caller#audit} has the one of the request. Only ids, keys and names
     * may be noted, never the content of an object. Thread-safe.
     */
    public static final class AuditNote {

        private final List<ChangedObject> objects = new ArrayList<>();
        private int count;
        private boolean isUnknown;
        private @Nullable Versions versions;

        AuditNote() {}

        /** Notes that an object was changed. @param id null where there is only one of the kind. @param name null: it has none */
        public synchronized void changed(String kind, @Nullable String id, @Nullable String name) {
            count++;
            if (objects.size() < AuditRecord.MAX_OBJECTS) {
                objects.add(new ChangedObject(kind, id, name));
            }
        }

        /** Notes that events were recorded, whose users are not named. */
        public synchronized void recorded(int events) {
            count += events;
        }

        /** Notes that the result of the request, or of a part of it, is not known. */
        public synchronized void unknown() {
            isUnknown = true;
        }

        /** Notes the versions of the ruleset; of several changes in one request, the first and the last version count. */
        public synchronized void ruleset(Versions change) {
            versions = versions == null ? change : new Versions(versions.before(), change.after());
        }

        synchronized List<ChangedObject> objects() {
            return List.copyOf(objects);
        }

        synchronized int count() {
            return count;
        }

        synchronized boolean isUnknown() {
            return isUnknown;
        }

        synchronized @Nullable Versions versions() {
            return versions;
        }
    }
}
