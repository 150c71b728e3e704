package dev.laurel.platform.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.HttpSettings.Address;
import dev.laurel.platform.http.HttpSettings.RequestLimits;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RequiredRoleTest {

    private static final TenantId ACME = new TenantId("acme");

    private static Principal admin(Role role, boolean isBound) {
        return new Principal.Admin(Actor.ofKey(new UUID(0, 1), "key", role, isBound ? "acme" : null));
    }

    private static Caller caller(Principal principal) {
        return new Caller(Grant.of(principal, "", ACME), null, RequestLimits.NONE);
    }

    /** @param allowed the roles with which the access is given, the first letters of their names */
    @ParameterizedTest
    @CsvSource({
        "VIEWER, VSEA, VSEA",
        "SUPPORT, SEA, SEA",
        "EDITOR, EA, EA",
        "ADMIN, A, A",
        "VIEWER_OF_INSTANCE, VSEA, ''",
        "EDITOR_OF_INSTANCE, EA, ''",
        "ADMIN_OF_INSTANCE, A, ''"
    })
    void shouldPermitWhatRoleAndTenantPermit(RequiredRole access, String allowed, String allowedBound) {
        for (Role role : Role.values()) {
            for (boolean isBound : new boolean[] {false, true}) {
                Caller caller = caller(admin(role, isBound));
                boolean isAllowed =
                        (isBound ? allowedBound : allowed).contains(role.name().substring(0, 1));

                assertEquals(isAllowed, caller.isPermitted(access), role + " " + isBound);
                if (isAllowed) {
                    assertDoesNotThrow(() -> caller.expect(access));
                } else {
                    assertEquals(
                            403,
                            assertThrows(HttpRefusal.class, () -> caller.expect(access))
                                    .status());
                }
            }
        }
    }

    private static String refusal(Role role, boolean isBound, RequiredRole access) {
        return assertThrows(
                        HttpRefusal.class, () -> caller(admin(role, isBound)).expect(access))
                .getMessage();
    }

    @Test
    void shouldNameWhatTheKeyLacks() {
        assertEquals(
                "This needs the role editor: the key has the role viewer.",
                refusal(Role.VIEWER, false, RequiredRole.EDITOR));
        assertEquals(
                "This needs the role admin: the key has the role support.",
                refusal(Role.SUPPORT, true, RequiredRole.ADMIN_OF_INSTANCE));
        assertEquals(
                "This concerns all tenants: it needs a key that is bound to none.",
                refusal(Role.ADMIN, true, RequiredRole.ADMIN_OF_INSTANCE));
    }

    /** What application keys may call depends on the path and the user. */
    @ParameterizedTest
    @EnumSource(names = {"VIEWER", "SUPPORT"})
    void shouldLimitApplicationKeysByTheirRoleOnly(RequiredRole access) {
        var ida = new UserId("ida");
        Caller viewer = caller(new Principal.ApplicationUser(ida, Role.VIEWER));

        assertDoesNotThrow(
                () -> caller(new Principal.ApplicationUser(ida, Role.SUPPORT)).expect(access));
        if (access == RequiredRole.VIEWER) {
            assertDoesNotThrow(() -> viewer.expect(access));
        } else {
            assertEquals(
                    "This changes something: this application key may only read.",
                    assertThrows(HttpRefusal.class, () -> viewer.expect(access)).getMessage());
        }
    }

    /** The filter decides by the path which key it checks: a route that relied on another check would have none. */
    @ParameterizedTest
    @CsvSource({
        "/admin/v1/things, PUBLIC",
        "/v1/things, PUBLIC",
        "/v1/things, PEER",
        "/internal/things, VIEWER",
        "/internal/things, PUBLIC",
        "/healthz, VIEWER",
        "/v1/schemas/{name}, ADMIN",
        "/v1/things, ADMIN_OF_INSTANCE"
    })
    void shouldStartWithNoRouteThatItsPathDoesNotProtect(String path, RequiredRole access) {
        assertThrows(
                IllegalArgumentException.class,
                () -> TestServer.start(
                                new Address("127.0.0.1", 0),
                                (_, _) -> null,
                                List.of(routes -> routes.get(path, access, _ -> {})))
                        .close());
    }
}
