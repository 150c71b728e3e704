package dev.laurel.schemas.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequiredRoleIndexTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final ApiKey KEY = ApiKey.givenAdminKey("Abcd1234.0123456789abcdef");
    private static final ApiKey OTHER = ApiKey.givenAdminKey("Efgh5678.0123456789abcdef");
    private static final UUID ID = UUID.randomUUID();

    private final AccessIndex index = InMemoryAccessStore.index();

    private static AdminKey admin(ApiKey key, String name, KeyStatus status) {
        return new AdminKey(ID, name, key.prefix(), key.hash(), status, NOON);
    }

    private void put(AccessRecord record) {
        index.put(record.recordKey(), record);
    }

    @Test
    void shouldFindTheHolderOfAKey() {
        ApiKey app = new ApiKey(
                ApiKey.APPLICATION + ApiKey.newAdminKey(new SecureRandom()).text());
        var application = new ApplicationKey(
                UUID.randomUUID(), TenantId.NONE, new UserId("ida"), app.prefix(), app.hash(), NOON, Role.SUPPORT);
        put(admin(KEY, "CI", KeyStatus.ACTIVE));
        put(application);

        assertEquals(admin(KEY, "CI", KeyStatus.ACTIVE), index.holderOf(KEY.text()));
        assertEquals(application, index.holderOf(app.text()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "Abcd1234",
                "Abcd1234.",
                "Abcd1234.0123456789abcdeF",
                "abcd1234.0123456789abcdef",
                "Abcd1234.0123456789abcdef ",
                "Efgh5678.0123456789abcdef",
                "☃.☃"
            })
    void shouldFindNoHolderOfAnotherKey(String key) {
        put(admin(KEY, "CI", KeyStatus.ACTIVE));

        assertNull(index.holderOf(key));
    }

    @ParameterizedTest
    @EnumSource(
            value = KeyStatus.class,
            names = {"INACTIVE", "DELETED"})
    void shouldFindHoldersOfActiveKeysOnly(KeyStatus status) {
        put(admin(KEY, "CI", KeyStatus.ACTIVE));
        put(admin(KEY, "CI", status));
        assertNull(index.holderOf(KEY.text()));
        assertTrue(index.isPrefixTaken(KEY.prefix()), "it may come back");

        put(admin(KEY, "CI", KeyStatus.ACTIVE));
        assertEquals(ID, ((AdminKey) index.holderOf(KEY.text())).id());
    }

    @Test
    void shouldForgetTheOldKeyAfterARotation() {
        put(admin(KEY, "CI", KeyStatus.ACTIVE));
        put(admin(OTHER, "CI", KeyStatus.ACTIVE));

        assertNull(index.holderOf(KEY.text()));
        assertEquals(admin(OTHER, "CI", KeyStatus.ACTIVE), index.holderOf(OTHER.text()));
        assertFalse(index.isPrefixTaken(KEY.prefix()));
    }

    @Test
    void shouldTellActiveFromArchivedTenants() {
        assertFalse(index.isMultiTenant());
        put(new Instance(true));
        put(new Tenant(ID, "acme", "Acme", TenantStatus.ACTIVE, NOON, NOON));
        assertTrue(index.isMultiTenant());
        assertEquals(new TenantId("acme"), index.activeTenant("acme"));

        put(new Tenant(ID, "acme", "Acme", TenantStatus.ARCHIVED, NOON, NOON));
        assertNull(index.activeTenant("acme"));
        assertEquals(ID, index.tenantOf("acme").id());
        assertNull(index.activeTenant(""));
    }

    @Test
    void shouldNotPrintTheSecretOfAKey() {
        assertEquals("Abcd1234.…", KEY.toString());
    }
}
