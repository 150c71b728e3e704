package dev.laurel.schemas.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.edit.Edit.AccessEdit;
import dev.laurel.schemas.edit.Edit.AccessEdit.NewKey;
import dev.laurel.schemas.edit.Edit.EditResult;
import dev.laurel.schemas.edit.Edit.NewItem;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.wire.KeyBody.AdminKeyBody;
import dev.laurel.schemas.wire.KeyBody.TenantBody;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class RequiredRoleEditorTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final TenantId ACME = new TenantId("acme");
    private static final ApiKey START = ApiKey.givenAdminKey("Start123.0123456789abcdef");

    private static final String LAST =
            "The last active key that has the role admin, is bound to no tenant and has no end cannot be ";

    private final AccessIndex index = InMemoryAccessStore.index();
    private int made;
    private int status;
    private boolean hasData;

    /** Applies the edit and returns the body of the answer. */
    private JsonNode edit(TenantId tenant, AccessEdit edit) {
        byte[] written = Json.write(edit);
        EditResult result = Editor.apply(index, tenant, (AccessEdit) Json.read(written, Edit.class), NOON, hasData);
        result.access().forEach((key, record) -> {
            byte[] json = record == null ? null : Json.write(record);
            index.put(key, json == null ? null : Json.read(json, AccessRecord.class));
        });
        status = result.status();
        return Json.read(Json.write(result.body()), JsonNode.class);
    }

    private JsonNode edit(AccessEdit edit) {
        return edit(TenantId.NONE, edit);
    }

    private ApiKey key(int number) {
        return ApiKey.givenAdminKey("%08d.0123456789abcdef".formatted(number));
    }

    private NewKey newKey(Object fields) {
        ApiKey key = key(++made);
        return new NewKey(UUID.randomUUID(), key.prefix(), key.hash(), fields);
    }

    private UUID adminKey(String name) {
        NewKey item = newKey(Map.of("name", name));
        edit(new AccessEdit.CreateAdminKeys(List.of(item)));
        return item.id();
    }

    private UUID registered() {
        return UUID.fromString(edit(new AccessEdit.RegisterStartKey(START.prefix(), START.hash()))
                .at("/id")
                .asString());
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        var fields = new HashMap<String, Object>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return fields;
    }

    private static String messages(JsonNode answer) {
        return String.join(
                "|",
                answer.get("issues")
                        .valueStream()
                        .map(issue -> issue.get("message").asString())
                        .toList());
    }

    // Admin keys.

    @Test
    void shouldCreateAdminKeysWithoutShowingHashes() {
        JsonNode answer = edit(new AccessEdit.CreateAdminKeys(List.of(
                newKey(Map.of("name", "CI")),
                newKey("CI"),
                newKey(Map.of("name", "")),
                newKey(fields("name", 5)),
                newKey(Map.of("name", "x".repeat(256))))));

        assertEquals(201, status);
        assertEquals("CI", answer.at("/created/0/name").asString());
        assertEquals("active", answer.at("/created/0/status").asString());
        assertEquals("00000001", answer.at("/created/0/prefix").asString());
        assertTrue(answer.at("/created/0/lastUsed").isNull());
        assertEquals(1, answer.get("created").size());
        assertEquals(
                "The item must be a JSON object.|name must have 1 to 255 characters|name must be a string|"
                        + "name must have 1 to 255 characters",
                messages(answer));
        assertEquals(1, answer.at("/issues/0/index").asInt());
        assertTrue(
                !answer.toString().contains(key(1).hash()) && !answer.toString().contains("hash"));
        assertNotNull(index.holderOf(key(1).text()));
        assertNull(index.holderOf(key(3).text()), "its item was refused");
    }

    @Test
    void shouldCreateAdminKeysThatEnd() {
        JsonNode answer = edit(new AccessEdit.CreateAdminKeys(List.of(
                newKey(Map.of("name", "a", "expires", NOON.plusSeconds(1).toString())),
                newKey(Map.of("name", "b", "expires", NOON.toString())),
                newKey(Map.of("name", "c", "expires", "soon")),
                newKey(Map.of(
                        "name",
                        "d",
                        "expires",
                        NOON.plus(Duration.ofDays(3_661)).toString())),
                newKey(fields("name", "e", "expires", null)))));

        assertEquals(
                NOON.plusSeconds(1),
                Instant.parse(answer.at("/created/0/expires").asString()));
        assertFalse(answer.at("/created/1").has("expires"));
        String range = "expires must be in the future, and at most 3660 days from now";
        assertTrue(messages(answer).matches(range + "\\|expires [^|]+\\|" + range), messages(answer));
        String id = answer.at("/created/0/id").asString();
        JsonNode renamed = edit(new AccessEdit.UpdateAdminKeys(List.of(fields("id", id, "name", "A"))));
        assertEquals(
                NOON.plusSeconds(1),
                Instant.parse(renamed.at("/updated/0/expires").asString()));
        edit(new AccessEdit.RotateAdminKey(UUID.fromString(id), key(88).prefix(), key(88).hash()));
        assertEquals(NOON.plusSeconds(1), ((AdminKey) index.holderOf(key(88).text())).expires());
    }

    @Test
    void shouldNotCountAKeyThatEndsAsTheLastOne() {
        UUID first = adminKey("first");
        edit(new AccessEdit.CreateAdminKeys(List.of(
                newKey(Map.of("name", "a", "expires", NOON.plusSeconds(1).toString())))));

        assertEquals(LAST + "deleted", messages(edit(new AccessEdit.DeleteAdminKeys(List.of(first.toString())))));
    }

    @Test
    void shouldAnswer200WhenNoKeyIsCreated() {
        edit(new AccessEdit.CreateAdminKeys(List.of(newKey(Map.of()))));
        assertEquals(200, status);
    }

    @Test
    void shouldRefuseSecondKeyWithSamePrefix() {
        ApiKey key = key(7);
        var twice = new NewKey(UUID.randomUUID(), key.prefix(), key.hash(), Map.of("name", "a"));
        var again = new NewKey(UUID.randomUUID(), key.prefix(), key.hash(), Map.of("name", "b"));

        assertTrue(messages(edit(new AccessEdit.CreateAdminKeys(List.of(twice, again))))
                .contains("another key"));
        assertTrue(
                messages(edit(new AccessEdit.CreateAdminKeys(List.of(again)))).contains("another key"));
    }

    @Test
    void shouldRevokeAndReactivateAdminKey() {
        UUID first = adminKey("first");
        adminKey("second");

        JsonNode revoked =
                edit(new AccessEdit.UpdateAdminKeys(List.of(fields("id", first.toString(), "status", "inactive"))));
        assertEquals("inactive", revoked.at("/updated/0/status").asString());
        assertNull(index.holderOf(key(1).text()));

        edit(new AccessEdit.UpdateAdminKeys(
                List.of(fields("id", first.toString(), "status", "active", "name", "First", "prefix", "mine"))));
        assertEquals("First", ((AdminKey) index.holderOf(key(1).text())).name());
    }

    @Test
    void shouldNotRevokeOrDeleteLastActiveKey() {
        UUID first = adminKey("first");
        UUID second = adminKey("second");

        JsonNode revoked = edit(new AccessEdit.UpdateAdminKeys(List.of(
                fields("id", first.toString(), "status", "inactive"),
                fields("id", second.toString(), "status", "inactive"))));
        assertEquals(1, revoked.get("updated").size());
        assertEquals(LAST + "revoked", messages(revoked));
        assertEquals(second.toString(), revoked.at("/issues/0/id").asString());

        JsonNode deleted = edit(new AccessEdit.DeleteAdminKeys(List.of(second.toString(), first.toString())));
        assertEquals(LAST + "deleted", messages(deleted));
        assertEquals(first.toString(), deleted.at("/deleted/0/id").asString(), "an inactive one can go");
        assertNotNull(index.holderOf(key(2).text()));
    }

    private JsonNode update(UUID id, Object... namesAndValues) {
        Map<String, Object> fields = fields(namesAndValues);
        fields.put("id", id.toString());
        return edit(new AccessEdit.UpdateAdminKeys(List.of(fields)));
    }

    private void tenants() {
        index.put("instance", new AccessRecord.Instance(true));
        for (TenantStatus status : TenantStatus.values()) {
            var tenant = new AccessRecord.Tenant(UUID.randomUUID(), status.name(), "T", status, NOON, NOON);
            index.put(tenant.recordKey(), tenant);
        }
    }

    @Test
    void shouldMakeKeysWithoutLimitsUnlessAsked() {
        tenants();
        JsonNode answer = edit(new AccessEdit.CreateAdminKeys(List.of(
                newKey(Map.of("name", "all")),
                newKey(fields("name", "none", "role", null, "tenant", null)),
                newKey(fields("name", "few", "role", "viewer", "tenant", "ACTIVE")))));

        assertEquals("admin", answer.at("/created/0/role").asString());
        assertTrue(answer.at("/created/0/tenant").isNull());
        assertEquals("admin", answer.at("/created/1/role").asString());
        assertTrue(answer.at("/created/1/tenant").isNull());
        assertEquals("viewer", answer.at("/created/2/role").asString());
        assertEquals("ACTIVE", answer.at("/created/2/tenant").asString());
        AdminKey few = (AdminKey) index.holderOf(key(3).text());
        assertEquals(Role.VIEWER, few.role());
        assertEquals("ACTIVE", few.tenant());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "role|owner|role is 'owner', must be one of viewer, support, editor, admin",
                "role|Admin|role is 'Admin', must be one of viewer, support, editor, admin",
                "role|''|role is '', must be one of viewer, support, editor, admin",
                "tenant|''|tenant must have 1 to 255 characters",
                "tenant|other|tenant is 'other', must be null or the customerId of an active tenant",
                "tenant|ARCHIVED|tenant is 'ARCHIVED', must be null or the customerId of an active tenant"
            })
    void shouldRefuseUnknownRolesAndTenants(String field, String value, String message) {
        tenants();
        UUID id = adminKey("all");

        assertEquals(message, messages(update(id, field, value)));
        assertEquals(
                message,
                messages(edit(new AccessEdit.CreateAdminKeys(List.of(newKey(fields("name", "x", field, value)))))));
        assertEquals(field + " must be a string", messages(update(id, field, 5)));
        assertTrue(index.adminKey(id).managesKeys());
    }

    @Test
    void shouldBindNoKeyWithoutMultiTenancy() {
        adminKey("all");

        assertEquals(
                "tenant must be null: multi-tenancy is off",
                messages(edit(
                        new AccessEdit.CreateAdminKeys(List.of(newKey(fields("name", "x", "tenant", "ACTIVE")))))));
    }

    @Test
    void shouldChangeAndKeepLimits() {
        tenants();
        adminKey("all");
        UUID id = adminKey("few");

        assertEquals(
                "editor", update(id, "role", "editor").at("/updated/0/role").asString());
        assertEquals(
                "editor", update(id, "tenant", "ACTIVE").at("/updated/0/role").asString());
        assertEquals("ACTIVE", update(id, "name", "Few").at("/updated/0/tenant").asString());
        edit(new AccessEdit.RotateAdminKey(id, "Rotated1", "hash"));
        assertEquals(Role.EDITOR, index.adminKey(id).role());
        assertEquals("ACTIVE", index.adminKey(id).tenant());
        index.put("instance", new AccessRecord.Instance(false));
        assertEquals(
                "ACTIVE", update(id, "tenant", "ACTIVE").at("/updated/0/tenant").asString(), "as it is");
        assertTrue(update(id, "tenant", null).at("/updated/0/tenant").isNull());
        assertEquals("editor", update(id, "role", null).at("/updated/0/role").asString(), "null is not given");
    }

    /** Keys with limits do not count: they cannot make keys. */
    @Test
    void shouldKeepOneKeyThatManagesKeys() {
        tenants();
        UUID only = adminKey("only");
        UUID viewer = adminKey("viewer");
        UUID bound = adminKey("bound");
        update(viewer, "role", "viewer");
        update(bound, "tenant", "ACTIVE");

        assertEquals(LAST + "given another role", messages(update(only, "role", "editor")));
        assertEquals(LAST + "bound to a tenant", messages(update(only, "tenant", "ACTIVE")));
        assertEquals(LAST + "revoked", messages(update(only, "status", "inactive")));
        assertEquals(LAST + "deleted", messages(edit(new AccessEdit.DeleteAdminKeys(List.of(only.toString())))));
        assertEquals("", messages(update(viewer, "status", "inactive")));
        assertEquals("", messages(edit(new AccessEdit.DeleteAdminKeys(List.of(bound.toString())))));
        JsonNode both = edit(new AccessEdit.UpdateAdminKeys(List.of(
                fields("id", viewer.toString(), "status", "active", "role", "admin"),
                fields("id", only.toString(), "role", "viewer"))));
        assertEquals(2, both.get("updated").size(), "the first has made another one");
    }

    static List<Object> unknownKeys() {
        return Arrays.asList(
                fields("id", "nonsense"),
                fields("id", UUID.randomUUID().toString()),
                fields(),
                "text",
                null,
                fields("id", 5),
                fields("id", null));
    }

    @ParameterizedTest
    @MethodSource("unknownKeys")
    void shouldReportUnknownAdminKeys(Object item) {
        JsonNode answer = edit(new AccessEdit.UpdateAdminKeys(Arrays.asList(item)));
        assertEquals(200, status);
        assertEquals(0, answer.get("updated").size());
        assertTrue(messages(answer).matches("id must be a valid UUID|Admin key not found by ID"), messages(answer));
    }

    @Test
    void shouldIdentifyUpdateWithoutIdByItsIndex() {
        UUID id = adminKey("CI");

        JsonNode answer = edit(new AccessEdit.UpdateAdminKeys(
                List.of(fields("id", id.toString(), "name", "Builds"), fields("name", "x"))));

        assertEquals(
                "{\"severity\":\"error\",\"message\":\"id must be a valid UUID\",\"index\":1}",
                answer.at("/issues/0").toString());
    }

    @Test
    void shouldRotateAdminKey() {
        UUID id = adminKey("CI");
        ApiKey next = key(77);

        JsonNode answer = edit(new AccessEdit.RotateAdminKey(id, next.prefix(), next.hash()));

        assertEquals(200, status);
        assertEquals(next.prefix(), answer.get("prefix").asString());
        assertNull(index.holderOf(key(1).text()));
        assertEquals("CI", ((AdminKey) index.holderOf(next.text())).name());
        edit(new AccessEdit.RotateAdminKey(UUID.randomUUID(), "x", "y"));
        assertEquals(404, status);
    }

    @Test
    void shouldNotReactivateRevokedKeyOnRotation() {
        UUID id = adminKey("CI");
        adminKey("other");
        edit(new AccessEdit.UpdateAdminKeys(List.of(fields("id", id.toString(), "status", "inactive"))));

        edit(new AccessEdit.RotateAdminKey(id, key(77).prefix(), key(77).hash()));

        assertNull(index.holderOf(key(77).text()));
    }

    // The start key.

    @Test
    void shouldRegisterTheStartKeyOnce() {
        UUID id = registered();
        edit(new AccessEdit.UpdateAdminKeys(List.of(fields("id", id.toString(), "name", "Mine"))));

        assertEquals(id, registered());
        assertEquals("Mine", ((AdminKey) index.holderOf(START.text())).name());
        assertEquals(1, AdminKeyBody.all(index).size());
    }

    @Test
    void shouldNotReviveRotatedOrDeletedStartKey() {
        UUID id = registered();
        adminKey("other");

        edit(new AccessEdit.RotateAdminKey(id, key(77).prefix(), key(77).hash()));
        registered();
        assertNull(index.holderOf(START.text()), "it was rotated");

        assertEquals(
                id.toString(),
                edit(new AccessEdit.DeleteAdminKeys(List.of(id.toString())))
                        .at("/deleted/0/id")
                        .asString());
        registered();
        assertNull(index.holderOf(START.text()), "it was deleted");
        assertEquals(1, AdminKeyBody.all(index).size(), "and is not shown");
        assertEquals(KeyStatus.DELETED, index.adminKey(id).status());
        assertEquals(
                "Admin key not found by ID", messages(edit(new AccessEdit.DeleteAdminKeys(List.of(id.toString())))));
    }

    @Test
    void shouldAcceptExistingKeyAsStartKey() {
        adminKey("CI");
        edit(new AccessEdit.RegisterStartKey(key(1).prefix(), key(1).hash()));
        assertEquals(200, status);
        assertEquals(1, AdminKeyBody.all(index).size());

        edit(new AccessEdit.RegisterStartKey(key(1).prefix(), START.hash()));
        assertEquals(422, status, "the prefix is another key's");
    }

    // Application keys.

    @Test
    void shouldDeleteApplicationKeysOfTheTenantOnly() {
        ApiKey text = key(1);
        var key = new ApplicationKey(
                UUID.randomUUID(), ACME, new UserId("ida"), text.prefix(), text.hash(), NOON, Role.SUPPORT);
        index.put(key.recordKey(), key);
        var delete = new AccessEdit.DeleteApplicationKeys(List.of(key.id().toString(), "x"));

        assertEquals(
                "Application key not found by ID|id must be a valid UUID",
                messages(edit(new TenantId("other"), delete)));
        assertNotNull(index.holderOf(key(1).text()));

        assertEquals(1, edit(ACME, delete).get("deleted").size());
        assertNull(index.holderOf(key(1).text()));
    }

    private SignedKey signedKey(TenantId tenant, Instant expires) {
        index.missingSigner(() -> new byte[32]).forEach(secret -> index.put(secret.recordKey(), secret));
        var owner = new UserKey(tenant, new UserId("ida"));
        return Objects.requireNonNull(SignedKey.of(owner, Role.SUPPORT, expires, UUID.randomUUID(), index.signers()));
    }

    @Test
    void shouldRevokeSignedKeysOfTheTenantOnly() {
        SignedKey key = signedKey(ACME, null);
        String text = key.text(index.signers()).text();
        var forged = new UUID(key.id().getMostSignificantBits(), key.id().getLeastSignificantBits() ^ 1);
        var delete = new AccessEdit.DeleteApplicationKeys(List.of(key.id().toString(), forged.toString()));

        assertEquals(
                "Application key not found by ID|Application key not found by ID",
                messages(edit(new TenantId("other"), delete)));
        assertEquals(0, index.revocations());
        assertNotNull(index.signedKey(text, NOON));

        for (int repetition = 0; repetition < 2; repetition++) {
            JsonNode answer = edit(ACME, delete);
            assertEquals(key.id().toString(), answer.at("/deleted/0/id").stringValue());
            assertEquals("Application key not found by ID", messages(answer));
            assertEquals(1, index.revocations());
            assertNull(index.signedKey(text, NOON));
        }
    }

    @Test
    void shouldForgetRevocationsOfExpiredKeys() {
        SignedKey expired = signedKey(ACME, NOON.minus(Duration.ofDays(1)));
        SignedKey expiring = signedKey(ACME, NOON.plusSeconds(1));
        for (SignedKey key : List.of(expired, expiring)) {
            index.put(RevokedKey.recordKey(key.id()), new RevokedKey(key.id()));
        }
        edit(
                ACME,
                new AccessEdit.DeleteApplicationKeys(
                        List.of(signedKey(ACME, null).id().toString())));

        assertEquals(2, index.revocations());
        assertNull(index.signedKey(expiring.text(index.signers()).text(), NOON));
    }

    // Tenants.

    private UUID tenant(String customerId) {
        var item = new NewItem(UUID.randomUUID(), Map.of("customerId", customerId, "name", "Name"));
        edit(new AccessEdit.CreateTenants(List.of(item)));
        return item.id();
    }

    @Test
    void shouldRefuseTenantEditsWithoutMultiTenancy() {
        for (AccessEdit edit : List.of(
                new AccessEdit.CreateTenants(List.of()),
                new AccessEdit.UpdateTenants(List.of()),
                new AccessEdit.DeleteTenants(List.of()))) {
            edit(edit);
            assertEquals(422, status);
        }
        assertTrue(edit(new AccessEdit.SetMultiTenancy(true))
                .toString()
                .endsWith("\"aggregationPeriod\":\"weekly\",\"multiTenancyEnabled\":true}"));
        edit(new AccessEdit.CreateTenants(List.of()));
        assertEquals(200, status);
        edit(new AccessEdit.SetMultiTenancy(false));
        edit(new AccessEdit.CreateTenants(List.of()));
        assertEquals(422, status);
    }

    private static AccessEdit.SetMultiTenancy withFirst(String customerId) {
        return new AccessEdit.SetMultiTenancy(true, Map.of("customerId", customerId, "name", "First"));
    }

    @Test
    void shouldRefuseToHideDataWithoutTenant() {
        hasData = true;

        JsonNode refused = edit(new AccessEdit.SetMultiTenancy(true));
        assertEquals(422, status);
        assertTrue(
                refused.path("error").stringValue().contains("\"firstTenant\": {\"customerId\""), refused.toString());
        assertFalse(index.isMultiTenant());
    }

    @Test
    void shouldGiveDataWithoutTenantToTheFirstTenant() {
        hasData = true;

        edit(withFirst("acme"));
        assertEquals(200, status);
        assertEquals(TenantId.NONE, index.activeTenant("acme"));
        assertEquals("acme", index.customerIdOf(TenantId.NONE));
        tenant("pool");
        assertEquals(new TenantId("pool"), index.activeTenant("pool"));

        edit(withFirst("acme"));
        assertEquals(200, status, "nothing changes");
        assertEquals(
                "firstTenant.customerId cannot change: the data without a tenant belong to 'acme'",
                edit(withFirst("other")).path("error").stringValue().replaceFirst("\\.$", ""));
    }

    @Test
    void shouldNotGiveDataWithoutTenantToTenantWithItsOwn() {
        edit(new AccessEdit.SetMultiTenancy(true));
        tenant("pool");
        hasData = true;

        edit(withFirst("pool"));
        assertEquals(422, status);
        edit(withFirst("acme"));
        assertEquals(200, status, "an instance with tenants can still name the first one");
    }

    @Test
    void shouldRefuseToSwitchOffWhileOtherTenantsAreActive() {
        hasData = true;
        edit(withFirst("acme"));
        UUID pool = tenant("pool");

        edit(new AccessEdit.SetMultiTenancy(false));
        assertEquals(422, status);
        edit(new AccessEdit.DeleteTenants(List.of(pool.toString())));
        edit(new AccessEdit.SetMultiTenancy(false));
        assertEquals(200, status);
        assertEquals("", index.customerIdOf(TenantId.NONE));

        edit(new AccessEdit.SetMultiTenancy(true));
        assertEquals(200, status, "the first tenant still has the data");
        assertEquals(TenantId.NONE, index.activeTenant("acme"));
    }

    @Test
    void shouldRefuseCustomerIdInUse() {
        edit(new AccessEdit.SetMultiTenancy(true));
        UUID acme = tenant("acme");
        var item = Map.of("customerId", "acme", "name", "Acme");
        var fresh = Map.of("customerId", "pool", "name", "Pool");

        JsonNode answer = edit(new AccessEdit.CreateTenants(List.of(
                new NewItem(UUID.randomUUID(), item),
                new NewItem(UUID.randomUUID(), fresh),
                new NewItem(UUID.randomUUID(), fresh),
                new NewItem(UUID.randomUUID(), fields("name", "x")),
                new NewItem(UUID.randomUUID(), fields("customerId", "", "name", "x")))));
        assertEquals(1, answer.get("created").size());
        assertEquals(
                "customerId already in use by another tenant|customerId already in use by another tenant|"
                        + "customerId is required|customerId must have 1 to 255 characters",
                messages(answer));

        edit(new AccessEdit.DeleteTenants(List.of(acme.toString())));
        assertEquals(
                "customerId already in use by another tenant",
                messages(edit(new AccessEdit.CreateTenants(List.of(new NewItem(UUID.randomUUID(), item))))),
                "what an archived tenant has stays its own");
    }

    @ParameterizedTest
    @CsvFileSource(
            resources = "RequiredRoleEditorTest.shouldRefuseCustomerIdThatAHeaderCannotCarry.csv",
            delimiter = '|',
            quoteCharacter = '\'')
    void shouldRefuseCustomerIdThatAHeaderCannotCarry(String customerId, String problem) {
        edit(withFirst(customerId));
        assertEquals(422, status);
        assertFalse(index.isMultiTenant());
        edit(new AccessEdit.SetMultiTenancy(true));

        JsonNode answer = edit(new AccessEdit.CreateTenants(
                List.of(new NewItem(UUID.randomUUID(), Map.of("customerId", customerId, "name", "Name")))));
        assertEquals("customerId " + problem + ": requests name the tenant in the header Tenant-ID", messages(answer));
        assertNull(index.tenantOf(customerId));
    }

    @Test
    void shouldRenameAndArchiveTenants() {
        edit(new AccessEdit.SetMultiTenancy(true));
        String id = tenant("acme").toString();

        JsonNode renamed = edit(new AccessEdit.UpdateTenants(List.of(
                fields("id", id, "name", "Acme Oy"),
                fields("id", id, "customerId", "acme"),
                fields("id", id, "customerId", "other"))));
        assertEquals("Acme Oy", renamed.at("/updated/1/name").asString());
        assertTrue(messages(renamed).startsWith("customerId cannot be changed"));

        JsonNode deleted =
                edit(new AccessEdit.DeleteTenants(List.of(id, UUID.randomUUID().toString())));
        assertEquals("{\"id\":\"" + id + "\"}", deleted.at("/deleted/0").toString());
        assertEquals("Tenant not found by ID", messages(deleted));
        assertEquals("archived", TenantBody.all(index).getFirst().status());
        assertNull(index.activeTenant("acme"));
    }
}
