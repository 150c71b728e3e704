package dev.laurel.query.peer;

import dev.laurel.schemas.access.PeerKey;
import javax.net.ssl.SSLContext;

/**
 * How nodes of one deployment reach each other.
 *
 * @param advertised host:port under which others reach this one's reads, the same that its applications advertise
 * @param key made of the admin key that all are started with
 * @param maxLag how many records of a store's changelog may be missing where a copy is read while its owner is away
 * @param tls how others are reached; null: in the clear
 */
public record Peers(String advertised, PeerKey key, long maxLag, SSLContext tls) {

    /** Some seconds of a busy partition. */
    public static final long DEFAULT_MAX_LAG = 10_000;

    public Peers {
        if (advertised.isEmpty()) {
            throw new IllegalArgumentException("a node with peers must say where they reach it");
        }
    }
}
