package dev.laurel.deploy.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection between clients and a server on this machine that can be cut. As with a real network, nobody is
 * notified: data stays in transit in both directions, new connections stay silent, and everything arrives late after
 * the line is healed.
 */
final class CuttableProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 64 * 1024;

    private final ServerSocket entry;
    private final int server;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean isCut;

    /** @param server port of the server */
    CuttableProxy(int server) throws IOException {
        this.server = server;
        this.entry = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("line-to-" + server).start(this::accept);
    }

    /** Returns the port for clients. */
    int port() {
        return entry.getLocalPort();
    }

    synchronized void cut() {
        isCut = true;
    }

    synchronized void heal() {
        isCut = false;
        notifyAll();
    }

    private synchronized void awaitWhole() throws InterruptedException {
        while (isCut) {
            wait();
        }
    }

    private void accept() {
        while (!entry.isClosed()) {
            try {
                Socket client = entry.accept();
                sockets.add(client);
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException e) {
                if (!entry.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitWhole();
            var there = new Socket(InetAddress.getLoopbackAddress(), server);
            sockets.add(there);
            Thread.ofVirtual().start(() -> carry(client, there));
            carry(there, client);
        } catch (IOException _) {
            end(client); // The server has closed the connection.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void carry(Socket from, Socket to) {
        try {
            from.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                awaitWhole();
                out.write(buffer, 0, read);
            }
            awaitWhole(); // The end of a connection does not pass either.
        } catch (IOException _) {
            // One side has closed the connection; the other one is closed below.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            end(from);
            end(to);
        }
    }

    private void end(Socket socket) {
        sockets.remove(socket);
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        entry.close();
        heal();
        sockets.forEach(this::end);
    }
}
