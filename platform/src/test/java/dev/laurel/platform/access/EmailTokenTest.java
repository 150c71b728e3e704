package dev.laurel.platform.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.EmailToken.Content;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmailTokenTest {

    private static final UUID EMAIL = new UUID(0x1234, -5);
    private static final UserKey IDA = new UserKey(new TenantId("acme"), new UserId("ida/ä"));
    private static final Content LINK = new Content(IDA, EMAIL, "https://a.example/?q=ä");

    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final AccessIndex index = InMemoryAccessStore.index();

    /** Without keys at first. */
    private final AccessIndex own = InMemoryAccessStore.index();

    EmailTokenTest() {
        with(with(index, ACME, "0123"), TenantId.NONE, "4567");
    }

    private static AccessIndex with(AccessIndex index, TenantId tenant, String key) {
        Secret secret = new Secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE, key);
        index.put(secret.recordKey(), secret);
        return index;
    }

    @Test
    void shouldReadWhatItWrote() {
        for (Content content : new Content[] {
            LINK,
            new Content(IDA, EMAIL, null),
            new Content(UserKey.of("u"), EMAIL, "x".repeat(EmailToken.MAX_TARGET_LENGTH))
        }) {
            String token = EmailToken.of(content, index);

            assertNotNull(token);
            assertEquals(content, EmailToken.read(token, index));
        }
    }

    @Test
    void shouldRefuseEveryOtherToken() {
        byte[] bytes = Base64.getUrlDecoder().decode(EmailToken.of(LINK, index));
        for (int i = 0; i < bytes.length; i++) {
            byte[] forged = bytes.clone();
            forged[i] ^= 1;
            assertNull(EmailToken.read(Base64.getUrlEncoder().encodeToString(forged), index), "byte " + i);
        }
        for (String token : new String[] {"", "x", "????", "A".repeat(43), "A".repeat(100), "A".repeat(20_000)}) {
            assertNull(EmailToken.read(token, index), token);
        }
    }

    @Test
    void shouldNotAcceptAnUnsubscribeTokenNorServeAsOne() {
        assertNull(EmailToken.read(EmailToken.toUnsubscribe(IDA, index), index));
        assertNull(EmailToken.unsubscriber(EmailToken.of(LINK, index), index));
    }

    @Test
    void shouldNeedAKeyOfTheTenant() {
        var other = InMemoryAccessStore.index();

        assertNull(EmailToken.of(LINK, other));
        assertNull(EmailToken.read(EmailToken.of(LINK, index), other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ida", "a/b%c", "ida@example.net", "Ååå 🏊", "' OR 1=1 --"})
    void shouldIdentifyTheUserToUnsubscribe(String id) {
        with(with(own, ACME, "k1"), TenantId.NONE, "k2");
        for (TenantId tenant : new TenantId[] {ACME, TenantId.NONE}) {
            UserKey user = new UserKey(tenant, new UserId(id));

            String token = EmailToken.toUnsubscribe(user, own);

            assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
            assertEquals(user, EmailToken.unsubscriber(token, own));
        }
    }

    @Test
    void shouldEncodeTheLongestIds() {
        UserKey user = new UserKey(new TenantId("€".repeat(255)), new UserId("€".repeat(255)));
        with(own, user.tenant(), "k");

        assertEquals(user, EmailToken.unsubscriber(EmailToken.toUnsubscribe(user, own), own));
    }

    @Test
    void shouldRefuseATokenToUnsubscribeWithAChangedByte() {
        with(with(own, ACME, "k1"), OTHER, "k2");
        byte[] token =
                Base64.getUrlDecoder().decode(EmailToken.toUnsubscribe(new UserKey(ACME, new UserId("ida")), own));
        for (int i = 0; i < token.length; i++) {
            byte[] forged = token.clone();
            forged[i] ^= 1;
            assertNull(
                    EmailToken.unsubscriber(
                            Base64.getUrlEncoder().withoutPadding().encodeToString(forged), own),
                    "byte " + i);
        }
    }

    @Test
    void shouldRefuseATokenSignedWithTheKeyOfAnotherTenant() {
        AccessIndex others = with(InMemoryAccessStore.index(), ACME, "k2");
        with(with(own, ACME, "k1"), OTHER, "k2");
        UserKey user = new UserKey(ACME, new UserId("ida"));

        String forged = EmailToken.toUnsubscribe(user, others);

        assertNotEquals(forged, EmailToken.toUnsubscribe(user, own));
        assertNull(EmailToken.unsubscriber(forged, own));
    }

    @Test
    void shouldRequireAKeyToUnsubscribe() {
        UserKey user = UserKey.of("ida");
        String token = EmailToken.toUnsubscribe(user, with(InMemoryAccessStore.index(), TenantId.NONE, "k"));

        assertNull(EmailToken.toUnsubscribe(user, own));
        assertNull(EmailToken.unsubscriber(token, own));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "===",
                "a b",
                "é",
                "%00",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD_",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvLw"
            })
    void shouldRefuseTextThatIsNoToken(String text) {
        assertNull(EmailToken.unsubscriber(text, with(own, TenantId.NONE, "k")));
        assertNull(EmailToken.unsubscriber(text.repeat(10_000), own));
    }
}
