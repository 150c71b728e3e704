package dev.laurel.processors.delivery.guard;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Sockets that connect to allowed addresses only. What is looked at is the very address that is connected to: however a name
 * was written, and whatever it was resolved to a moment ago, does not matter.
 */
public final class GuardedSockets extends SocketFactory {

    private final AddressGuard guard;

    public GuardedSockets(AddressGuard guard) {
        this.guard = guard;
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void connect(SocketAddress to, int timeoutMs) throws IOException {
                if (!(to instanceof InetSocketAddress address) || address.isUnresolved()) {
                    throw new IOException("not an address: " + to);
                }
                guard.expectAllowed(address.getAddress());
                super.connect(to, timeoutMs);
            }
        };
    }

    // Those that connect at once are not needed.

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }
}
