package dev.laurel.schemas.ruleset;

import java.net.URI;

/** Checks whether a URI names a server. Pure. */
public final class ServerAddress {

    private static final int MAX_PORT = 65_535;

    private ServerAddress() {}

    /** Whether the URI has a host, and a valid port if it has any. Connections to other URIs fail in various ways. */
    public static boolean isIn(URI uri) {
        return uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= MAX_PORT;
    }
}
