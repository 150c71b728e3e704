package dev.laurel.platform.access;

import dev.laurel.platform.access.EmailToken.Content;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import java.util.Base64;
import java.util.UUID;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

class EmailTokenTest {

    private static final UUID EMAIL = new UUID(0x1234, -5);
    private static final UserKey IDA = new UserKey(new TenantId("acme"), new UserId("ida/ä"));
    private static final Content LINK = new Content(IDA, EMAIL, "https://a.example/?q=ä");

    private final AccessIndex index = new AccessIndex();

    EmailTokenTest() {
        key("acme", "0123");
        key("", "4567");
    }

    private void key(String tenant, String value) {
        var secret = new Secret(new TenantId(tenant), Secret.CHANNELS, Secret.UNSUBSCRIBE, value);
        index.put(secret.recordKey(), secret);
    }

    @Test
    void shouldReadWhatItWrote() {
        for (Content content : new Content[]{LINK, new Content(IDA, EMAIL, null),
                new Content(UserKey.of("u"), EMAIL, "x".repeat(EmailToken.MAX_TARGET_LENGTH))}) {
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
        for (String token : new String[]{"", "x", "????", "A".repeat(43), "A".repeat(100), "A".repeat(20_000)}) {
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
        var other = new AccessIndex();

        assertNull(EmailToken.of(LINK, other));
        assertNull(EmailToken.read(EmailToken.of(LINK, index), other));
    }
}
