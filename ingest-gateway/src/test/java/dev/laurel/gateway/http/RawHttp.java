package dev.laurel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Sends HTTP/1.1 over plain sockets, one per request, so that a test can also send malformed requests. */
final class RawHttp {

    static final String KEY = "testkey1.0123456789abcdef";
    private static final int TIMEOUT_MS = 10_000;

    /** @param headers by lower-case name */
    record Response(int status, Map<String, String> headers, String body) {

        String contentType() {
            return headers.get("content-type");
        }

        Response expect(int expected) {
            assertEquals(expected, status, body);
            return this;
        }

        Response expect(int expected, String expectedBody) {
            expect(expected);
            assertEquals(expectedBody, body);
            return this;
        }
    }

    private final int port;

    RawHttp(int port) {
        this.port = port;
    }

    Response post(String path, String body) {
        return send("POST", path, body);
    }

    /** Sends the key and a JSON content type. */
    Response send(String method, String path, String body) {
        return send(method, path, body, "X-API-KEY: " + KEY, "Content-Type: application/json");
    }

    /** Sends only these headers, besides Host and Content-Length. */
    Response send(String method, String path, String body, String... headers) {
        byte[] bytes = body.getBytes(UTF_8);
        var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        return exchange((head + "Content-Length: " + bytes.length + "\r\n\r\n").getBytes(UTF_8), bytes);
    }

    /** Sends these bytes. */
    Response exchange(byte[]... parts) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MS);
            for (byte[] part : parts) {
                try {
                    socket.getOutputStream().write(part);
                } catch (IOException _) {
                    break; // the server has answered and reads no more
                }
            }
            return parse(socket);
        } catch (IOException e) {
            throw new AssertionError("no response", e);
        }
    }

    private static Response parse(Socket socket) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(bytes);
        } catch (IOException e) {
            if (bytes.size() == 0) {
                throw e;
            }
        }
        String text = bytes.toString(UTF_8);
        int end = text.indexOf("\r\n\r\n");
        if (end < 0) {
            throw new AssertionError("not an HTTP response: " + text);
        }
        String[] head = text.substring(0, end).split("\r\n");
        var headers = new HashMap<String, String>();
        for (int i = 1; i < head.length; i++) {
            int colon = head[i].indexOf(':');
            headers.put(
                    head[i].substring(0, colon).toLowerCase(Locale.ROOT),
                    head[i].substring(colon + 1).trim());
        }
        return new Response(Integer.parseInt(head[0].split(" ")[1]), headers, text.substring(end + 4));
    }
}
