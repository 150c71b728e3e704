package dev.laurel.processors.delivery.webhook;

import dev.laurel.processors.delivery.guard.AddressGuard;
import dev.laurel.processors.delivery.guard.GuardedSockets;
import dev.laurel.schemas.key.TenantId;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
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
 * Posts to webhooks by HTTP/1.1 (webhooks.md §1). No redirect is followed, no proxy used, and each address is looked at by
 * {@link AddressGuard} when it is connected to. Thread-safe.
 */
final class HttpPoster implements Poster {

    /** The name of this service in requests. */
    private static final String AGENT = "Laurel/";

    private static final MediaType JSON = MediaType.get("application/json");
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final long MAX_ANSWER_BYTES = 64 * 1024;
    private static final int MAX_IDLE_CONNECTIONS = 512;
    private static final Duration IDLE_FOR = Duration.ofSeconds(30);
    private static final int MAX_WORDS = 200;
    private static final int HEARD = 200;
    private static final Set<Integer> REDIRECTS = Set.of(300, 301, 302, 303, 307, 308);

    private final OkHttpClient client;
    private final String agent;

    /** @param version of this service */
    HttpPoster(AddressGuard guard, String version) {
        this(guard, version, TIMEOUT);
    }

    /** @param timeout of an attempt, from the look-up of the name to the end of the answer */
    HttpPoster(AddressGuard guard, String version, Duration timeout) {
        this.agent = AGENT + version;
        // On the virtual thread of the attempt: addresses one after the other, not raced by threads of the client.
        this.client = new OkHttpClient.Builder().protocols(List.of(Protocol.HTTP_1_1)).proxy(Proxy.NO_PROXY)
                .socketFactory(new GuardedSockets(guard)).followRedirects(false).followSslRedirects(false)
                .fastFallback(false).callTimeout(timeout).connectTimeout(CONNECT_TIMEOUT).readTimeout(timeout)
                .writeTimeout(timeout).addNetworkInterceptor(HttpPoster::askForNothing).eventListener(new Ear())
                .connectionPool(new ConnectionPool(MAX_IDLE_CONNECTIONS, IDLE_FOR.toSeconds(), TimeUnit.SECONDS))
                .build();
    }

    /** The status of the answer to an attempt; 0 before there is one. */
    private static final class Heard {

        private volatile int status;
    }

    /** Takes down the status, before the client looks at whether the rest of the answer is in order. */
    private static final class Ear extends EventListener {

        @Override
        public void responseHeadersEnd(Call call, Response response) {
            call.request().tag(Heard.class).status = response.code();
        }
    }

    /**
     * Hands on a status that asks for nothing: of some the client makes requests of its own, once more or with
     * credentials.
     */
    private static Response askForNothing(Interceptor.Chain chain) throws IOException {
        return chain.proceed(chain.request()).newBuilder().code(HEARD).build();
    }

    @Override
    public Outcome post(HookTargets.Target target, Post post) throws InterruptedException {
        HttpUrl url = HttpUrl.parse(target.url());
        if (url == null) {
            return new Outcome.NoAnswer("the URL of the webhook cannot be used", 0);
        }
        long startedNs = System.nanoTime();
        var heard = new Heard();
        Call call = client.newCall(request(url, target.secret(), post, heard));
        try (Response response = call.execute()) {
            readSome(call, response);
            return answered(heard.status, startedNs);
        } catch (IOException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("the attempt is over");
            }
            // The status decides, even of an answer that is not in order, such as a 204 that announces a body.
            return heard.status == 0
                    ? new Outcome.NoAnswer(words(e), msSince(startedNs))
                    : answered(heard.status, startedNs);
        }
    }

    private static Outcome answered(int status, long startedNs) {
        return new Outcome.Answered(status, REDIRECTS.contains(status) ? "redirects are not followed" : null,
                msSince(startedNs));
    }

    private Request request(HttpUrl url, String secret, Post post, Heard heard) {
        var headers = new Headers.Builder().add("User-Agent", agent)
                .add("X-Trophy-Signature", Signer.sign(secret, post.body()))
                .add("X-Trophy-Webhook-Id", post.delivery().toString())
                .add("X-Trophy-Webhook-Attempt", Integer.toString(post.attempt()))
                // Nobody reads the answer.
                .add("Accept-Encoding", "identity");
        if (!post.tenant().equals(TenantId.NONE)) {
            headers.addUnsafeNonAscii("Tenant-ID", headerText(post.tenant().value()));
        }
        return new Request.Builder().tag(Heard.class, heard).url(url).headers(headers.build())
                .post(RequestBody.create(post.body(), JSON))
                .build();
    }

    /** Any text may be a tenant's id; a header has one line. */
    private static String headerText(String id) {
        var text = new StringBuilder(id.length());
        id.codePoints().forEach(c -> {
            if (Character.isISOControl(c)) {
                text.append(String.format("%%%02X", c));
            } else {
                text.appendCodePoint(c);
            }
        });
        return text.toString();
    }

    /** A connection is used again if the answer ends soon. What the answer says is nobody's business. */
    private static void readSome(Call call, Response response) {
        try {
            BufferedSource body = response.body().source();
            var read = new Buffer();
            long left = MAX_ANSWER_BYTES;
            while (left > 0) {
                long count = body.read(read, left);
                if (count < 0) {
                    return;
                }
                left -= count;
                read.clear();
            }
        } catch (IOException _) {
            // The status has been heard, and that decides.
        }
        call.cancel();
    }

    private static String words(IOException failure) {
        String words = switch (failure) {
            case AddressGuard.Refused refused -> refused.getMessage();
            case UnknownHostException _ -> "the host name is not known";
            case ConnectException _,NoRouteToHostException _ -> "cannot connect: " + failure.getMessage();
            case SocketTimeoutException timeout when !isOfTheCall(timeout) ->
                "cannot connect: no answer within " + CONNECT_TIMEOUT.toSeconds() + " s";
            case InterruptedIOException _ -> "no answer within " + TIMEOUT.toSeconds() + " s";
            case SSLException _ -> "TLS: " + failure.getMessage();
            default -> "the connection failed: " + failure.getMessage();
        };
        return words.length() <= MAX_WORDS ? words : words.substring(0, MAX_WORDS);
    }

    private static boolean isOfTheCall(SocketTimeoutException timeout) {
        return timeout.getMessage() == null || !timeout.getMessage().toLowerCase(Locale.ROOT).contains("connect");
    }

    private static long msSince(long startedNs) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNs);
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }
}
