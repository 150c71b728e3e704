package dev.laurel.deploy.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.MarkdownFile;
import dev.laurel.platform.http.RequiredRole;
import dev.laurel.schemas.access.Role;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the table of roles in docs/operations/security.md with the routes of a standalone, and calls each of them with
 * the role that it needs and with the one below: with a key for all tenants, and with one that is bound to a tenant, for this tenant and
 * for others. With {@code -Dlaurel.full=true} it calls each of them with every role.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class RolesTableIT {

    private static final Path DOCUMENT = Path.of("..", "docs", "operations", "security.md");
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final Pattern ROW = Pattern.compile("\\| `(/[^`]+)` \\|(.*)\\|");
    private static final boolean IS_FULL = Boolean.getBoolean("laurel.full");
    private static final String NOBODY = "00000000-0000-4000-8000-000000000000";

    /** What the document says by method and path, such as {@code admin, unbound}. */
    private final SortedMap<String, String> table = new TreeMap<>();

    private final Map<Role, String> keys = new EnumMap<>(Role.class);
    private final Map<Role, String> boundKeys = new EnumMap<>(Role.class);

    @AutoClose
    private LaurelInstance instance;

    @BeforeAll
    void start() throws InterruptedException {
        for (String line : MarkdownFile.read(DOCUMENT).prose()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                String[] cells = row.group(2).split("\\|", -1);
                for (int i = 0; i < METHODS.size(); i++) {
                    if (!cells[i].isBlank()) {
                        table.put(METHODS.get(i) + " " + row.group(1), cells[i].strip());
                    }
                }
            }
        }
        instance = LaurelInstance.startWithTestClock();
        LaurelClient admin = instance.client();
        admin.patch("/admin/v1/settings", "{\"multiTenancyEnabled\": true}").expect(200);
        admin.post("/admin/v1/tenants", """
            [{"customerId": "acme", "name": "Acme"}, {"customerId": "pool", "name": "Pool"}]\
            """).expect(201);
        for (Role role : Role.values()) {
            keys.put(role, key(role, "null"));
            boundKeys.put(role, key(role, "\"acme\""));
        }
    }

    private String key(Role role, String tenant) {
        return instance.client()
                .post(
                        "/admin/v1/admin-api-keys",
                        "[{\"name\": \"k\", \"role\": \"" + role.word() + "\", \"tenant\": " + tenant + "}]")
                .expect(201)
                .string("/created/0/key");
    }

    @Test
    void shouldListEveryRouteWithTheRoleThatItNeeds() {
        var declared = new TreeMap<String, String>();
        instance.routes().forEach((route, access) -> {
            if (access != RequiredRole.PUBLIC) {
                declared.merge(
                        route.replace(" /api/", " /v1/"),
                        access.name().toLowerCase(Locale.ROOT).replace("_of_instance", ", unbound"),
                        (a, b) -> a.equals(b) ? a : a + " and " + b);
            }
        });

        assertEquals(lines(table), lines(declared));
        assertTrue(table.size() > 100, () -> "only " + table.size());
    }

    private static String lines(Map<String, String> table) {
        return table.toString().replace(", ", "\n");
    }

    @ParameterizedTest
    @EnumSource
    void shouldPermitWhatTheTableSays(Role role) {
        LaurelClient client = instance.client().withKey(keys.get(role));
        LaurelClient bound = instance.client().withKey(boundKeys.get(role));
        var wrong = new ArrayList<String>();
        callable(role).forEach((route, cell) -> {
            boolean isOfInstance = cell.endsWith(", unbound");
            boolean isAllowed = role.permits(needed(cell));
            expect(wrong, client, route, "acme", isAllowed);
            expect(wrong, client, route, "pool", isAllowed);
            expect(wrong, bound, route, "acme", isAllowed && !isOfInstance);
            expect(wrong, bound, route, "", isAllowed && !isOfInstance);
            String other = expect(wrong, bound, route, "pool", false);
            String unknown = expect(wrong, bound, route, "nobody", false);
            if (!other.equals(unknown)) {
                wrong.add(route + " tells tenants apart: " + other + ", " + unknown);
            }
        });

        assertEquals(List.of(), wrong);
    }

    /** A session gives what its key gives; without the CSRF token, only reads. */
    @ParameterizedTest
    @EnumSource
    void shouldPermitASessionWhatTheTableSays(Role role) {
        var wrong = new ArrayList<String>();
        LaurelClient browser = instance.client().withKey(null);
        String[] session = session(role, keys.get(role));
        String[] bound = session(role, boundKeys.get(role));
        String[] cookie = {session[0], session[1]};
        callable(role).forEach((route, cell) -> {
            boolean isOfInstance = cell.endsWith(", unbound");
            boolean isAllowed = role.permits(needed(cell));
            expect(wrong, browser, route, "acme", isAllowed, session);
            expect(wrong, browser, route, "acme", isAllowed && route.startsWith("GET "), cookie);
            expect(wrong, browser, route, "acme", isAllowed && !isOfInstance, bound);
            expect(wrong, browser, route, "", isAllowed && !isOfInstance, bound);
            String other = expect(wrong, browser, route, "pool", false, bound);
            String unknown = expect(wrong, browser, route, "nobody", false, bound);
            if (!other.equals(unknown)) {
                wrong.add(route + " tells tenants apart: " + other + ", " + unknown);
            }
        });

        assertEquals(List.of(), wrong);
    }

    private static Role needed(String cell) {
        return Role.of(cell.replace(", unbound", ""));
    }

    /** Returns the rows of the table to try with a role: those at the border of what it may do, or all. */
    private SortedMap<String, String> callable(Role role) {
        var rows = new TreeMap<>(table);
        rows.values()
                .removeIf(
                        cell -> !IS_FULL && needed(cell) != role && needed(cell).ordinal() != role.ordinal() + 1);
        return rows;
    }

    /** Signs in. Returns names and values of headers in turn: the cookie, then the CSRF token. */
    private String[] session(Role role, String key) {
        JsonResponse session = instance.client()
                .withKey(null)
                .post("/admin/v1/session", "{\"key\": \"" + key + "\"}")
                .expect(200);
        assertEquals(role.word(), session.string("/role"));
        return new String[] {
            "Cookie", session.header("Set-Cookie").replaceFirst(";.*", ""), "X-CSRF-Token", session.string("/csrfToken")
        };
    }

    /** Sends a request that changes nothing, even if the key may do it. */
    private static String expect(
            List<String> wrong,
            LaurelClient client,
            String route,
            String tenant,
            boolean isAllowed,
            String... headers) {
        String[] parts = route.split(" ");
        String path = parts[1].replaceAll("\\{(systemId|deliveryId)}|\\{id}(?!/export)", NOBODY)
                        .replaceAll("\\{\\w+}", "none")
                + (parts[1].endsWith("/live") ? "?type=none" : "");
        String[] all = Stream.concat(Stream.of("Tenant-ID", tenant), Stream.of(headers))
                .toArray(String[]::new);
        JsonResponse answer = client.send(parts[0], path, parts[0].matches("GET|DELETE") ? null : "[]", all);
        if (isAllowed
                ? List.of(401, 403, 405).contains(answer.status()) || answer.status() >= 500
                : answer.status() != 403) {
            wrong.add(route + " for '" + tenant + "': " + answer.status() + " " + answer.text());
        }
        return answer.text();
    }
}
