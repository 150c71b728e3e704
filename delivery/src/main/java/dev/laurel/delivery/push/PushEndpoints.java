package dev.laurel.delivery.push;

import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the push services.
 *
 * @param googleTokens issues access tokens to service accounts; also their audience
 * @param fcm scheme and host of FCM's HTTP v1 API
 * @param apns host and port, not resolved
 * @param expo scheme and host
 * @param trusted certificate of all services; null: the JDK's trust store
 * @param timeout of a request
 */
record PushEndpoints(URI googleTokens, URI fcm, InetSocketAddress apns, URI expo,
        @Nullable X509Certificate trusted, Duration timeout) {

    /** The real services. */
    static final PushEndpoints REAL = new PushEndpoints(URI.create("https://oauth2.googleapis.com/token"),
            URI.create("https://fcm.googleapis.com"), InetSocketAddress.createUnresolved("api.push.apple.com", 443),
            URI.create("https://exp.host"), null, Duration.ofSeconds(30));
}
