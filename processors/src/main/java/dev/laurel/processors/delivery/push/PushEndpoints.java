package dev.laurel.processors.delivery.push;

import java.net.InetSocketAddress;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;

/**
 * Where the services are that carry push messages.
 *
 * @param googleTokens where a service account gets its access tokens; also their audience
 * @param fcm scheme and host of FCM's HTTP v1 API
 * @param apns host and port, not resolved
 * @param expo scheme and host
 * @param trusted who vouches for all of them; null: whom the JDK trusts
 * @param timeout of each request
 */
public record PushEndpoints(URI googleTokens, URI fcm, InetSocketAddress apns, URI expo, X509Certificate trusted,
        Duration timeout) {

    /** The real ones. */
    public static final PushEndpoints REAL = new PushEndpoints(URI.create("https://oauth2.googleapis.com/token"),
            URI.create("https://fcm.googleapis.com"), InetSocketAddress.createUnresolved("api.push.apple.com", 443),
            URI.create("https://exp.host"), null, Duration.ofSeconds(30));
}
