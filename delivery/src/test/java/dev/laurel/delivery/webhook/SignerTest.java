package dev.laurel.delivery.webhook;

import dev.laurel.delivery.webhook.HttpWebhookClient.Signer;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

class SignerTest {

    /** The example of docs/webhooks.md §1. */
    @Test
    void shouldSignAsDocumented() {
        assertEquals("EIymJVd8EEFonaZ28ZF8Yc1nKonjWMbDGoHs+FtRnPU=",
                Signer.sign("whsec_demo", "{\"type\":\"streak.lost\"}".getBytes(UTF_8)));
    }
}
