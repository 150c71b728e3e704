package dev.laurel.deploy.roles;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Where nodes are asked.
 *
 * @param hostPorts host:port of each
 * @param isTls whether all of them are called by TLS, or none
 */
record NodeAddresses(List<String> hostPorts, boolean isTls) {

    private static final String HTTPS = "https";

    /** @throws ParameterException if one is not of that form, or they are not of one kind */
    static NodeAddresses of(CommandSpec command, List<String> urls) {
        var hostPorts = new ArrayList<String>();
        int secured = 0;
        for (String text : urls) {
            URI url = url(command, text);
            boolean isSecured = HTTPS.equals(schemeOf(url));
            secured += isSecured ? 1 : 0;
            int usual = isSecured ? 443 : 80;
            hostPorts.add(url.getHost() + ":" + (url.getPort() < 0 ? usual : url.getPort()));
        }
        if (secured != 0 && secured != urls.size()) {
            throw new ParameterException(command.commandLine(),
                    "--nodes must be all http or all https, has " + secured + " of " + urls.size() + " with https");
        }
        return new NodeAddresses(List.copyOf(hostPorts), secured > 0);
    }

    private static URI url(CommandSpec command, String text) {
        try {
            var url = new URI(text);
            String scheme = schemeOf(url);
            boolean isPlain = url.getRawPath() != null && url.getRawPath().length() <= 1 && url.getRawQuery() == null
                    && url.getRawFragment() == null && url.getUserInfo() == null;
            if (("http".equals(scheme) || HTTPS.equals(scheme)) && url.getHost() != null && isPlain) {
                return url;
            }
        } catch (URISyntaxException _) {
            // said below, with what is allowed
        }
        throw new ParameterException(command.commandLine(),
                "--nodes must be http or https URLs without a path, like http://nodes.example.com:8080, has '" + text
                        + "'");
    }

    private static String schemeOf(URI url) {
        return url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    }
}
