package dev.laurel.platform.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.schemas.access.Role;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A provider of OpenID Connect, with which people sign in, and what their groups may do.
 *
 * @param issuer address of the provider, exactly as its ID tokens have it
 * @param clientSecret null: Laurel is registered as a client without a secret
 * @param redirectUri address of {@link #CALLBACK} as browsers reach it
 * @param name of the provider, for people
 * @param scopes of the request
 * @param groupsClaim claim of the ID token with the groups of a person
 * @param roles of a person in several groups, the first applies
 */
public record OidcSettings(
        URI issuer,
        String clientId,
        @Nullable String clientSecret,
        URI redirectUri,
        String name,
        List<String> scopes,
        String groupsClaim,
        List<GroupRole> roles) {

    /** The paths at which a sign-in begins, and to which the provider sends browsers back. */
    static final String BEGIN = "/admin/v1/session/oidc";

    static final String CALLBACK = BEGIN + "/callback";

    /** The maximum number of groups with a role. */
    private static final int MAX_ROLES = 1_000;

    /** The ends of addresses of the callback, the second with an own host name for the admin API. */
    private static final List<String> CALLBACKS = List.of(CALLBACK, CALLBACK.substring(6));

    /** @param tenant customer id of the only tenant for which the people of the group may act; null: all */
    public record GroupRole(
            String group, Role role, @Nullable String tenant) {

        /** @throws IllegalArgumentException if the group cannot be used; the message gives the reason in one line */
        public GroupRole {
            if (group.isEmpty() || group.getBytes(UTF_8).length > SessionToken.MAX_TEXT_BYTES) {
                throw new IllegalArgumentException("a group must have 1 to " + SessionToken.MAX_TEXT_BYTES + " bytes");
            }
        }

        /**
         * Reads {@code group=role} or {@code group=role@tenant}. The group may contain {@code =}.
         *
         * @throws IllegalArgumentException if it is something else; the message gives the reason in one line
         */
        public static GroupRole parse(String text) {
            int equals = text.lastIndexOf('=');
            String given = text.substring(equals + 1);
            int at = given.indexOf('@');
            String role = at < 0 ? given : given.substring(0, at);
            String tenant = at < 0 ? null : given.substring(at + 1);
            if (equals < 1 || !Role.words().contains(role) || tenant != null && tenant.isEmpty()) {
                throw new IllegalArgumentException("must be group=role or group=role@tenant with a role of "
                        + String.join(", ", Role.words()) + ", is '" + text + "'");
            }
            return new GroupRole(text.substring(0, equals), Role.of(role), tenant);
        }
    }

    /** @throws IllegalArgumentException if something cannot be used; the message gives the reason in one line */
    public OidcSettings {
        expectSafe("the issuer", issuer);
        expectSafe("the redirect address", redirectUri);
        if (CALLBACKS.stream().noneMatch(redirectUri.getRawPath()::endsWith)) {
            throw new IllegalArgumentException(
                    "the redirect address must end with " + CALLBACK + ", is " + redirectUri);
        }
        if (clientId.isEmpty()) {
            throw new IllegalArgumentException("the client id must not be empty");
        }
        if (roles.isEmpty() || roles.size() > MAX_ROLES) {
            throw new IllegalArgumentException("1 to " + MAX_ROLES + " groups must have a role");
        }
        scopes = List.copyOf(scopes);
        roles = List.copyOf(roles);
    }

    /** A client secret, codes and tokens go there. */
    static void expectSafe(String what, URI address) {
        boolean isHttps = "https".equalsIgnoreCase(address.getScheme());
        String host = address.getHost();
        boolean isNear = "http".equalsIgnoreCase(address.getScheme()) && host != null && OutboundHttp.isLoopback(host);
        if (host == null
                || !isHttps && !isNear
                || address.getRawFragment() != null
                || address.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    what + " must be an https address, or http on a loopback address, is " + address);
        }
    }

    /** What people of this group may do; null: nothing. */
    @Nullable
    GroupRole roleOf(String group) {
        return firstRoleOf(List.of(group));
    }

    /** The first role of a person in these groups; null: none of them has one. */
    @Nullable
    GroupRole firstRoleOf(Collection<String> groups) {
        return roles.stream()
                .filter(role -> groups.contains(role.group()))
                .findFirst()
                .orElse(null);
    }

    /** Omits the secret, because the text may be logged. */
    @Override
    public String toString() {
        return "OidcSettings[" + issuer + ", " + clientId + ", " + redirectUri + ", " + groupsClaim + ", " + roles
                + "]";
    }
}
