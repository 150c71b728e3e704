package dev.laurel.delivery.email;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.ruleset.ServerAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import org.jspecify.annotations.Nullable;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The mail server of an {@code smtpUrl} (docs/admin-api.md B4). {@code smtp} upgrades to TLS if the server offers it, and
 * requires that if a password is sent over the network; {@code smtps} begins with TLS.
 *
 * @param user null, as is the password, for a server without authentication
 */
record SmtpSettings(String host, int port, boolean isTls, @Nullable String user, @Nullable String password) {

    private static final int SUBMISSION_PORT = 587;
    private static final int TLS_PORT = 465;

    /**
     * @param url {@code smtps://user:password@host:port}; user and password percent-encoded
     * @throws BadInputException if it is not an address of a mail server; earlier versions checked settings less strictly
     */
    static SmtpSettings of(String url) throws BadInputException {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException _) {
            throw unusable(); // not the cause, whose message contains the password
        }
        if (!ServerAddress.isIn(uri)) {
            throw unusable();
        }
        boolean isTls = "smtps".equalsIgnoreCase(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : isTls ? TLS_PORT : SUBMISSION_PORT;
        String[] who = uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
        return who.length < 2
                ? new SmtpSettings(uri.getHost(), port, isTls, null, null)
                : new SmtpSettings(uri.getHost(), port, isTls, decoded(who[0]), decoded(who[1]));
    }

    private static BadInputException unusable() {
        return BadInputException.invalid("email.smtpUrl", "must be an address of a mail server");
    }

    /** Whether the server is on this machine, judged by the text of the host: names are not resolved. */
    boolean isLoopback() {
        if ("localhost".equalsIgnoreCase(host)) {
            return true;
        }
        try {
            return InetAddress.ofLiteral(host.replaceAll("[\\[\\]]", "")).isLoopbackAddress();
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /** Decodes a percent-encoded text, in which a plus is a plus. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }

    /** Without the password: this may end up in a log. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
