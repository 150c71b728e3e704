package dev.laurel.delivery.push;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.eatthepath.pushy.apns.auth.ApnsVerificationKey;
import com.eatthepath.pushy.apns.server.MockApnsServer;
import com.eatthepath.pushy.apns.server.MockApnsServerBuilder;
import com.eatthepath.pushy.apns.server.PushNotificationHandler;
import com.eatthepath.pushy.apns.server.RejectedNotificationException;
import com.eatthepath.pushy.apns.server.RejectionReason;
import com.eatthepath.pushy.apns.server.ValidatingPushNotificationHandlerFactory;
import dev.laurel.schemas.serde.Json;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.handler.codec.http2.Http2Headers;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** APNs with one team, one key and one app. It checks the signature of provider tokens with the public key. */
final class ApnsStandIn implements AutoCloseable {

    static final String TEAM = "TEAM000001";
    static final String KEY = "KEY0000001";
    static final String BUNDLE = "example.swim";

    /** @param headers by name */
    record Received(Map<String, String> headers, Map<?, ?> payload) {}

    @SuppressWarnings("deprecation") // see PushServices
    private final EventLoopGroup loop = new NioEventLoopGroup(1);

    private final MockApnsServer server;
    private final int port;
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Map<String, RejectionReason> rejected = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> stalled = new ConcurrentHashMap<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();

    /** @param port 0: any */
    ApnsStandIn(int port, KeyPair team, int maxStreams) {
        try {
            var key = new ApnsVerificationKey(KEY, TEAM, (ECPublicKey) team.getPublic());
            var checks = new ValidatingPushNotificationHandlerFactory(
                    Map.of(BUNDLE, known), Map.of(), Map.of(KEY, key), Map.of(key, Set.of(BUNDLE)));
            var builder = new MockApnsServerBuilder();
            builder.setServerCredentials(
                    new X509Certificate[] {PushKeys.TLS.certificate()},
                    PushKeys.TLS.keyPair().getPrivate(),
                    null);
            builder.setEventLoopGroup(loop);
            builder.setMaxConcurrentStreams(maxStreams);
            builder.setHandlerFactory(session -> handler(checks.buildHandler(session)));
            this.server = builder.build();
            this.port = server.start(port).get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private PushNotificationHandler handler(PushNotificationHandler checks) {
        return (headers, payload) -> {
            String token = headers.path()
                    .subSequence("/3/device/".length(), headers.path().length())
                    .toString();
            known.add(token); // whether there is such a device is not for the checks
            checks.handlePushNotification(headers, payload);
            await(stalled.get(token));
            received.add(received(headers, payload));
            if (rejected.get(token) != null) {
                throw new RejectedNotificationException(rejected.get(token));
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            if (latch != null && !latch.await(20, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody lets it go on");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Received received(Http2Headers headers, ByteBuf payload) {
        var copy = new ConcurrentHashMap<String, String>();
        headers.forEach(
                header -> copy.put(header.getKey().toString(), header.getValue().toString()));
        return new Received(copy, Json.read(payload.toString(UTF_8).getBytes(UTF_8), Map.class));
    }

    int port() {
        return port;
    }

    void reject(String token, RejectionReason reason) {
        rejected.put(token, reason);
    }

    /** Answers for this token only when the latch is open. */
    CountDownLatch stall(String token) {
        var latch = new CountDownLatch(1);
        stalled.put(token, latch);
        return latch;
    }

    List<Received> received() {
        return received;
    }

    @Override
    public void close() {
        stalled.values().forEach(CountDownLatch::countDown);
        server.shutdown().join();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
