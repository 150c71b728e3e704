package dev.laurel.deploy.roles;

import dev.laurel.platform.command.CommandFailed;
import dev.laurel.platform.http.HttpSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Builds the addresses under which a process is reached from the host and port that it listens on. */
final class ServerAddress {

    private ServerAddress() {}

    /** Returns the URL. IPv6 addresses are put in brackets. */
    static String of(String host, int port, boolean isTls) {
        boolean isBare = host.indexOf(':') >= 0 && !host.startsWith("[");
        return (isTls ? "https://" : "http://") + (isBare ? "[" + host + "]" : host) + ":" + port;
    }

    /**
     * Returns the URL under which others reach the process, or an empty text if the port is not known before the
     * start (0) or the host stands for all addresses of this machine.
     */
    static String toShare(String host, int port, boolean isTls) {
        return port == 0 || isWildcard(host) ? "" : of(host, port, isTls);
    }

    /** Returns the host under which this machine reaches a process that listens on the host. */
    static String toCall(String host) {
        return isWildcard(host) ? InetAddress.getLoopbackAddress().getHostAddress() : host;
    }

    /** Returns whether the host stands for all addresses of this machine. */
    static boolean isWildcard(String host) {
        return is(host, InetAddress::isAnyLocalAddress);
    }

    /** Returns false if the host is not known. */
    static boolean is(String host, Predicate<InetAddress> kind) {
        try {
            return kind.test(InetAddress.getByName(host));
        } catch (UnknownHostException _) {
            return false; // The server reports the unknown host when it starts.
        }
    }

    /** Returns whether the address has a host, and neither a path beyond a slash nor a query, a fragment or a login. */
    static boolean isPlain(URI address) {
        return address.getHost() != null
                && address.getRawPath() != null
                && address.getRawPath().length() <= 1
                && address.getRawQuery() == null
                && address.getRawFragment() == null
                && address.getUserInfo() == null;
    }

    /**
     * A port to listen on, and the address that is advertised to other processes of the role.
     *
     * @param address its port is never 0, because it is advertised before the server starts
     * @param advertised host:port
     */
    record Advertised(HttpSettings.Address address, String advertised) {

        private static final int PORT_MAX = 65_535;

        /**
         * @param advertised null: derived from host and port
         * @throws ParameterException if it is malformed or cannot be derived
         */
        static Advertised of(CommandSpec command, String host, int port, @Nullable String advertised) {
            if (advertised != null) {
                expectAddress(command, advertised);
            } else if (ServerAddress.isWildcard(host)) {
                throw new ParameterException(
                        command.commandLine(),
                        "--advertised host:port is needed: --host " + host
                                + " stands for all addresses of this machine, and other processes need one of them");
            }
            HttpSettings.Address address = port == 0
                    ? CommandFailed.attempt("cannot listen on " + host, () -> HttpSettings.Address.held(host))
                    : new HttpSettings.Address(host, port);
            return new Advertised(
                    address,
                    advertised != null
                            ? advertised
                            : ServerAddress.of(host, address.port(), false).substring("http://".length()));
        }

        private static void expectAddress(CommandSpec command, String advertised) {
            try {
                var address = new URI("http://" + advertised);
                if (isPlain(address)
                        && address.getRawPath().isEmpty()
                        && address.getPort() > 0
                        && address.getPort() <= PORT_MAX) {
                    return;
                }
            } catch (URISyntaxException _) {
                // reported below with the allowed form
            }
            throw new ParameterException(
                    command.commandLine(),
                    "--advertised must be host:port, like node-1.example.com:8080, is '" + advertised + "'");
        }
    }
}
