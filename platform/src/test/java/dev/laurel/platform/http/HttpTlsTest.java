package dev.laurel.platform.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.platform.access.BootstrapKey;
import dev.laurel.platform.client.OutboundHttp;
import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings.RequestTimeouts;
import dev.laurel.platform.http.HttpSettings.TlsFiles;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class HttpTlsTest {

    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);
    private static final HeldCertificate AUTHORITY =
            new HeldCertificate.Builder().certificateAuthority(0).build();

    @TempDir
    Path dir;

    private Path certificate;
    private Path key;
    private Path authority;
    private RequestTimeouts timeouts = RequestTimeouts.DEFAULT;

    @AutoClose
    private HttpServer server;

    @BeforeEach
    void writeFiles() throws IOException {
        certificate = dir.resolve("tls.crt");
        key = dir.resolve("tls.key");
        authority = Files.writeString(dir.resolve("ca.crt"), AUTHORITY.certificatePem());
    }

    @Test
    void shouldServeTlsToClientsThatTrustTheAuthority() throws Exception {
        serve(issue("first"));

        HttpResponse<String> response = get(client("TLSv1.3", "TLSv1.2"));

        assertEquals(404, response.statusCode());
        assertEquals(
                "max-age=31536000",
                response.headers().firstValue("Strict-Transport-Security").orElseThrow());
        assertTrue(response.headers().firstValue("Server").isEmpty());
    }

    @Test
    void shouldNotSendStrictTransportSecurityWithoutTls() throws Exception {
        server = TestServer.start(TestServer.at(address()), new BootstrapKey(BootstrapKey.generate()), List.of());

        HttpResponse<String> response = send(HttpClient.newHttpClient(), "http");

        assertTrue(response.headers().firstValue("Strict-Transport-Security").isEmpty());
    }

    @Test
    void shouldReadRsaKeysInTheFormOfOpenssl() throws Exception {
        HeldCertificate rsa = new HeldCertificate.Builder()
                .rsa2048()
                .addSubjectAlternativeName("localhost")
                .signedBy(AUTHORITY)
                .build();
        Files.writeString(certificate, rsa.certificatePem());
        Files.writeString(key, rsa.privateKeyPkcs1Pem());
        start();

        assertEquals(404, get(client("TLSv1.2")).statusCode());
    }

    @Test
    void shouldFailHandshakeWithClientsThatDoNotTrustTheAuthority() throws Exception {
        serve(issue("first"));

        assertThrows(SSLHandshakeException.class, () -> get(HttpClient.newHttpClient()));
    }

    @Test
    void shouldRefuseOldProtocols() throws Exception {
        serve(issue("first"));

        assertThrows(IOException.class, () -> get(client("TLSv1.1")));
    }

    @Test
    void shouldUseNewCertificateOnceBothFilesAreReplaced() throws Exception {
        HeldCertificate second = issue("second");
        serve(issue("first"));
        assertEquals("CN=first", nameOfServer());

        Files.writeString(certificate, second.certificatePem());
        for (int i = 0; i < 5; i++) { // takes as long as several checks of the files
            assertEquals("CN=first", nameOfServer());
        }
        Files.writeString(key, second.privateKeyPkcs8Pem());

        awaitNameOfServer("CN=second");
    }

    @Test
    void shouldFinishAHandshakeWithTheCertificateItBeganWith() throws Exception {
        HeldCertificate second = issue("second");
        serve(issue("first"));

        try (var socket = new Socket("127.0.0.1", server.port())) {
            assertEquals("CN=first", nameOfServer()); // by now, the server has accepted the first connection, too
            Files.writeString(certificate, second.certificatePem());
            Files.writeString(key, second.privateKeyPkcs8Pem());
            awaitNameOfServer("CN=second");
            try (var tls = (SSLSocket) OutboundHttp.trusting(authority)
                    .getSocketFactory()
                    .createSocket(socket, "localhost", server.port(), true)) {
                tls.startHandshake();

                assertEquals("CN=first", nameIn(tls.getSession()));
            }
        }
    }

    @Test
    void shouldNameTheFileThatCannotBeUsed() throws Exception {
        HeldCertificate first = issue("first");
        HeldCertificate second = issue("second");
        Files.writeString(certificate, first.certificatePem());

        assertTrue(refusal().contains(key.toString()));
        Files.writeString(key, "no key");
        assertTrue(refusal().contains(key.toString()));
        Files.writeString(key, second.privateKeyPkcs8Pem());
        assertTrue(refusal().contains("does not belong to the certificate"));
        Files.writeString(key, first.privateKeyPkcs8Pem());
        Files.writeString(certificate, "no certificate");
        assertTrue(refusal().contains(certificate.toString()));
        assertThrows(IllegalArgumentException.class, () -> OutboundHttp.trusting(certificate));
        assertThrows(IllegalArgumentException.class, () -> OutboundHttp.trusting(dir.resolve("none")));
    }

    @Test
    void shouldCloseConnectionsThatDoNotFinishTheHandshakeInTime() throws Exception {
        timeouts = new RequestTimeouts(Duration.ofMillis(400), Duration.ofSeconds(20), CHECK_INTERVAL);
        serve(issue("first"));

        try (var slow = new Socket("localhost", server.port())) {
            slow.setSoTimeout(10_000);
            slow.getOutputStream().write(0x16);

            byte[] sent = slow.getInputStream().readAllBytes(); // until the server closes the connection
            assertTrue(sent.length < 100, "at most an alert");
        }
    }

    private void serve(HeldCertificate held) throws IOException {
        Files.writeString(certificate, held.certificatePem());
        Files.writeString(key, held.privateKeyPkcs8Pem());
        start();
    }

    private void start() {
        server = TestServer.start(
                TestServer.at(address())
                        .withTls(new TlsFiles(certificate, key, CHECK_INTERVAL))
                        .withTimeouts(timeouts),
                new BootstrapKey(BootstrapKey.generate()),
                List.of());
    }

    private String refusal() {
        String refusal = assertThrows(CommandFailed.class, this::start).getMessage();
        assertFalse(refusal.contains("PRIVATE KEY-"), refusal);
        return refusal;
    }

    private String nameOfServer() throws Exception {
        return nameIn(get(client("TLSv1.3")).sslSession().orElseThrow());
    }

    private void awaitNameOfServer(String name) throws Exception {
        String current;
        do {
            current = nameOfServer();
        } while (!current.equals(name));
    }

    private static String nameIn(SSLSession session) throws SSLPeerUnverifiedException {
        return ((X509Certificate) session.getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    private static HttpSettings.Address address() {
        return new HttpSettings.Address("127.0.0.1", 0);
    }

    private HttpClient client(String... protocols) {
        var parameters = new SSLParameters();
        parameters.setProtocols(protocols);
        return HttpClient.newBuilder()
                .sslContext(OutboundHttp.trusting(authority))
                .sslParameters(parameters)
                .build();
    }

    private HttpResponse<String> get(HttpClient client) throws Exception {
        return send(client, "https");
    }

    private HttpResponse<String> send(HttpClient client, String scheme) throws Exception {
        try (client) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(scheme + "://localhost:" + server.port() + "/v1/schemas/none"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private static HeldCertificate issue(String name) {
        return new HeldCertificate.Builder()
                .commonName(name)
                .addSubjectAlternativeName("localhost")
                .signedBy(AUTHORITY)
                .build();
    }
}
