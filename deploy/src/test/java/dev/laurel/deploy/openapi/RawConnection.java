package dev.laurel.deploy.openapi;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * An HTTP/1.1 connection that is kept open as long as the server keeps it. It sends requests byte for byte,
 * including those that no client library would send. Used by one thread.
 */
public final class RawConnection implements AutoCloseable {

    private static final int TIMEOUT_MS = 60_000;
    private static final int LINE_MAX = 64 * 1024;

    private final InetSocketAddress address;
    private Socket socket;
    private InputStream in;

    public RawConnection(InetSocketAddress address) {
        this.address = address;
    }

    /** A request with its target and headers as sent. */
    public record Request(String method, String target, List<String> headers, byte[] body) {

        private byte[] bytes() {
            var out = new ByteArrayOutputStream();
            out.writeBytes((method + " " + target + " HTTP/1.1\r\nHost: laurel.test\r\n").getBytes(ISO_8859_1));
            headers.forEach(header -> out.writeBytes((header + "\r\n").getBytes(ISO_8859_1)));
            if (body != null) {
                out.writeBytes(("Content-Length: " + body.length + "\r\n").getBytes(ISO_8859_1));
            }
            out.writeBytes(new byte[] {'\r', '\n'});
            if (body != null) {
                out.writeBytes(body);
            }
            return out.toByteArray();
        }

        @Override
        public String toString() {
            String text = body == null ? "no body" : new String(body, ISO_8859_1);
            return method + " " + target + " " + headers + " "
                    + (text.length() > 1000 ? text.substring(0, 1000) + "… (" + text.length() + " bytes)" : text);
        }
    }

    /** @throws IOException if there is no response, or an invalid one */
    public ResponseCheck.Answer send(Request request) throws IOException {
        boolean isOld = socket != null;
        try {
            return exchange(request);
        } catch (IOException e) {
            close();
            if (!isOld) {
                throw e;
            }
            return exchange(request); // the server may have closed the connection meanwhile
        }
    }

    private ResponseCheck.Answer exchange(Request request) throws IOException {
        if (socket == null) {
            socket = new Socket();
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(address, TIMEOUT_MS);
            in = new BufferedInputStream(socket.getInputStream());
        }
        socket.getOutputStream().write(request.bytes());
        String status = line();
        if (!status.matches("HTTP/1\\.1 \\d{3}( .*)?")) {
            throw new IOException("no HTTP: " + status);
        }
        var headers = new ArrayList<String[]>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            headers.add(line.split(": ?", 2));
        }
        var answer = new ResponseCheck.Answer(
                request.method,
                request.target,
                Integer.parseInt(status.substring(9, 12)),
                name -> values(headers, name),
                body(request, headers));
        if (values(headers, "Connection").contains("close")) {
            close();
        }
        return answer;
    }

    private byte[] body(Request request, List<String[]> headers) throws IOException {
        if (request.method.equals("HEAD")) {
            return new byte[0];
        }
        List<String> length = values(headers, "Content-Length");
        if (!length.isEmpty()) {
            return exactly(Integer.parseInt(length.getFirst()));
        }
        if (!values(headers, "Transfer-Encoding").equals(List.of("chunked"))) {
            byte[] rest = in.readAllBytes();
            close();
            return rest;
        }
        var body = new ByteArrayOutputStream();
        for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
            body.writeBytes(exactly(size));
            line();
        }
        line();
        return body.toByteArray();
    }

    private byte[] exactly(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw new EOFException("the answer ends after " + bytes.length + " of " + size + " bytes");
        }
        return bytes;
    }

    private static List<String> values(List<String[]> headers, String name) {
        return headers.stream()
                .filter(header -> header[0].equalsIgnoreCase(name))
                .map(header -> header[1])
                .toList();
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection was closed");
            }
            if (line.length() > LINE_MAX) {
                throw new IOException("a line of the answer has no end");
            }
            line.append((char) next);
        }
        return line.isEmpty() ? "" : line.substring(0, line.length() - 1);
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
