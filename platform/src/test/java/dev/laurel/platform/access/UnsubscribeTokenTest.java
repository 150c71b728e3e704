package dev.laurel.platform.access;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class UnsubscribeTokenTest {

    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");

    private final AccessIndex index = new AccessIndex();

    private static AccessIndex with(AccessIndex index, TenantId tenant, String key) {
        Secret secret = new Secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE, key);
        index.put(secret.recordKey(), secret);
        return index;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ida", "a/b%c", "ida@example.net", "Ååå 🏊", "' OR 1=1 --"})
    void shouldIdentifyItsUser(String id) {
        with(with(index, ACME, "k1"), TenantId.NONE, "k2");
        for (TenantId tenant : new TenantId[]{ACME, TenantId.NONE}) {
            UserKey user = new UserKey(tenant, new UserId(id));

            String token = EmailToken.toUnsubscribe(user, index);

            assertTrue(token.matches("[A-Za-z0-9_-]+"), token);
            assertEquals(user, EmailToken.unsubscriber(token, index));
        }
    }

    @Test
    void shouldEncodeTheLongestIds() {
        UserKey user = new UserKey(new TenantId("€".repeat(255)), new UserId("€".repeat(255)));
        with(index, user.tenant(), "k");

        assertEquals(user, EmailToken.unsubscriber(EmailToken.toUnsubscribe(user, index), index));
    }

    @Test
    void shouldRefuseATokenWithAChangedByte() {
        with(with(index, ACME, "k1"), OTHER, "k2");
        byte[] token = Base64.getUrlDecoder()
                .decode(EmailToken.toUnsubscribe(new UserKey(ACME, new UserId("ida")), index));
        for (int i = 0; i < token.length; i++) {
            byte[] forged = token.clone();
            forged[i] ^= 1;
            assertNull(EmailToken.unsubscriber(Base64.getUrlEncoder().withoutPadding().encodeToString(forged), index),
                    "byte " + i);
        }
    }

    @Test
    void shouldRefuseATokenSignedWithTheKeyOfAnotherTenant() {
        AccessIndex others = with(new AccessIndex(), ACME, "k2");
        with(with(index, ACME, "k1"), OTHER, "k2");
        UserKey user = new UserKey(ACME, new UserId("ida"));

        String forged = EmailToken.toUnsubscribe(user, others);

        assertNotEquals(forged, EmailToken.toUnsubscribe(user, index));
        assertNull(EmailToken.unsubscriber(forged, index));
    }

    @Test
    void shouldRequireAKey() {
        UserKey user = UserKey.of("ida");
        String token = EmailToken.toUnsubscribe(user, with(new AccessIndex(), TenantId.NONE, "k"));

        assertNull(EmailToken.toUnsubscribe(user, index));
        assertNull(EmailToken.unsubscriber(token, index));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "===", "a b", "é", "%00", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD_", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAvLw"})
    void shouldRefuseTextThatIsNoToken(String text) {
        assertNull(EmailToken.unsubscriber(text, with(index, TenantId.NONE, "k")));
        assertNull(EmailToken.unsubscriber(text.repeat(10_000), index));
    }
}
