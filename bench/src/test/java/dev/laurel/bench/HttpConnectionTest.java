package dev.laurel.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
final class HttpConnectionTest {
    private static final int READ_TIMEOUT_MS = 5_000;
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    @Test
    void shouldReadTwoAnswersOfKnownLengthOverOneConnection() throws Exception {
        String answers = "HTTP/1.1 201 Created\r\ncontent-length: 5\r\n\r\nhello"
                + "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

        withServer(answers, connection -> {
            assertEquals(201, connection.exchange(REQUEST));
            assertEquals(404, connection.exchange(REQUEST));
            assertTrue(connection.reusable());
        });
    }

    @Test
    void shouldSkipChunksWithExtensionsAndTrailers() throws Exception {
        String answers = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "A;name=value\r\n0123456789\r\n1\r\nx\r\n0\r\nDigest: none\r\n\r\n"
                + "HTTP/1.1 204 No Content\r\n\r\n";

        withServer(answers, connection -> {
            assertEquals(200, connection.exchange(REQUEST));
            assertEquals(204, connection.exchange(REQUEST));
        });
    }

    @Test
    void shouldReadABodyLargerThanItsBuffer() throws Exception {
        String answers = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(100_000)
                + "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno";

        withServer(answers, connection -> {
            assertEquals(200, connection.exchange(REQUEST));
            assertEquals(503, connection.exchange(REQUEST));
        });
    }

    @Test
    void shouldNoticeThatTheServerClosesTheConnection() throws Exception {
        withServer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", connection -> {
            connection.exchange(REQUEST);
            assertFalse(connection.reusable());
        });
    }

    @Test
    void shouldRefuseWhatIsNotHttp() throws Exception {
        withServer(
                "SSH-2.0-OpenSSH_9\r\n",
                connection -> assertThrows(IOException.class, () -> connection.exchange(REQUEST)));
    }

    @Test
    void shouldFailOnAnAnswerCutShort() throws Exception {
        withServer(
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n123",
                connection -> assertThrows(EOFException.class, () -> connection.exchange(REQUEST)));
    }

    private interface Check {
        void on(HttpConnection connection) throws IOException;
    }

    /**
     * Writes the responses at once, then reads requests until the client closes the connection, or closes it after
     * them.
     */
    private static void withServer(String answers, Check check) throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var served = CompletableFuture.runAsync(() -> {
                try (Socket client = server.accept()) {
                    client.getOutputStream().write(answers.getBytes(StandardCharsets.US_ASCII));
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
            try (var connection = new HttpConnection(address, READ_TIMEOUT_MS)) {
                check.on(connection);
            }
            served.get();
        }
    }
}
