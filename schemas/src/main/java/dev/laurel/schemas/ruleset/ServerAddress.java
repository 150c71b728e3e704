package dev.laurel.schemas.ruleset;

import static java.util.Locale.ROOT;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;

/** Checks whether a URI names a server. Pure. */
public final class ServerAddress {

    private static final int MAX_PORT = 65_535;

    private ServerAddress() {}

    /** Whether a text is the URL of a server with this scheme, or with that over TLS, whose name ends with an s. */
    public static boolean isUrl(String text, String scheme) {
        try {
            var uri = new URI(text);
            return isIn(uri)
                    && List.of(scheme, scheme + "s")
                            .contains(String.valueOf(uri.getScheme()).toLowerCase(ROOT));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /** Whether the URI has a host, and a valid port if it has any. Connections to other URIs fail in various ways. */
    public static boolean isIn(URI uri) {
        return uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= MAX_PORT;
    }
}
