package dev.laurel.delivery.email;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.icegreen.greenmail.util.DummySSLServerSocketFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A mail server with answers that a test sets. An answer of {@link #HANG_UP} closes the connection. */
final class MailServerStandIn implements AutoCloseable {

    static final String HANG_UP = "";

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final Map<String, String> answers = new ConcurrentHashMap<>();

    /** The lines that the server has received, connection by connection. */
    final List<String> received = new CopyOnWriteArrayList<>();

    MailServerStandIn() throws IOException {
        Thread.ofVirtual().start(this::accept);
    }

    /** @param verb {@code MAIL}, …; {@code .} for the end of the text, {@code text} for its first line */
    MailServerStandIn answering(String verb, String answer) {
        answers.put(verb, answer);
        return this;
    }

    int port() {
        return server.getLocalPort();
    }

    long connections() {
        return received.stream().filter("connected"::equals).count();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // Closed.
        }
    }

    private void serve(Socket plain) {
        received.add("connected");
        try (Socket first = plain) {
            Socket socket = first;
            var in = reader(socket);
            if (!say(socket, answers.getOrDefault("connected", "220 stand-in"))) {
                return;
            }
            boolean isText = false;
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String verb = isText ? line.equals(".") ? "." : "text" : line.split("[ :]")[0];
                if (!isText || verb.equals(".")) {
                    received.add(line);
                }
                if (isText && !verb.equals(".") && !answers.containsKey("text")) {
                    continue;
                }
                String answer = answers.getOrDefault(verb, verb.equals("DATA") ? "354 go on" : "250 ok");
                if (!say(socket, answer) || verb.equals("QUIT")) {
                    return;
                }
                isText = verb.equals("DATA") && answer.startsWith("354");
                if (verb.equals("STARTTLS")) {
                    var tls = (SSLSocket) context().getSocketFactory().createSocket(socket, null, true);
                    tls.setUseClientMode(false);
                    tls.startHandshake();
                    answers.remove("EHLO");
                    received.add("tls");
                    socket = tls;
                    in = reader(socket);
                }
            }
        } catch (IOException | GeneralSecurityException e) {
            received.add("broken");
        }
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    private static boolean say(Socket socket, String answer) throws IOException {
        if (answer.equals(HANG_UP)) {
            return false;
        }
        OutputStream out = socket.getOutputStream();
        out.write((answer + "\r\n").getBytes(US_ASCII));
        out.flush();
        return true;
    }

    private static SSLContext context() throws IOException, GeneralSecurityException {
        char[] password = "changeit".toCharArray();
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = DummySSLServerSocketFactory.class.getResourceAsStream("/greenmail.p12")) {
            keys.load(in, password);
        }
        var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        var context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
