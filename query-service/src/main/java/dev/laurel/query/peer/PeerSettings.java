package dev.laurel.query.peer;

import dev.laurel.schemas.access.PeerKey;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which nodes of one deployment reach each other.
 *
 * @param advertised host:port under which others reach this one's reads, the same that its applications advertise
 * @param key derived from the admin key that all processes are started with
 * @param maxLag the number of records that a copy may be behind its changelog when it is read in place of its owner
 * @param tls null for plain HTTP
 */
public record PeerSettings(String advertised, PeerKey key, long maxLag, @Nullable SSLContext tls) {

    /** The records of some seconds in a busy partition. */
    public static final long DEFAULT_MAX_LAG = 10_000;

    public PeerSettings {
        if (advertised.isEmpty()) {
            throw new IllegalArgumentException("advertised must be the host:port of this node");
        }
    }
}
