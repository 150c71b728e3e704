package dev.laurel.processors.delivery.guard;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Which addresses webhooks and mail servers of tenants may be at: those of the public internet, so that none becomes a way into the network
 * that Laurel runs in. After the registries of special-purpose addresses of IANA (RFC 6890).
 */
public final class AddressGuard {

    /** The address is not one that is connected to. */
    public static final class Refused extends IOException {

        private static final long serialVersionUID = 1L;

        Refused(InetAddress address) {
            super("the address " + address.getHostAddress()
                    + " is not public: that is allowed with --allow-private-webhooks only");
        }
    }

    private static final List<Block> BLOCKS = List.of(
            // This network, private use, shared between carriers and customers, loopback, link-local (and cloud metadata).
            block("0.0.0.0", 8), block("10.0.0.0", 8), block("100.64.0.0", 10), block("127.0.0.0", 8),
            block("169.254.0.0", 16), block("172.16.0.0", 12), block("192.168.0.0", 16),
            // Protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast.
            block("192.0.0.0", 24), block("192.0.2.0", 24), block("192.88.99.0", 24), block("198.18.0.0", 15),
            block("198.51.100.0", 24), block("203.0.113.0", 24), block("224.0.0.0", 4), block("240.0.0.0", 4),
            // Metadata of a cloud behind an address that looks public.
            block("168.63.129.16", 32),
            // Unspecified, loopback and addresses of version 4 as version 6 writes them; discard; local translation.
            block("::", 96), block("::ffff:0:0:0", 96), block("100::", 64), block("64:ff9b:1::", 48),
            // Protocol assignments with Teredo, documentation, unique local, link-local, once site-local, multicast.
            block("2001::", 23), block("2001:db8::", 32), block("3fff::", 20), block("5f00::", 16),
            block("fc00::", 7), block("fe80::", 10), block("fec0::", 10), block("ff00::", 8));

    /** Addresses of version 6 that stand for one of version 4, and where that is in them. */
    private static final List<Carrier> CARRIERS = List.of(new Carrier(block("64:ff9b::", 96), 12),
            new Carrier(block("2002::", 16), 2));

    private final boolean allowsPrivate;

    private record Block(byte[] first, int bits) {

        boolean contains(byte[] address) {
            if (address.length != first.length) {
                return false;
            }
            int whole = bits / 8;
            if (!Arrays.equals(address, 0, whole, first, 0, whole)) {
                return false;
            }
            int rest = bits % 8;
            return rest == 0 || ((address[whole] ^ first[whole]) & 0xFF) >>> 8 - rest == 0;
        }
    }

    private record Carrier(Block block, int at) {}

    /** @param allowsPrivate whether all addresses are allowed */
    public AddressGuard(boolean allowsPrivate) {
        this.allowsPrivate = allowsPrivate;
    }

    /** @throws Refused if nothing may be there */
    public void expectAllowed(InetAddress address) throws Refused {
        if (!allowsPrivate && !isPublic(address)) {
            throw new Refused(address);
        }
    }

    static boolean isPublic(InetAddress address) {
        return switch (address) {
            case Inet4Address _ -> isInNone(address.getAddress());
            case Inet6Address _ -> isInNone(address.getAddress()) && isCarriedPublic(address.getAddress());
            default -> false;
        };
    }

    private static boolean isInNone(byte[] address) {
        return BLOCKS.stream().noneMatch(block -> block.contains(address));
    }

    private static boolean isCarriedPublic(byte[] address) {
        return CARRIERS.stream().filter(carrier -> carrier.block().contains(address))
                .allMatch(carrier -> isInNone(Arrays.copyOfRange(address, carrier.at(), carrier.at() + 4)));
    }

    /** @param first an address in digits: nothing is resolved */
    private static Block block(String first, int bits) {
        try {
            return new Block(InetAddress.getByName(first).getAddress(), bits);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(first + " is an address", e);
        }
    }
}
