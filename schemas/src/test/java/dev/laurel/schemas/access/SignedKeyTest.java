package dev.laurel.schemas.access;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.access.AccessRecord.RevokedKey;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.SignedKey.Base62;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.UserResourceIds;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SignedKeyTest {

    private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
    private static final TenantId ACME = new TenantId("acme");
    private static final UserKey IDA = new UserKey(ACME, new UserId("ida"));

    /** Of the measurement; the default only shows that it works. */
    private final AccessIndex index = withSigner(1);

    private static AccessIndex withSigner(int number) {
        var made = InMemoryAccessStore.index();
        put(made, number);
        return made;
    }

    private static void put(AccessIndex index, int number) {
        var secret = new Secret(
                TenantId.NONE,
                "application-keys",
                Integer.toString(number),
                Long.toHexString(new SecureRandom().nextLong()));
        index.put(secret.recordKey(), secret);
    }

    private SignedKey key(UserKey owner, Role role, @Nullable Instant expires) {
        return SignedKey.of(owner, role, expires, UserResourceIds.of(owner, UUID.randomUUID()), index.signers());
    }

    private String text() {
        return key(IDA, Role.SUPPORT, null).text(index.signers()).text();
    }

    private static void revoke(AccessIndex index, UUID id) {
        var record = new RevokedKey(id);
        index.put(record.recordKey(), record);
    }

    @Test
    void shouldReadBackWhatWasSigned() {
        var owners = List.of(
                IDA,
                UserKey.of("ida"),
                UserKey.of("app/i%da 🏊"),
                UserKey.of("/".repeat(255)),
                new UserKey(new TenantId("%".repeat(255)), new UserId("Å".repeat(255))));
        for (UserKey owner : owners) {
            for (Role role : List.of(Role.VIEWER, Role.SUPPORT)) {
                for (Instant expires : new Instant[] {null, NOON.plusMillis(1), NOON.plus(Duration.ofDays(3_660))}) {
                    SignedKey key = key(owner, role, expires);
                    ApiKey text = key.text(index.signers());

                    assertEquals(key, index.signedKey(text.text(), NOON));
                    assertTrue(text.text().matches("app_[0-9A-Za-z]{8}\\.[0-9A-Za-z]{60,}"), text::text);
                    assertTrue(text.text().length() < 2_400, text::text);
                    assertEquals(SignedKey.prefixOf(key.id()), text.prefix());
                    assertTrue(UserResourceIds.isOf(owner, key.id()));
                }
            }
        }
    }

    @Test
    void shouldRefuseEveryAlterationOfAKey() {
        var random = new Random(7);
        String alphabet = "09AZaz._-+é";
        for (String text : List.of(
                text(),
                key(UserKey.of("x"), Role.VIEWER, NOON.plusSeconds(9))
                        .text(index.signers())
                        .text())) {
            for (int i = 0; i < text.length(); i++) {
                for (char other : alphabet.toCharArray()) {
                    String altered = text.substring(0, i) + other + text.substring(i + 1);
                    assertEquals(altered.equals(text), index.signedKey(altered, NOON) != null, altered);
                }
                assertNull(index.signedKey(text.substring(0, i), NOON), "truncated at " + i);
            }
            for (String end : List.of("0", "00", "00000000000", " ", ".", text)) {
                assertNull(index.signedKey(text + end, NOON), end);
            }
            for (int i = 0; i < 1_000; i++) {
                var noise = new byte[random.nextInt(120)];
                random.nextBytes(noise);
                assertNull(index.signedKey("app_Abcd1234." + Base62.encode(noise), NOON));
            }
        }
    }

    /** A key cannot be put together from parts of others. */
    @Test
    void shouldRefuseAPrefixOfAnotherKey() {
        String one = text();
        String other = text();
        assertNotEquals(one.substring(0, 12), other.substring(0, 12));

        assertNull(index.signedKey(one.substring(0, 12) + other.substring(12), NOON));
    }

    @Test
    void shouldRefuseKeysOfAnotherInstance() {
        AccessIndex other = withSigner(1);

        assertNull(other.signedKey(text(), NOON));
        assertNull(InMemoryAccessStore.index().signedKey(text(), NOON));
        assertNull(SignedKey.of(
                IDA,
                Role.SUPPORT,
                null,
                UUID.randomUUID(),
                InMemoryAccessStore.index().signers()));
    }

    @Test
    void shouldRefuseKeysFromTheirExpiryOn() {
        String text = key(IDA, Role.SUPPORT, NOON.plusSeconds(5))
                .text(index.signers())
                .text();

        assertNotNull(index.signedKey(text, NOON.plusMillis(4_999)));
        assertNull(index.signedKey(text, NOON.plusSeconds(5)));
    }

    @Test
    void shouldRefuseRevokedKeysOnly() {
        SignedKey one = key(IDA, Role.SUPPORT, null);
        SignedKey other = key(IDA, Role.SUPPORT, null);
        revoke(index, one.id());

        assertNull(index.signedKey(one.text(index.signers()).text(), NOON));
        assertNotNull(index.signedKey(other.text(index.signers()).text(), NOON));
        index.put(RevokedKey.recordKey(one.id()), null);
        assertNotNull(index.signedKey(one.text(index.signers()).text(), NOON));
    }

    @Test
    void shouldSignWithTheNewestSignerAndReadTheOthersUntilTheyAreRemoved() {
        String first = text();
        put(index, 2);
        String second = text();
        put(index, 10);

        for (String text : List.of(first, second, text())) {
            assertNotNull(index.signedKey(text, NOON));
        }
        index.put(Secret.recordKey(TenantId.NONE, "application-keys", "1"), null);
        assertNull(index.signedKey(first, NOON));
        assertNotNull(index.signedKey(second, NOON));
        assertEquals(List.of(), index.missingSigner(() -> new byte[32]));
        assertEquals(
                1, InMemoryAccessStore.index().missingSigner(() -> new byte[32]).size());
    }

    @Test
    void shouldRecognizeItsIdsOnly() {
        UUID id = key(IDA, Role.SUPPORT, NOON.plusSeconds(5)).id();
        assertTrue(SignedKey.isIdOfSigned(id) && id.version() == 8 && id.variant() == 2);
        assertTrue(SignedKey.isIssued(id, ACME, index.signers()));
        assertFalse(SignedKey.isIssued(id, new TenantId("pool"), index.signers()));
        assertFalse(SignedKey.isIssued(id, TenantId.NONE, index.signers()));

        for (int bit = 0; bit < 128; bit++) {
            var altered = new UUID(
                    id.getMostSignificantBits() ^ (bit < 64 ? 1L << bit : 0),
                    id.getLeastSignificantBits() ^ (bit < 64 ? 0 : 1L << bit - 64));
            assertFalse(SignedKey.isIssued(altered, ACME, index.signers()), "bit " + bit);
        }
        for (int i = 0; i < 1_000; i++) {
            assertFalse(SignedKey.isIssued(UUID.randomUUID(), ACME, index.signers()));
        }
    }

    @Test
    void shouldHaveOneTextForAllBytes() {
        var random = new Random(3);
        for (int size = 0; size < 40; size++) {
            for (int i = 0; i < 50; i++) {
                var bytes = new byte[size];
                random.nextBytes(bytes);
                String text = Base62.encode(bytes);
                assertArrayEquals(bytes, Base62.decode(text));
            }
        }
        assertArrayEquals(
                new byte[] {-1, -1, -1, -1, -1, -1, -1, -1},
                Base62.decode(Base62.encode(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1})));
        for (String text : List.of("0", "0000", "zz", "zzzzzzzzzzz", "LygHa16AHYG", "a-", "é0")) {
            assertNull(Base62.decode(text), text);
        }
    }

    @Test
    void shouldKnowRevokedKeysByTheirDay() {
        var revoked = new RevokedKeys();
        Set<UUID> known = new HashSet<>();
        var random = new Random(11);
        var all = new ArrayList<UUID>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(4) > 0 || all.isEmpty()) {
                Instant expires = random.nextBoolean() ? null : NOON.plus(Duration.ofDays(random.nextInt(5)));
                UUID id = key(IDA, Role.SUPPORT, expires).id();
                all.add(id);
                revoked.add(id);
                revoked.add(id);
                known.add(id);
            } else {
                UUID id = all.get(random.nextInt(all.size()));
                revoked.remove(id);
                known.remove(id);
            }
        }

        assertEquals(known.size(), revoked.size());
        all.forEach(id -> assertEquals(known.contains(id), revoked.contains(id)));
        long day = NOON.getEpochSecond() / 86_400;
        List<UUID> expired = revoked.expiredBy(day + 1, Integer.MAX_VALUE);
        assertEquals(
                known.stream().filter(id -> SignedKey.lastDayOf(id) == day + 1).count(), expired.size());
        assertTrue(known.containsAll(expired) && !expired.isEmpty());
        assertEquals(3, revoked.expiredBy(day + 1, 3).size());
        assertEquals(List.of(), revoked.expiredBy(day, 10), "expires during the day");
    }

    @Test
    void shouldCheckKeysBesideManyRevokedOnes() {
        for (int i = 0; i < 2_000; i++) {
            revoke(index, key(IDA, Role.SUPPORT, null).id());
        }
        String other =
                key(UserKey.of("bo"), Role.SUPPORT, null).text(index.signers()).text();

        assertEquals(2_000, index.revocations());
        assertNotNull(index.signedKey(other, NOON));
        assertNotNull(index.signedKey(text(), NOON));
    }
}
