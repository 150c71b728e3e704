package dev.laurel.query.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.laurel.query.analytics.EffectFeed.Filter;
import dev.laurel.query.analytics.EffectSource.PublishedEffect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a feed passes on, and where it continues; LiveFeedIT reads from Kafka. */
final class EffectFeedTest {

    private static PublishedEffect effect(String key, String json) {
        return PublishedEffect.of(
                new ConsumerRecord<>("laurel.effects", 0, 0, key.getBytes(UTF_8), json.getBytes(UTF_8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"streak.lost\",\"user\":\"ida\",\"at\":\"x\"} | streak.lost | ida",
                "{\"user\":\"ida\",\"a\":{\"type\":\"inner\",\"user\":\"inner\"},\"type\":\"streak.lost\"} |"
                        + " streak.lost | ida",
                "{\"type\":\"leaderboard.started\",\"list\":[{\"user\":\"inner\"}],\"n\":1} | leaderboard.started |",
                "{\"type\":\"user.created\",\"user\":\"\\u00e4\\\"\"} | user.created | ä\"",
                "{\"user\":null,\"type\":5} | '' |"
            })
    void shouldReadWhatFiltersNeed(String json, String type, String user) {
        PublishedEffect effect = effect("k", json);

        assertEquals(type, effect.type());
        assertEquals(user, effect.user());
        assertEquals(json, new String(effect.json(), UTF_8));
    }

    @Test
    void shouldRefuseWhatIsNoEffect() {
        assertThrows(IllegalStateException.class, () -> effect("k", "{\"type\":"));
    }

    /** Of no tenant: the keys of users have no tenant before the slash, or are the user alone. */
    @ParameterizedTest
    @CsvSource({
        "'', ida, ida, true",
        "'', '', '', true",
        "'', acme/ida, ida, false",
        "'', acme, '', false",
        "acme, acme/ida, ida, true",
        "acme, acme, '', true",
        "acme, ida, ida, false",
        "acme, acme2/ida, ida, false",
        "acme, acme2, '', false"
    })
    void shouldPassOnWhatIsOfTheTenant(String tenant, String key, String user, boolean isPassed) {
        String json = "{\"type\":\"streak.lost\"" + (user.isEmpty() ? "" : ",\"user\":\"" + user + "\"") + "}";

        assertEquals(isPassed, new Filter(new TenantId(tenant), Set.of(), null).matches(effect(key, json)));
    }

    @Test
    void shouldFilterByTypeAndUser() {
        PublishedEffect lost = effect("ida", "{\"type\":\"streak.lost\",\"user\":\"ida\"}");

        assertEquals(true, new Filter(TenantId.NONE, Set.of("streak.lost", "user.created"), null).matches(lost));
        assertEquals(false, new Filter(TenantId.NONE, Set.of("user.created"), null).matches(lost));
        assertEquals(true, new Filter(TenantId.NONE, Set.of(), new UserId("ida")).matches(lost));
        assertEquals(false, new Filter(TenantId.NONE, Set.of(), new UserId("bo")).matches(lost));
    }

    @Test
    void shouldContinueWhereAPositionSays() {
        assertArrayEquals(new long[] {51, 0, 7}, EffectFeed.offsetsOf("1f,0,7", 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1,2,3", "1,-2", "1,x y", "1,", "zzzzzzzzzzzzzzzzzzzz,1"})
    void shouldNotContinueElsewhere(String position) {
        assertNull(EffectFeed.offsetsOf(position, 2));
    }
}
