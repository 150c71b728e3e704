package dev.laurel.platform.session;

import dev.laurel.platform.access.AccessKeys;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.SessionKey;
import dev.laurel.platform.access.Signed;
import dev.laurel.platform.http.HttpRefusal;
import dev.laurel.platform.http.Sessions;
import dev.laurel.platform.session.SessionToken.Holder;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.ApiKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Starts sessions, and checks them at each request: a session gives what its key, or the group of its person, gives at that time, and
 * nothing once the key is revoked or rotated, or the group has no role any more. Stores nothing, so that any process of an instance
 * accepts the sessions of all. Thread-safe.
 */
public final class SignedSessions implements Sessions {

    /** The time after which a session ends. */
    static final Duration LIFE = Duration.ofHours(8);

    private final AccessIndex index;
    private final AccessKeys keys;
    private final ApiKey startKey;
    private final @Nullable OidcSettings oidc;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param keys determines the grant of an admin key or of a person
     * @param startKey the admin key that all processes of the instance were started with
     * @param oidc null: there are no sessions of people
     * @param clock gives the time of day, also where the instance has virtual time: browsers have no other
     */
    public SignedSessions(
            AccessIndex index, AccessKeys keys, ApiKey startKey, @Nullable OidcSettings oidc, InstantSource clock) {
        this.index = index;
        this.keys = keys;
        this.startKey = startKey;
        this.oidc = oidc;
        this.clock = clock;
    }

    /** A new session. @param cookie value of its cookie */
    record Started(String cookie, Session session) {}

    /**
     * Starts the session of the active admin key with this text; null: there is none.
     *
     * @throws HttpRefusal 403 if the key can do nothing, because its tenant is archived; 503 like {@link #key}
     */
    @Nullable
    Started startWithKey(String text) {
        return index.holderOf(text) instanceof AdminKey admin && admin.isValid(now())
                ? start(new Holder.Key(admin.id()))
                : null;
    }

    /** Starts the session of the key with which the processes were started; null: it is not active. @throws HttpRefusal likewise */
    @Nullable
    Started startWithStartKey() {
        return startWithKey(startKey.text());
    }

    /** @throws HttpRefusal likewise */
    Started start(Holder holder) {
        SessionKey key = key();
        Rights rights = rightsOf(holder);
        if (rights == null) {
            throw lostMeanwhile();
        }
        String cookie = new SessionToken(holder, Signed.randomText(random))
                .signed(now().plus(LIFE), key, rights.bound())
                .text();
        Session session = sessionOf(cookie, null);
        if (session == null) {
            throw lostMeanwhile();
        }
        Grant grant = session.grant();
        if (grant.isOfBoundActor() && grant.tenant() == null) {
            throw new HttpRefusal(403, grant.problem());
        }
        return new Started(cookie, session);
    }

    private static HttpRefusal lostMeanwhile() {
        return new HttpRefusal(401, "The key is not valid any more.");
    }

    @Override
    public @Nullable Session sessionOf(String cookie, @Nullable String customerId) {
        SessionKey key = SessionKey.of(startKey, index);
        if (key == null) {
            return null;
        }
        Signed<SessionToken> token = SessionToken.read(
                cookie,
                key,
                holder -> {
                    Rights rights = rightsOf(holder);
                    return rights == null ? null : rights.bound();
                },
                now());
        Rights rights = token == null ? null : rightsOf(token.value().holder());
        return token == null || rights == null
                ? null
                : new Session(rights.grantOf().apply(customerId), SessionToken.csrfToken(token, key), token.expires());
    }

    /**
     * What a holder may do now.
     *
     * @param bound sessions end when it changes
     * @param grantOf the grant by the tenant that a request names, or null
     */
    private record Rights(String bound, Function<@Nullable String, Grant> grantOf) {}

    /** Null if the holder may do nothing. */
    private @Nullable Rights rightsOf(Holder holder) {
        return switch (holder) {
            case Holder.Key(var id) ->
                index.adminKey(id) instanceof AdminKey admin && admin.isValid(now())
                        ? new Rights(admin.hash(), customerId -> keys.grantOf(admin, customerId))
                        : null;
            case Holder.Person(String subject, String name, String group) -> {
                OidcSettings.GroupRole role = oidc == null ? null : oidc.roleOf(group);
                if (oidc == null || role == null) {
                    yield null;
                }
                Actor person = Actor.ofPerson(subject, name, role.role(), role.tenant());
                yield new Rights(oidc.issuer() + " " + oidc.clientId(), customerId -> keys.grantOf(person, customerId));
            }
        };
    }

    /** The key that signs sessions. @throws HttpRefusal 503 if the instance has none yet */
    SessionKey key() {
        SessionKey key = SessionKey.of(startKey, index);
        if (key == null) {
            throw HttpRefusal.busy(
                    "Sign-in is not possible yet: no node has made the key that signs sessions. Try again.");
        }
        return key;
    }

    /** The present time, as precise as cookies are. */
    Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
