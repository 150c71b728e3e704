package dev.laurel.schemas.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.schemas.topic.Topics.DirectTopics;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectTopicsTest {

    /** Names are durable data. */
    @ParameterizedTest
    @CsvSource({
        "acme, laurel.direct.acme",
        "acme.EU-2, laurel.direct.acme.EU-2",
        "a_b, laurel.direct.a_5fb",
        "'a b/c', laurel.direct.a_20b_2fc",
        "Zoë, laurel.direct.Zo_c3_ab"
    })
    void shouldNameTheTopicOfATenant(String customerId, String topic) {
        assertEquals(topic, DirectTopics.of(customerId).name());
        assertEquals(customerId, DirectTopics.customerOf(topic));
        assertTrue(DirectTopics.isOne(topic));
        assertTrue(DirectTopics.isOfOneTenant(topic));
        assertEquals(Topics.DIRECT.config(), DirectTopics.of(customerId).config());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "laurel.direct.a_b",
                "laurel.direct.a_",
                "laurel.direct.a_5F",
                "laurel.direct._61",
                "laurel.direct._ff"
            })
    void shouldKnowNoTenantOfAnotherSpelling(String topic) {
        assertNull(DirectTopics.customerOf(topic));
    }

    @Test
    void shouldTellTheTopicsApart() {
        assertTrue(DirectTopics.isOne("laurel.direct"));
        assertFalse(DirectTopics.isOfOneTenant("laurel.direct"));
        assertFalse(DirectTopics.isOne("laurel.directory"));
        assertFalse(DirectTopics.isOne("laurel.commands"));
    }

    @Test
    void shouldRefuseATenantWhoseTopicKafkaWouldNotCreate() {
        assertEquals(249, DirectTopics.of("a".repeat(235)).name().length());
        assertThrows(IllegalArgumentException.class, () -> DirectTopics.of("a".repeat(236)));
        assertThrows(IllegalArgumentException.class, () -> DirectTopics.of(""));
    }
}
