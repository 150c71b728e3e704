package dev.laurel.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A keep-alive HTTP/1.1 connection that sends prepared requests and reads responses, of which it keeps only the status. It supports
 * Content-Length and chunked bodies, but no redirects; trailers are skipped. Used by one thread. After an exception the connection must
 * be closed.
 */
final class HttpConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private static final int HEADERS_MAX = 100;
    private static final int CONNECT_TIMEOUT_MS = 5_000;

    private final Socket socket;
    private final InputStream input;
    private final OutputStream output;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final byte[] line = new byte[LINE_BYTES_MAX];
    private int position;
    private int limit;
    private boolean reusable = true;

    /** @param readTimeoutMs timeout of a read in {@link #exchange} */
    HttpConnection(InetSocketAddress address, int readTimeoutMs) throws IOException {
        socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(readTimeoutMs);
            socket.connect(address, CONNECT_TIMEOUT_MS);
            input = socket.getInputStream();
            output = socket.getOutputStream();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends the request, reads the whole response and returns its status. */
    int exchange(byte[] request) throws IOException {
        output.write(request);
        int status = statusOf(readLine());
        int headers = 0;
        long contentLength = -1;
        boolean chunked = false;
        for (String header = readLine(); !header.isEmpty(); header = readLine()) {
            if (++headers > HEADERS_MAX) {
                throw new IOException("More than " + HEADERS_MAX + " headers");
            }
            String lower = header.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                contentLength = Long.parseLong(valueOf(lower));
            } else if (lower.startsWith("transfer-encoding:")) {
                chunked = valueOf(lower).equals("chunked");
            } else if (lower.startsWith("connection:")) {
                reusable = !valueOf(lower).equals("close");
            }
        }
        if (chunked) {
            skipChunks();
        } else if (contentLength >= 0) {
            skip(contentLength);
        } else if (status != 204 && status != 304) {
            throw new IOException("An answer of unknown length, status " + status);
        }
        return status;
    }

    /** Returns whether the server keeps the connection open. */
    boolean reusable() {
        return reusable;
    }

    private static int statusOf(String statusLine) throws IOException {
        if (statusLine.length() < 12 || !statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("Not an HTTP/1.1 answer: " + statusLine);
        }
        return Integer.parseInt(statusLine, 9, 12, 10);
    }

    private static String valueOf(String header) {
        return header.substring(header.indexOf(':') + 1).trim();
    }

    private void skipChunks() throws IOException {
        long size;
        do {
            String head = readLine();
            int end = head.indexOf(';');
            size = Long.parseLong((end < 0 ? head : head.substring(0, end)).trim(), 16);
            if (size > 0) {
                skip(size);
                readLine();
            }
        } while (size > 0);
        while (!readLine().isEmpty()) {
            // skips a trailer
        }
    }

    private String readLine() throws IOException {
        int length = 0;
        while (true) {
            if (position == limit) {
                fill();
            }
            byte next = buffer[position++];
            if (next == '\n') {
                return new String(line, 0, length, StandardCharsets.ISO_8859_1);
            }
            if (length == LINE_BYTES_MAX) {
                throw new IOException("A header line beyond " + LINE_BYTES_MAX + " bytes");
            }
            if (next != '\r') {
                line[length++] = next;
            }
        }
    }

    private void skip(long bytes) throws IOException {
        long left = bytes;
        while (left > 0) {
            if (position == limit) {
                fill();
            }
            int step = (int) Math.min(left, limit - position);
            position += step;
            left -= step;
        }
    }

    private void fill() throws IOException {
        position = 0;
        limit = 0;
        int read = input.read(buffer);
        if (read < 0) {
            throw new EOFException("The server closed the connection");
        }
        limit = read;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
