package dev.laurel.schemas.http;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What a server shows to clients that speak TLS. The files may be replaced while it runs, in any order.
 *
 * @param certificate PEM: the server's own first, then those between it and the authority
 * @param key PEM: the private key of the first certificate, without a password
 * @param look how often is looked whether they have changed
 */
public record TlsFiles(Path certificate, Path key, Duration look) {

    /** Looked at every ten seconds. */
    public TlsFiles(Path certificate, Path key) {
        this(certificate, key, Duration.ofSeconds(10));
    }
}
