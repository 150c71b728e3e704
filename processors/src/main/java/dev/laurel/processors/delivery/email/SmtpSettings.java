package dev.laurel.processors.delivery.email;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.ruleset.ServerAddress;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Where emails are handed over: what an {@code smtpUrl} says (admin-api.md B4). {@code smtp} turns to TLS where the server
 * offers it, and has to where a password is sent over the network; {@code smtps} begins with it.
 *
 * @param user null: nobody signs in, and there is no password
 */
record SmtpSettings(String host, int port, boolean isTls, String user, String password) {

    private static final int SUBMISSION_PORT = 587;
    private static final int TLS_PORT = 465;

    /**
     * @param url {@code smtps://user:password@host:port}; user and password percent-encoded where they have to be
     * @throws BadInputException if it is none that can be connected to; settings of earlier versions were checked less
     */
    static SmtpSettings of(String url) throws BadInputException {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException _) {
            throw unusable(); // whose message has the password in it
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

    /** Whether what is said there stays on this machine. By how it is written: names are not looked up. */
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

    /** A plus is itself here. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
    }

    /** Without the password: this may end up in a log. */
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
