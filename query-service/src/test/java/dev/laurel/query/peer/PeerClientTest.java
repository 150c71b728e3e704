package dev.laurel.query.peer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.access.PeerKey;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.http.HttpServer;
import dev.laurel.platform.http.HttpSettings;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import dev.laurel.platform.http.TestServer;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.query.http.NodeRoutes;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import dev.laurel.query.peer.PeerClient.PeerMeters;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls from one process to another, with and without certificates. */
class PeerClientTest {

    private static final String ADMIN_KEY = BootstrapKey.generate();
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final PeerClient.Call READY = new PeerClient.Call("/readyz", Map.of(), null);
    private static final PeerClient.Call UNKNOWN = new PeerClient.Call("/internal/none", Map.of(), new byte[0]);

    @TempDir
    Path dir;

    private final HeldCertificate authority =
            new HeldCertificate.Builder().certificateAuthority(0).build();
    private final Metrics metrics = new Metrics();
    private final List<AutoCloseable> started = new ArrayList<>();
    private final PeerMeters meters = new PeerMeters(metrics);

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable part : started) {
            part.close();
        }
    }

    private PeerClient client(SSLContext tls) {
        var client = new PeerClient(PeerKey.of(ADMIN_KEY), tls, PeerClient.DEFAULT_MAX_CALLS, meters, Tracing.NONE);
        started.add(client);
        return client;
    }

    private SSLContext trusting(HeldCertificate trusted) throws IOException {
        return OutboundHttp.trusting(
                Files.writeString(Files.createTempFile(dir, "ca", ".crt"), trusted.certificatePem()));
    }

    /** @return host:port */
    private String serve(boolean isReady, TlsFiles tls) {
        HttpServer server = TestServer.start(
                TestServer.at(new HttpSettings.Address("127.0.0.1", 0))
                        .withTls(tls)
                        .withPeerKey(PeerKey.of(ADMIN_KEY)),
                new BootstrapKey(ADMIN_KEY),
                List.of(new NodeRoutes(() -> isReady)));
        started.add(server);
        return "127.0.0.1:" + server.port();
    }

    private TlsFiles certificateOf(String name) throws IOException {
        HeldCertificate certificate = new HeldCertificate.Builder()
                .addSubjectAlternativeName(name)
                .signedBy(authority)
                .build();
        return new TlsFiles(
                Files.writeString(dir.resolve(name + ".crt"), certificate.certificatePem()),
                Files.writeString(dir.resolve(name + ".key"), certificate.privateKeyPkcs8Pem()));
    }

    private long counted(String outcome) throws IOException {
        var text = new ByteArrayOutputStream();
        metrics.scrape(text);
        return text.toString(UTF_8)
                .lines()
                .filter(line -> line.startsWith("laurel_peer_calls_total{outcome=\"" + outcome + "\"}"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void shouldCallAPeerWithACertificateOfTheTrustedAuthority() throws Exception {
        String peer = serve(true, certificateOf("127.0.0.1"));

        var answer = client(trusting(authority)).call(peer, READY, TIMEOUT);

        assertEquals(200, answer.statusCode());
        assertEquals(1, counted("answered"));
    }

    @Test
    void shouldNotCallAPeerWithAnUntrustedCertificate() throws Exception {
        String peer = serve(true, certificateOf("127.0.0.1"));
        PeerClient other = client(
                trusting(new HeldCertificate.Builder().certificateAuthority(0).build()));
        PeerClient trustingDefaults = client(SSLContext.getDefault());

        assertThrows(PeerAwayException.class, () -> other.call(peer, READY, TIMEOUT));
        assertThrows(PeerAwayException.class, () -> trustingDefaults.call(peer, READY, TIMEOUT));
    }

    @Test
    void shouldNotCallAPeerWithTheCertificateOfAnotherName() throws Exception {
        String peer = serve(true, certificateOf("node-1.example.com"));
        PeerClient client = client(trusting(authority));

        assertThrows(PeerAwayException.class, () -> client.call(peer, READY, TIMEOUT));
    }

    @Test
    void shouldUseTlsForAllPeersOrForNone() throws Exception {
        String secured = serve(true, certificateOf("127.0.0.1"));
        String plain = serve(true, null);
        PeerClient open = client(null);
        PeerClient closed = client(trusting(authority));

        assertEquals(200, open.call(plain, READY, TIMEOUT).statusCode());
        assertThrows(PeerAwayException.class, () -> open.call(secured, READY, TIMEOUT));
        assertThrows(PeerAwayException.class, () -> closed.call(plain, READY, TIMEOUT));
    }

    @Test
    void shouldCountCallsByOutcome() throws Exception {
        PeerClient client = client(null);
        String there = serve(true, null);
        String notReady = serve(false, null);
        String nowhere = "127.0.0.1:" + TestServer.unusedPort();
        var stranger = new PeerClient(
                PeerKey.of(BootstrapKey.generate()), null, PeerClient.DEFAULT_MAX_CALLS, meters, Tracing.NONE);
        started.add(stranger);

        assertEquals(404, client.call(there, UNKNOWN, TIMEOUT).statusCode());
        assertThrows(PeerAwayException.class, () -> client.call(notReady, READY, TIMEOUT));
        assertThrows(PeerAwayException.class, () -> client.call(nowhere, READY, TIMEOUT));
        assertThrows(PeerAwayException.class, () -> client.call(nowhere, READY, TIMEOUT));
        assertThrows(PeerAwayException.class, () -> stranger.call(there, UNKNOWN, TIMEOUT));

        for (String outcome : List.of("answered", "not_ready", "away", "not_made", "refused")) {
            assertEquals(1, counted(outcome), outcome);
        }
        var text = new ByteArrayOutputStream();
        metrics.scrape(text);
        assertTrue(
                text.toString(UTF_8).contains("laurel_peer_call_duration_seconds_count 4\n"),
                () -> "calls that were not made have no duration: " + text);
    }
}
