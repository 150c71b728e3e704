package dev.laurel.deploy.roles;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where an instance says that it is, by the host and the port that it listens at. */
public final class OwnUrl {

    private OwnUrl() {}

    /** Addresses of version 6 have brackets in an URL. */
    public static String of(String host, int port, boolean isTls) {
        boolean isBare = host.indexOf(':') >= 0 && !host.startsWith("[");
        return (isTls ? "https://" : "http://") + (isBare ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * The same where others can use it: empty if the port is not known before the start (0), or the host stands for all addresses
     * of this machine and so is none of them.
     */
    public static String toShare(String host, int port, boolean isTls) {
        return port == 0 || isWildcard(host) ? "" : of(host, port, isTls);
    }

    /** Whether the host stands for all addresses of this machine. */
    static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException _) {
            return false; // that nothing can listen there is said when the server starts
        }
    }
}
