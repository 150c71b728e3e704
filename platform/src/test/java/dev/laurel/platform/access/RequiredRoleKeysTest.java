package dev.laurel.platform.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.AccessKeys.SignedKeyUses;
import dev.laurel.platform.access.ApiKeys.Grant;
import dev.laurel.platform.access.ApiKeys.Principal;
import dev.laurel.platform.http.FixedSettings;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.Actor;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RequiredRoleKeysTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId POOL = new TenantId("pool");
    private static final UserId IDA = new UserId("ida");

    private final AccessIndex index = InMemoryAccessStore.index();
    private final Set<TenantId> disabled = new HashSet<>();
    private final List<UUID> used = new ArrayList<>();
    private final List<SignedKey> usedSigned = new ArrayList<>();
    private Instant now = NOON;
    private final AccessKeys keys = new AccessKeys(
            index,
            new FixedSettings(tenant -> FixedSettings.of(!disabled.contains(tenant), null)),
            used::add,
            usedSigned::add,
            () -> now);
    private final String admin = put(ApiKey.newAdminKey(new SecureRandom()), null);

    /** An active admin key, or an application key of Ida in this tenant. */
    private String put(ApiKey key, TenantId tenant) {
        AccessRecord record = tenant == null
                ? new AdminKey(UUID.randomUUID(), "a", key.prefix(), key.hash(), KeyStatus.ACTIVE, NOON)
                : new ApplicationKey(UUID.randomUUID(), tenant, IDA, key.prefix(), key.hash(), NOON, Role.SUPPORT);
        index.put(record.recordKey(), record);
        return key.text();
    }

    private String application(TenantId tenant) {
        return put(
                new ApiKey(ApiKey.APPLICATION
                        + ApiKey.newAdminKey(new SecureRandom()).text()),
                tenant);
    }

    private void tenants(TenantStatus acme) {
        index.put("instance", new Instance(true));
        for (TenantId tenant : List.of(ACME, POOL)) {
            var record = new Tenant(
                    UUID.nameUUIDFromBytes(tenant.value().getBytes(StandardCharsets.UTF_8)),
                    tenant.value(),
                    "T",
                    tenant.equals(ACME) ? acme : TenantStatus.ACTIVE,
                    NOON,
                    NOON);
            index.put(record.recordKey(), record);
        }
    }

    @Test
    void shouldReachDataWithoutTenantThroughTheFirstTenant() {
        String key = application(TenantId.NONE);
        tenants(TenantStatus.ACTIVE);
        assertNull(keys.grantOf(key, "acme"), "no tenant has them yet");

        index.put("instance", new Instance(true, "acme"));
        assertEquals(TenantId.NONE, keys.grantOf(admin, "acme").tenant());
        assertEquals(POOL, keys.grantOf(admin, "pool").tenant());
        assertEquals(TenantId.NONE, keys.grantOf(key, "acme").tenant());
        assertNull(keys.grantOf(key, "pool"), "a key is valid for its own tenant only");
    }

    @Test
    void shouldIgnoreTheTenantHeaderWithoutMultiTenancy() {
        for (String named : new String[] {null, "", "acme", "☃"}) {
            assertEquals(TenantId.NONE, keys.grantOf(admin, named).tenant());
            assertNull(keys.grantOf(admin, named).problem());
        }
        assertEquals(
                new Principal.ApplicationUser(IDA, Role.SUPPORT),
                keys.grantOf(application(TenantId.NONE), "acme").principal());
        assertNull(keys.grantOf(application(ACME), "acme"), "there are no tenants");
    }

    @Test
    void shouldGrantAnAdminTheTenantThatTheRequestNames() {
        tenants(TenantStatus.ACTIVE);

        assertEquals(ACME, keys.grantOf(admin, "acme").tenant());
        for (String named : new String[] {null, "", "ACME", "other", "acme/", " acme"}) {
            Grant grant = keys.grantOf(admin, named);
            assertNull(grant.tenant(), named);
            assertNotNull(grant.problem());
        }
    }

    @Test
    void shouldGrantNoAccessToAnArchivedTenant() {
        tenants(TenantStatus.ARCHIVED);

        assertNull(keys.grantOf(admin, "acme").tenant());
        assertNull(keys.grantOf(application(ACME), "acme"));
        assertNull(keys.grantOf(application(ACME), "pool"));
        assertNull(keys.grantOf(application(ACME), ""));
    }

    @Test
    void shouldGrantAnApplicationKeyItsOwnTenantOnly() {
        tenants(TenantStatus.ACTIVE);
        String key = application(ACME);

        assertEquals(ACME, keys.grantOf(key, "acme").tenant());
        assertNull(keys.grantOf(key, "pool"));
        assertNull(keys.grantOf(key, "nowhere").tenant(), "the error is about the tenant, not about the key");
        assertNull(keys.grantOf(key, null).tenant());
        assertNull(keys.grantOf(application(TenantId.NONE), "acme"), "issued before multi-tenancy");
    }

    @Test
    void shouldRefuseApplicationKeysIfTheTenantDisablesThem() {
        tenants(TenantStatus.ACTIVE);
        String acme = application(ACME);
        String pool = application(POOL);
        disabled.add(ACME);

        assertNull(keys.grantOf(acme, "acme"));
        assertEquals(POOL, keys.grantOf(pool, "pool").tenant());
        assertNotNull(keys.grantOf(admin, "acme"));
    }

    /** An active admin key with limits. */
    private String limited(Role role, String tenant) {
        return limited(role, tenant, null);
    }

    private String limited(Role role, String tenant, Instant expires) {
        ApiKey key = ApiKey.newAdminKey(new SecureRandom());
        var record = new AdminKey(
                UUID.randomUUID(), "a", key.prefix(), key.hash(), KeyStatus.ACTIVE, NOON, role, tenant, expires);
        index.put(record.recordKey(), record);
        return key.text();
    }

    private static Actor actorOf(Grant grant) {
        return ((Principal.Admin) grant.principal()).actor();
    }

    @ParameterizedTest
    @EnumSource
    void shouldGrantTheRoleOfTheKey(Role role) {
        Actor actor = actorOf(keys.grantOf(limited(role, null), null));
        assertEquals(Actor.ofKey(UUID.fromString(actor.author().id()), "a", role, null), actor);
        assertEquals(Role.ADMIN, actorOf(keys.grantOf(admin, null)).role());
    }

    @Test
    void shouldRefuseAnAdminKeyFromItsEndOn() {
        String key = limited(Role.VIEWER, null, NOON.plusSeconds(1));

        assertNotNull(keys.grantOf(key, null));
        now = NOON.plusSeconds(1);
        assertNull(keys.grantOf(key, null));
        assertNotNull(keys.grantOf(admin, null));
    }

    @Test
    void shouldGrantABoundKeyItsOwnTenantOnly() {
        tenants(TenantStatus.ACTIVE);
        String key = limited(Role.EDITOR, "acme");

        for (String named : new String[] {null, "", "acme"}) {
            Grant grant = keys.grantOf(key, named);
            assertEquals(ACME, grant.tenant());
            assertEquals(Role.EDITOR, actorOf(grant).role());
            assertEquals("acme", actorOf(grant).tenant());
        }
        Grant foreign = keys.grantOf(key, "pool");
        assertNull(foreign.tenant());
        assertEquals(foreign, keys.grantOf(key, "nowhere"), "does not show which tenants there are");
        index.put("instance", new Instance(true, "acme"));
        assertEquals(TenantId.NONE, keys.grantOf(key, null).tenant(), "the first tenant has what has no tenant");
    }

    @Test
    void shouldGrantNothingToAKeyWhoseTenantIsGone() {
        tenants(TenantStatus.ARCHIVED);
        String key = limited(Role.ADMIN, "acme");

        assertNull(keys.grantOf(key, null).tenant());
        assertTrue(keys.grantOf(key, "acme").problem().contains("archived"));
        tenants(TenantStatus.ACTIVE);
        index.put("instance", new Instance(false));
        for (String named : new String[] {null, "acme", "pool"}) {
            assertNull(keys.grantOf(key, named).tenant(), "would be everything");
            assertTrue(keys.grantOf(key, named).problem().contains("multi-tenancy is off"));
        }
    }

    /** A signed key of Ida in this tenant that expires in a minute. */
    private SignedKey signed(TenantId tenant, Role role) {
        index.missingSigner(() -> new byte[32]).forEach(secret -> index.put(secret.recordKey(), secret));
        return SignedKey.of(new UserKey(tenant, IDA), role, NOON.plusSeconds(60), UUID.randomUUID(), index.signers());
    }

    @Test
    void shouldGrantASignedKeyItsOwnTenantAndUserOnly() {
        SignedKey key = signed(ACME, Role.VIEWER);
        String text = key.text(index.signers()).text();
        assertNull(keys.grantOf(text, "acme"), "there are no tenants");
        tenants(TenantStatus.ACTIVE);

        Grant grant = keys.grantOf(text, "acme");
        assertEquals(ACME, grant.tenant());
        assertEquals(new Principal.ApplicationUser(IDA, Role.VIEWER), grant.principal());
        assertEquals(SignedKey.prefixOf(key.id()), grant.prefix());
        assertNull(keys.grantOf(text, "pool"));
        assertNull(keys.grantOf(text, null).tenant(), "the error is about the tenant, not about the key");
        assertEquals(List.of(), used);
        assertEquals(List.of(key, key), usedSigned, "accepted, whatever the tenant of the request");
    }

    @Test
    void shouldNoteFewUsesOfSignedKeys() {
        var noted = new ArrayList<SignedKey>();
        var uses = new SignedKeyUses(() -> now);
        SignedKey key = signed(ACME, Role.VIEWER);
        uses.used(key);
        uses.noteBy(noted::add);
        uses.used(key);
        uses.used(key);
        assertEquals(List.of(key), noted);

        for (int i = 0; i < 100; i++) {
            uses.used(signed(ACME, Role.VIEWER));
        }
        assertEquals(SignedKeyUses.MAX_PER_SECOND, noted.size());
        now = NOON.plusSeconds(1);
        uses.used(signed(ACME, Role.VIEWER));
        assertEquals(SignedKeyUses.MAX_PER_SECOND + 1, noted.size());
        now = NOON.plus(Duration.ofDays(7)).plusSeconds(2);
        uses.used(key);
        assertEquals(2, noted.stream().filter(key::equals).count());
    }

    @Test
    void shouldRefuseASignedKeyThatIsRevokedOrExpiredOrWhoseTenantDoesNotWantIt() {
        tenants(TenantStatus.ACTIVE);
        SignedKey key = signed(ACME, Role.SUPPORT);
        String text = key.text(index.signers()).text();
        String other = signed(ACME, Role.SUPPORT).text(index.signers()).text();

        disabled.add(ACME);
        assertNull(keys.grantOf(text, "acme"));
        disabled.clear();
        tenants(TenantStatus.ARCHIVED);
        assertNull(keys.grantOf(text, "acme"));
        tenants(TenantStatus.ACTIVE);
        assertNotNull(keys.grantOf(text, "acme"));
        index.put(RevokedKey.recordKey(key.id()), new RevokedKey(key.id()));
        assertNull(keys.grantOf(text, "acme"));
        assertNotNull(keys.grantOf(other, "acme"));
        now = NOON.plusSeconds(60);
        assertNull(keys.grantOf(other, "acme"));
    }

    @Test
    void shouldReportEachUseOfAnAcceptedKey() {
        keys.grantOf("nobody.secret", null);
        keys.grantOf(application(ACME), null);
        assertEquals(List.of(), used);

        keys.grantOf(admin, null);
        assertEquals(1, used.size());
    }
}
