package dev.laurel.schemas.ruleset;

import java.net.URI;

/** Whether an address names a server that can be connected to. Pure. */
public final class ServerAddress {

    private static final int MAX_PORT = 65_535;

    private ServerAddress() {}

    /** That it has a host, and no port or one that exists: connections to others fail in ways of their own. */
    public static boolean isIn(URI uri) {
        return uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= MAX_PORT;
    }
}
