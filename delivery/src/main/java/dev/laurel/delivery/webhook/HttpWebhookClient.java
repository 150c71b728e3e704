package dev.laurel.delivery.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.laurel.delivery.guard.AddressGuard;
import dev.laurel.delivery.guard.AddressGuard.Sockets;
import dev.laurel.delivery.webhook.WebhookClient.Outcome;
import dev.laurel.delivery.webhook.WebhookClient.WebhookRequest;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.input.HeaderText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.EventListener;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;

/**
 * Posts to webhooks over HTTP/1.1 (docs/webhooks.md §1). Follows no redirects, uses no proxy, and lets {@link AddressGuard} check each
 * address when it connects. Thread-safe.
 */
final class HttpWebhookClient implements WebhookClient {

    /** The name of this service in the User-Agent header. */
    private static final String AGENT = "Laurel/";

    private static final MediaType JSON = MediaType.get("application/json");
    static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final long MAX_BODY_BYTES = 64 * 1024;
    private static final int MAX_IDLE_CONNECTIONS = 512;
    private static final Duration IDLE_FOR = Duration.ofSeconds(30);
    private static final int MAX_ERROR_LENGTH = 200;
    private static final int NEUTRAL_STATUS = 200;
    private static final Set<Integer> REDIRECTS = Set.of(300, 301, 302, 303, 307, 308);

    private final OkHttpClient client;
    private final String agent;

    /** @param version of this service @param timeout of an attempt, from resolving the name to the end of the response */
    HttpWebhookClient(AddressGuard guard, String version, Duration timeout) {
        this.agent = AGENT + version;
        // The virtual thread of the attempt tries addresses one after the other; without this, threads of the client
        // race.
        this.client = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .proxy(Proxy.NO_PROXY)
                .socketFactory(new Sockets(guard))
                .followRedirects(false)
                .followSslRedirects(false)
                .fastFallback(false)
                .callTimeout(timeout)
                .connectTimeout(CONNECT_TIMEOUT)
                .readTimeout(timeout)
                .writeTimeout(timeout)
                .addNetworkInterceptor(HttpWebhookClient::neutralizeStatus)
                .eventListener(new StatusRecorder())
                .connectionPool(new ConnectionPool(MAX_IDLE_CONNECTIONS, IDLE_FOR.toSeconds(), TimeUnit.SECONDS))
                .build();
    }

    /** The status of the response; 0 before there is one. */
    private static final class ReceivedStatus {

        private volatile int status;
    }

    /** Records the status before the client checks whether the rest of the response is well-formed. */
    private static final class StatusRecorder extends EventListener {

        @Override
        public void responseHeadersEnd(Call call, Response response) {
            requireNonNull(call.request().tag(ReceivedStatus.class), "set on each request").status = response.code();
        }
    }

    /**
     * Replaces the status by one on which the client does not act: for others it would repeat the request, or add credentials.
     */
    private static Response neutralizeStatus(Interceptor.Chain chain) throws IOException {
        return chain.proceed(chain.request()).newBuilder().code(NEUTRAL_STATUS).build();
    }

    @Override
    public Outcome post(WebhookTargets.Target target, WebhookRequest post) throws InterruptedException {
        HttpUrl url = HttpUrl.parse(target.url());
        if (url == null) {
            return new Outcome.NoAnswer("the URL of the webhook cannot be used", 0);
        }
        long startedNs = System.nanoTime();
        var received = new ReceivedStatus();
        Call call = client.newCall(request(url, target, post, received));
        try (Response response = call.execute()) {
            drain(call, response);
            return answered(received.status, startedNs);
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("the attempt is over");
            }
            // The status decides, even if the response is malformed, such as a 204 that announces a body.
            return received.status == 0
                    ? new Outcome.NoAnswer(errorText(e), msSince(startedNs))
                    : answered(received.status, startedNs);
        }
    }

    private static Outcome answered(int status, long startedNs) {
        return new Outcome.Answered(
                status, REDIRECTS.contains(status) ? "redirects are not followed" : null, msSince(startedNs));
    }

    private Request request(HttpUrl url, WebhookTargets.Target target, WebhookRequest post, ReceivedStatus received) {
        var headers = new Headers.Builder()
                .add("User-Agent", agent)
                .add("X-Trophy-Signature", sign(target.secret(), post.body()))
                .add("X-Trophy-Webhook-Id", post.delivery().toString())
                .add("X-Trophy-Webhook-Attempt", Integer.toString(post.attempt()))
                // The body is not read.
                .add("Accept-Encoding", "identity");
        if (!target.customerId().isEmpty()) {
            headers.add("Tenant-ID", HeaderText.encoded(target.customerId()));
        }
        return new Request.Builder()
                .tag(ReceivedStatus.class, received)
                .url(url)
                .headers(headers.build())
                .post(RequestBody.create(post.body(), JSON))
                .build();
    }

    /** Reads a limited part of the body and discards it: the connection can be reused if the response ends within that. */
    private static void drain(Call call, Response response) {
        try {
            BufferedSource body = response.body().source();
            var read = new Buffer();
            long left = MAX_BODY_BYTES;
            while (left > 0) {
                long count = body.read(read, left);
                if (count < 0) {
                    return;
                }
                left -= count;
                read.clear();
            }
        } catch (IOException _) {
            // The status decides.
        }
        call.cancel();
    }

    private static String errorText(IOException failure) {
        String text = switch (failure) {
            case AddressGuard.Refused refused -> String.valueOf(refused.getMessage());
            case UnknownHostException _ -> "the host name is not known";
            case ConnectException _, NoRouteToHostException _ -> "cannot connect: " + failure.getMessage();
            case SocketTimeoutException timeout
            when !isOfTheCall(timeout) -> "cannot connect: no answer within " + CONNECT_TIMEOUT.toSeconds() + " s";
            case InterruptedIOException _ -> "no answer within " + TIMEOUT.toSeconds() + " s";
            case SSLException _ -> "TLS: " + failure.getMessage();
            default -> "the connection failed: " + failure.getMessage();
        };
        return text.length() <= MAX_ERROR_LENGTH ? text : text.substring(0, MAX_ERROR_LENGTH);
    }

    /** Whether a timeout is of the whole call, and not of connecting. */
    private static boolean isOfTheCall(SocketTimeoutException timeout) {
        return timeout.getMessage() == null
                || !timeout.getMessage().toLowerCase(Locale.ROOT).contains("connect");
    }

    private static long msSince(long startedNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs);
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }

    /** The signature of a body (docs/webhooks.md §1). @param secret not empty */
    static String sign(String secret, byte[] body) {
        return Base64.getEncoder().encodeToString(Hmac.sha256(secret.getBytes(UTF_8), body));
    }
}
