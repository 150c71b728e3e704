package dev.laurel.delivery.guard;

import java.io.IOException;
import java.math.BigInteger;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import javax.net.SocketFactory;

/**
 * Allows webhooks and mail servers of tenants only at public addresses, so that they give no access to the network in which Laurel
 * runs. Follows the registries of special-purpose addresses of IANA (RFC 6890).
 *
 * @param allowsPrivate whether all addresses are allowed
 */
public record AddressGuard(boolean allowsPrivate) {

    /** Thrown when an address is not allowed. */
    public static final class Refused extends IOException {

        Refused(InetAddress address) {
            super("the address " + address.getHostAddress()
                    + " is not public: that is allowed with --allow-private-webhooks only");
        }
    }

    private static final List<Block> BLOCKS = List.of(
            // This network, private use, shared between carriers and customers, loopback, link-local (and cloud
            // metadata).
            block("0.0.0.0", 8),
            block("10.0.0.0", 8),
            block("100.64.0.0", 10),
            block("127.0.0.0", 8),
            block("169.254.0.0", 16),
            block("172.16.0.0", 12),
            block("192.168.0.0", 16),
            // Protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
            block("192.0.0.0", 24),
            block("192.0.2.0", 24),
            block("192.88.99.0", 24),
            block("198.18.0.0", 15),
            block("198.51.100.0", 24),
            block("203.0.113.0", 24),
            block("224.0.0.0", 4),
            block("240.0.0.0", 4),
            // Metadata of a cloud behind an address that looks public.
            block("168.63.129.16", 32),
            // Unspecified, loopback and addresses of version 4 as version 6 writes them; discard; local translation.
            block("::", 96),
            block("::ffff:0:0:0", 96),
            block("100::", 64),
            block("64:ff9b:1::", 48),
            // Protocol assignments with Teredo, documentation, unique local, link-local, once site-local, multicast.
            block("2001::", 23),
            block("2001:db8::", 32),
            block("3fff::", 20),
            block("5f00::", 16),
            block("fc00::", 7),
            block("fe80::", 10),
            block("fec0::", 10),
            block("ff00::", 8));

    /** IPv6 addresses that embed an IPv4 address, and its position. */
    private static final List<Embedding> EMBEDDINGS =
            List.of(new Embedding(block("64:ff9b::", 96), 12), new Embedding(block("2002::", 16), 2));

    private record Block(byte[] first, int bits) {

        boolean contains(byte[] address) {
            return address.length == first.length && prefixOf(address).equals(prefixOf(first));
        }

        private BigInteger prefixOf(byte[] address) {
            return new BigInteger(1, address).shiftRight(first.length * Byte.SIZE - bits);
        }
    }

    private record Embedding(Block block, int at) {}

    /** @throws Refused if the address is not allowed */
    void expectAllowed(InetAddress address) throws Refused {
        if (!allowsPrivate && !isPublic(address)) {
            throw new Refused(address);
        }
    }

    static boolean isPublic(InetAddress address) {
        return switch (address) {
            case Inet4Address _ -> isInNone(address.getAddress());
            case Inet6Address _ -> isInNone(address.getAddress()) && isEmbeddedPublic(address.getAddress());
            default -> false;
        };
    }

    private static boolean isInNone(byte[] address) {
        return BLOCKS.stream().noneMatch(block -> block.contains(address));
    }

    private static boolean isEmbeddedPublic(byte[] address) {
        return EMBEDDINGS.stream()
                .filter(embedding -> embedding.block().contains(address))
                .allMatch(embedding -> isInNone(Arrays.copyOfRange(address, embedding.at(), embedding.at() + 4)));
    }

    /** @param first a numeric address: nothing is resolved */
    private static Block block(String first, int bits) {
        try {
            return new Block(InetAddress.getByName(first).getAddress(), bits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(first + " is an address", e);
        }
    }

    /**
     * Creates sockets that connect only to allowed addresses. They check the address to which they connect, so it does not matter how
     * a name is written, or to which address it was resolved before.
     */
    public static final class Sockets extends SocketFactory {

        private final AddressGuard guard;

        public Sockets(AddressGuard guard) {
            this.guard = guard;
        }

        @Override
        public Socket createSocket() {
            return new Socket() {
                @Override
                public void connect(SocketAddress to, int timeoutMs) throws IOException {
                    if (!(to instanceof InetSocketAddress address) || address.isUnresolved()) {
                        throw new IOException("not a resolved address: " + to);
                    }
                    guard.expectAllowed(address.getAddress());
                    super.connect(to, timeoutMs);
                }
            };
        }

        // Sockets that connect when they are created are not needed.

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
}
