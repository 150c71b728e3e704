package dev.laurel.processors.delivery.email;

import java.net.URI;
import java.net.URLDecoder;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Where emails are handed over: what an {@code smtpUrl} says (admin-api.md B4). {@code smtp} turns to TLS where the server
 * offers it, {@code smtps} begins with it.
 *
 * @param user null: nobody signs in, and there is no password
 */
record SmtpSettings(String host, int port, boolean isTls, String user, String password) {

    private static final int SUBMISSION_PORT = 587;
    private static final int TLS_PORT = 465;

    /** @param url {@code smtps://user:password@host:port}; user and password percent-encoded where they have to be */
    static SmtpSettings of(String url) {
        URI uri = URI.create(url);
        boolean isTls = "smtps".equalsIgnoreCase(uri.getScheme());
        int port = uri.getPort() >= 0 ? uri.getPort() : isTls ? TLS_PORT : SUBMISSION_PORT;
        String[] who = uri.getRawUserInfo() == null ? new String[0] : uri.getRawUserInfo().split(":", 2);
        return who.length < 2
                ? new SmtpSettings(uri.getHost(), port, isTls, null, null)
                : new SmtpSettings(uri.getHost(), port, isTls, decoded(who[0]), decoded(who[1]));
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
