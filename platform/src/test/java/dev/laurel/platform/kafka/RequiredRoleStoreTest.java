package dev.laurel.platform.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.kafka.AccessTable.AccessStore;
import dev.laurel.platform.kafka.Follower.Position;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.KeyPage;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.AccessRecord.AdminKey;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.Instance;
import dev.laurel.schemas.access.AccessRecord.KeyStatus;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord.Tenant;
import dev.laurel.schemas.access.AccessRecord.TenantStatus;
import dev.laurel.schemas.access.ApiKey;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.Topics;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the index over records on disk and over records in memory, which must behave the same. */
class RequiredRoleStoreTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final TenantId ACME = new TenantId("acme");

    @TempDir
    private Path path;

    private TableFolder folder;
    private TableStore store;
    private AccessStore onDisk;
    private AccessIndex index;

    @BeforeEach
    void open() {
        folder = TableFolder.at(path);
        store = folder.open("access");
        onDisk = new AccessStore(store);
        index = new AccessIndex(onDisk);
    }

    @AfterEach
    void close() {
        store.close();
        folder.close();
    }

    private void use(String place) {
        index = place.equals("disk") ? index : InMemoryAccessStore.index();
    }

    private void put(AccessRecord record) {
        put(record.recordKey(), record);
    }

    private void put(String recordKey, @Nullable AccessRecord record) {
        if (!(record instanceof LastUsed use && onDisk.isOutdated(use))) {
            index.put(recordKey, record);
            onDisk.put(
                    recordKey,
                    record == null ? null : Topics.ACCESS.value().serializer().serialize(Topics.ACCESS.name(), record));
        }
        store.write(new Position(1, 0, Map.of()));
        onDisk.forgetChanged();
    }

    /** A key of a user; those with a higher number are newer. */
    private static ApplicationKey key(TenantId tenant, String user, int number) {
        ApiKey key = textOf(number);
        return new ApplicationKey(
                new UUID(number % 3, number),
                tenant,
                new UserId(user),
                key.prefix(),
                key.hash(),
                NOON.plusMillis(number / 2),
                Role.SUPPORT);
    }

    private static ApiKey textOf(int number) {
        return new ApiKey(String.format("app_%08d.0123456789abcdef", number));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    void shouldFindTheHolderOfAKeyUntilItIsDeleted(String place) {
        use(place);
        ApplicationKey key = key(ACME, "ida", 1);
        assertNull(index.holderOf(textOf(1).text()), "not there yet, and remembered");
        put(key);

        assertEquals(key, index.holderOf(textOf(1).text()));
        assertNull(index.holderOf(textOf(1).text() + "0"));
        assertEquals(key, index.applicationKey(key.id()));
        assertTrue(index.isPrefixTaken(key.prefix()));

        put(key.recordKey(), null);
        assertNull(index.holderOf(textOf(1).text()));
        assertNull(index.applicationKey(key.id()));
        assertFalse(index.isPrefixTaken(key.prefix()));
        assertEquals(List.of(), index.applicationKeysOf(new UserKey(key.tenant(), key.userId())));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    void shouldListTheKeysOfATenantOrAUserOldestFirst(String place) {
        use(place);
        var acme = new ArrayList<ApplicationKey>();
        for (int i = 0; i < 250; i++) {
            ApplicationKey key = key(ACME, "user-" + i % 2, i);
            acme.add(key);
            put(key);
            put(key(new TenantId("acme2"), "user-" + i % 2, 1_000 + i));
        }
        acme.sort((a, b) -> a.created().equals(b.created())
                ? a.id().toString().compareTo(b.id().toString())
                : a.created().compareTo(b.created()));

        assertEquals(acme, pages(new KeyRange(null, null, 0, 99)));
        assertEquals(
                acme.subList(7, 17),
                index.applicationKeys(ACME, new KeyRange(null, null, 7, 10)).keys());
        assertEquals(
                new KeyPage(acme.subList(245, 250), 245),
                index.applicationKeys(ACME, new KeyRange(null, null, 245, 10)));
        assertEquals(new KeyPage(List.of(), 250), index.applicationKeys(ACME, new KeyRange(null, null, 300, 10)));
        List<ApplicationKey> ofUser = acme.stream()
                .filter(key -> key.userId().value().equals("user-1"))
                .toList();
        assertEquals(ofUser, pages(new KeyRange(new UserId("user-1"), null, 0, 20)));
        assertEquals(ofUser, index.applicationKeysOf(new UserKey(ACME, new UserId("user-1"))));
        assertEquals(List.of(), index.applicationKeysOf(new UserKey(ACME, new UserId("user-"))));
        assertEquals(
                List.of(),
                index.applicationKeys(TenantId.NONE, new KeyRange(null, null, 0, 9))
                        .keys());
    }

    private List<ApplicationKey> pages(KeyRange first) {
        var all = new ArrayList<ApplicationKey>();
        List<ApplicationKey> page;
        do {
            KeyPlace after = all.isEmpty() ? null : KeyPlace.of(all.getLast());
            page = index.applicationKeys(ACME, new KeyRange(first.user(), after, 0, first.limit()))
                    .keys();
            all.addAll(page);
        } while (!page.isEmpty());
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    void shouldKeepTheLatestUse(String place) {
        use(place);
        UUID id = UUID.randomUUID();
        assertNull(index.lastUsed(id));
        put(new LastUsed(id, NOON));
        put(new LastUsed(id, NOON.minusSeconds(1)));
        assertEquals(NOON, index.lastUsed(id));

        put(AccessRecord.lastUsedKey(id), null);
        assertNull(index.lastUsed(id));
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    void shouldFindSecretsAsTheyChange(String place) {
        use(place);
        assertNull(index.secret(ACME, Secret.CHANNELS, Secret.SMTP_URL), "not there yet, and remembered");
        put(new Secret(ACME, Secret.CHANNELS, Secret.SMTP_URL, "one"));
        assertEquals("one", index.secret(ACME, Secret.CHANNELS, Secret.SMTP_URL));
        put(new Secret(ACME, Secret.CHANNELS, Secret.SMTP_URL, "two"));
        put(new Secret(TenantId.NONE, Secret.CHANNELS, Secret.SMTP_URL, "three"));
        put(new Secret(TenantId.NONE, Secret.CHANNELS, Secret.UNSUBSCRIBE, "four"));

        assertEquals("two", index.secret(ACME, Secret.CHANNELS, Secret.SMTP_URL));
        assertEquals("three", index.secret(TenantId.NONE, Secret.CHANNELS, Secret.SMTP_URL));

        put(Secret.recordKey(ACME, Secret.CHANNELS, Secret.SMTP_URL), null);
        assertNull(index.secret(ACME, Secret.CHANNELS, Secret.SMTP_URL));
    }

    @Test
    void shouldLoadWhatIsHeldInMemory() {
        var admin = new AdminKey(UUID.randomUUID(), "CI", "Abcd1234", "00", KeyStatus.ACTIVE, NOON);
        var tenant = new Tenant(UUID.randomUUID(), "acme", "Acme", TenantStatus.ACTIVE, NOON, NOON);
        Secret signer = index.missingSigner(() -> new byte[32]).getFirst();
        put(tenant);
        put(new LastUsed(admin.id(), NOON));
        put(key(ACME, "ida", 1));
        put(new Secret(ACME, Secret.CHANNELS, Secret.SMTP_URL, "one"));
        put(signer);
        put(admin);
        put(new Instance(true));
        SignedKey revoked = signed();
        SignedKey valid = signed();
        put(new RevokedKey(revoked.id()));

        var again = new AccessIndex(onDisk);
        var loaded = new ArrayList<String>();
        onDisk.visitHeldInMemory((recordKey, value) -> {
            loaded.add(recordKey);
            again.put(recordKey, Topics.ACCESS.value().deserializer().deserialize(Topics.ACCESS.name(), value));
        });

        assertEquals(
                List.of(
                        signer.recordKey(),
                        admin.recordKey(),
                        Instance.RECORD_KEY,
                        RevokedKey.recordKey(revoked.id()),
                        tenant.recordKey()),
                loaded);
        assertEquals(valid, again.signedKey(valid.text(index.signers()).text(), NOON));
        assertNull(again.signedKey(revoked.text(index.signers()).text(), NOON));
        assertEquals(List.of(), again.missingSigner(() -> new byte[32]));
    }

    private SignedKey signed() {
        return SignedKey.of(
                new UserKey(ACME, new UserId("ida")), Role.SUPPORT, null, UUID.randomUUID(), index.signers());
    }

    @ParameterizedTest
    @ValueSource(strings = {"disk", "memory"})
    void shouldSignNothingWithADeletedSecret(String place) {
        use(place);
        Secret signer = index.missingSigner(() -> new byte[32]).getFirst();
        put(signer);
        SignedKey key = signed();
        String text = key.text(index.signers()).text();
        assertEquals(key, index.signedKey(text, NOON));

        put(new RevokedKey(key.id()));
        assertNull(index.signedKey(text, NOON));
        put(RevokedKey.recordKey(key.id()), null);
        assertEquals(key, index.signedKey(text, NOON));
        put(signer.recordKey(), null);
        assertNull(index.signedKey(text, NOON));
    }
}
