package dev.laurel.delivery.store;

import dev.laurel.delivery.store.EndpointLanes.Lane;
import dev.laurel.processors.store.Codec;
import java.util.List;
import java.util.UUID;


/** The codecs of the values in the store of webhooks. */
final class WebhookCodecs {

    /** A body. @param owner key in the outbox of the user or leaderboard that it is about; empty if there is none */
    record Body(byte[] owner, byte[] bytes) {}

    static final Codec<WebhookDelivery> DELIVERY = Codec.of("delivery", 2, WebhookDelivery.class);
    static final Codec<Lane> LANE = Codec.of("lane", 2, Lane.class);
    static final Codec<UUID> ID = Codec.of("id of a delivery", 1, UUID.class);
    static final Codec<byte[]> BYTES = Codec.of("body or key", 1, byte[].class);
    static final Codec<Body> BODY = Codec.of("body", 1, Body.class);
    static final Codec<List<UUID>> IDS = Codec.ofList("ids of webhooks", 1, UUID.class);

    private WebhookCodecs() {}
}
