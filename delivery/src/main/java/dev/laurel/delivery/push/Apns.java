package dev.laurel.delivery.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.eatthepath.pushy.apns.ApnsClient;
import com.eatthepath.pushy.apns.ApnsClientBuilder;
import com.eatthepath.pushy.apns.DeliveryPriority;
import com.eatthepath.pushy.apns.PushNotificationResponse;
import com.eatthepath.pushy.apns.PushType;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import com.eatthepath.pushy.apns.util.SimpleApnsPushNotification;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.delivery.push.PushService.PushNotification;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.schemas.admin.ChannelSecrets.AppleKey;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.netty.channel.EventLoopGroup;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;

/**
 * Apple's push service, with a signing key of the tenant's team. Each tenant has connections of its own, since a connection of one
 * team must not carry tokens of another team.
 *
 * <p>Uses Pushy, although that depends on Netty: a new connection accepts one request until APNs has seen a valid provider token,
 * and APNs changes that limit at any time. Pushy queues requests until there is room; the JDK's client fails them.
 */
final class Apns implements PushService {

    private static final String NAME = "APNs";

    /** Bounds Pushy's queue. It includes requests that wait for a connection although their sender has given up. */
    private static final int MAX_IN_FLIGHT = 500;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Set<String> DEAD =
            Set.of("BadDeviceToken", "Unregistered", "DeviceTokenNotForTopic", "ExpiredToken");

    /** Reasons that concern the connection and not the message: Pushy opens a new one. */
    private static final Set<String> PASSING = Set.of("ExpiredProviderToken", "IdleTimeout");

    private final ApnsClient client;
    private final String bundleId;
    private final Duration timeout;
    private final InstantSource clock;
    private final Semaphore permits = new Semaphore(MAX_IN_FLIGHT);

    private Apns(ApnsClient client, String bundleId, Duration timeout, InstantSource clock) {
        this.client = client;
        this.bundleId = bundleId;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** @param secrets by name @param loop event loop of all connections @throws BadInputException if the secrets cannot be used */
    static Apns open(Map<String, String> secrets, EventLoopGroup loop, PushEndpoints endpoints, InstantSource clock)
            throws BadInputException {
        AppleKey apple = AppleKey.read(secrets);
        try {
            var builder = new ApnsClientBuilder()
                    .setApnsServer(
                            endpoints.apns().getHostString(), endpoints.apns().getPort())
                    .setSigningKey(new ApnsSigningKey(apple.keyId(), apple.teamId(), apple.key()))
                    .setEventLoopGroup(loop)
                    .setConnectionTimeout(CONNECT_TIMEOUT)
                    .setGracefulShutdownTimeout(endpoints.timeout());
            if (endpoints.trusted() != null) {
                builder.setTrustedServerCertificateChain(endpoints.trusted());
            }
            return new Apns(builder.build(), apple.bundleId(), endpoints.timeout(), clock);
        } catch (InvalidKeyException _) {
            throw BadInputException.invalid("apns.signingKey", "cannot sign");
        } catch (NoSuchAlgorithmException | SSLException e) {
            throw new IllegalStateException("every JDK has TLS and ECDSA", e);
        }
    }

    @Override
    public int maxTokens() {
        return 1;
    }

    @Override
    public List<TokenResult> push(PushNotification note, List<String> deviceTokens) throws InterruptedException {
        if (!permits.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            return List.of(new TokenResult.NotSent("too many messages wait for " + NAME));
        }
        var apnsNote = new ApnsNotification(
                deviceTokens.getFirst(),
                bundleId,
                note.delivery(),
                payload(note),
                clock.instant().plus(PushNotification.TIME_TO_LIVE));
        CompletableFuture<PushNotificationResponse<ApnsNotification>> answer = send(apnsNote);
        answer.whenComplete((_, _) -> permits.release());
        try {
            return List.of(resultOf(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (ExecutionException e) {
            return List.of(failure(
                    apnsNote,
                    requireNonNull(e.getCause(), "a failed request has a cause")
                            .getClass()
                            .getSimpleName()));
        } catch (TimeoutException _) {
            return List.of(failure(apnsNote, "no answer in time"));
        } catch (InterruptedException e) {
            apnsNote.withdraw();
            throw e;
        }
    }

    private CompletableFuture<PushNotificationResponse<ApnsNotification>> send(ApnsNotification note) {
        try {
            return client.sendNotification(note);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e); // the client was closed after it was looked up
        }
    }

    private static String payload(PushNotification note) {
        var payload = new LinkedHashMap<String, Object>();
        payload.put("aps", Map.of("alert", note.text()));
        payload.putAll(note.forApp());
        return Json.text(payload);
    }

    private static TokenResult failure(ApnsNotification note, String reason) {
        String what = NAME + ": " + reason;
        return note.withdraw() ? new TokenResult.NotSent(what) : new TokenResult.Lost(what);
    }

    private static TokenResult resultOf(PushNotificationResponse<ApnsNotification> answer) {
        if (answer.isAccepted()) {
            return new TokenResult.Accepted();
        }
        String reason = answer.getRejectionReason().orElse(null);
        int status = answer.getStatusCode();
        if (status == 410 || reason != null && DEAD.contains(reason)) {
            return new TokenResult.Dead();
        }
        return reason != null && PASSING.contains(reason)
                ? new TokenResult.NotSent(NAME + " answers " + status + " " + reason)
                : TokenResult.ofStatus(NAME, status, reason);
    }

    /** Closes in the background: requests in flight get their answer. */
    @Override
    public void close() {
        client.close();
    }

    /**
     * A notification that can be withdrawn until it is written. Pushy reads the token when it writes the headers of the request, and not
     * before; a notification that was withdrawn by then is never sent.
     */
    private static final class ApnsNotification extends SimpleApnsPushNotification {

        private enum Stage {
            WAITING,
            WRITTEN,
            WITHDRAWN
        }

        private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

        ApnsNotification(String token, String topic, UUID delivery, String payload, Instant expiration) {
            // The APNs id identifies one notification to one device, so it is derived from both.
            super(
                    token,
                    topic,
                    payload,
                    expiration,
                    DeliveryPriority.IMMEDIATE,
                    PushType.ALERT,
                    delivery.toString(),
                    UUID.nameUUIDFromBytes((delivery + "/" + token).getBytes(UTF_8)));
        }

        /** Withdraws the notification. @return false if it was written before */
        boolean withdraw() {
            return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN);
        }

        /** Called again when Pushy repeats requests that APNs has not processed. */
        @Override
        public String getToken() {
            if (stage.compareAndExchange(Stage.WAITING, Stage.WRITTEN) == Stage.WITHDRAWN) {
                throw new CancellationException("withdrawn before it was written");
            }
            return super.getToken();
        }
    }
}
