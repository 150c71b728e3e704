package dev.laurel.processors.delivery.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SignerTest {

    /** The check of webhooks.md §1. */
    @Test
    void shouldSignAsTheContractSays() {
        assertEquals("EIymJVd8EEFonaZ28ZF8Yc1nKonjWMbDGoHs+FtRnPU=",
                Signer.sign("whsec_demo", "{\"type\":\"streak.lost\"}".getBytes(UTF_8)));
    }
}
