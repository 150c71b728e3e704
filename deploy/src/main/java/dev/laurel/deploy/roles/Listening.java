package dev.laurel.deploy.roles;

import dev.laurel.deploy.CommandFailed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where a process listens, and where others of its role find it.
 *
 * @param port a real one: others are told it before it is listened on
 * @param advertised host:port
 */
record Listening(int port, String advertised) {

    private static final int PORT_MAX = 65_535;

    /**
     * @param advertised null: follows from host and port
     * @throws ParameterException if it is not of that form, or does not follow
     */
    static Listening of(CommandSpec command, String host, int port, String advertised) {
        if (advertised != null) {
            expectAddress(command, advertised);
            return new Listening(port == 0 ? freePort(host) : port, advertised);
        }
        if (OwnUrl.isWildcard(host)) {
            throw new ParameterException(command.commandLine(), "--advertised host:port is needed: --host " + host
                    + " stands for all addresses of this machine, and others must be told one that they reach");
        }
        int chosen = port == 0 ? freePort(host) : port;
        return new Listening(chosen, OwnUrl.of(host, chosen, false).substring("http://".length()));
    }

    private static void expectAddress(CommandSpec command, String advertised) {
        try {
            var address = new URI("http://" + advertised);
            boolean isPlain = address.getRawPath().isEmpty() && address.getRawQuery() == null
                    && address.getRawFragment() == null && address.getUserInfo() == null;
            if (isPlain && address.getHost() != null && address.getPort() > 0 && address.getPort() <= PORT_MAX) {
                return;
            }
        } catch (URISyntaxException _) {
            // said below, with what is allowed
        }
        throw new ParameterException(command.commandLine(),
                "--advertised must be host:port, like node-1.example.com:8080, is '" + advertised + "'");
    }

    /** Another process may take it before it is listened on: then the start fails, as with any port that is taken. */
    private static int freePort(String host) {
        try (var socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(host, 0));
            return socket.getLocalPort();
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailed("cannot listen on " + host + ": " + e.getMessage(), e);
        }
    }
}
