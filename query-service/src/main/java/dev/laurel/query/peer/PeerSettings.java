package dev.laurel.query.peer;

import dev.laurel.platform.access.PeerKey;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the calls between the nodes of one deployment.
 *
 * @param advertised host:port under which other nodes reach this one, as its applications advertise it
 * @param key derived from the admin key that all processes are started with
 * @param maxLag the number of records that a copy may be behind its changelog to be read in place of its owner
 * @param maxCalls the number of calls to one node at a time
 * @param tls null for plain HTTP
 */
public record PeerSettings(String advertised, PeerKey key, long maxLag, int maxCalls, @Nullable SSLContext tls) {

    /** The records of a few seconds in a busy partition. */
    public static final long DEFAULT_MAX_LAG = 10_000;

    public PeerSettings {
        if (advertised.isEmpty()) {
            throw new IllegalArgumentException("advertised must be the host:port of this node");
        }
    }
}
