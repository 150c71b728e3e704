package dev.laurel.processors.delivery.push;

import com.eatthepath.pushy.apns.ApnsClient;
import com.eatthepath.pushy.apns.ApnsClientBuilder;
import com.eatthepath.pushy.apns.PushNotificationResponse;
import com.eatthepath.pushy.apns.auth.ApnsSigningKey;
import dev.laurel.schemas.admin.AppleKey;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.serde.Json;
import io.netty.channel.EventLoopGroup;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Apple's push service, with a signing key of the tenant's team. Each tenant has connections of its own, since those of one
 * team must not carry the tokens of another.
 *
 * <p>By Pushy, although it brings Netty along: a new connection takes one request until APNs has seen a valid provider token,
 * and changes that limit as it likes. Pushy holds requests back until there is room; the JDK's client fails them.
 */
final class Apns implements PushService {

    private static final String NAME = "APNs";

    /** Pushy's own queue has no end. Also what waits for a connection after its sender has given up counts. */
    private static final int MAX_UNDER_WAY = 500;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final Set<String> DEAD = Set.of("BadDeviceToken", "Unregistered", "DeviceTokenNotForTopic",
            "ExpiredToken");

    /** Of the connection, not of the message: Pushy makes a new one. */
    private static final Set<String> PASSING = Set.of("ExpiredProviderToken", "IdleTimeout");

    private final ApnsClient client;
    private final String bundleId;
    private final Duration timeout;
    private final InstantSource clock;
    private final Semaphore places = new Semaphore(MAX_UNDER_WAY);

    private Apns(ApnsClient client, String bundleId, Duration timeout, InstantSource clock) {
        this.client = client;
        this.bundleId = bundleId;
        this.timeout = timeout;
        this.clock = clock;
    }

    /** @param secrets by name @param loop of all connections @throws BadInputException if the secrets cannot be used */
    static Apns open(Map<String, String> secrets, EventLoopGroup loop, PushEndpoints endpoints, InstantSource clock)
            throws BadInputException {
        AppleKey apple = AppleKey.read(secrets);
        try {
            var builder = new ApnsClientBuilder()
                    .setApnsServer(endpoints.apns().getHostString(), endpoints.apns().getPort())
                    .setSigningKey(new ApnsSigningKey(apple.keyId(), apple.teamId(), apple.key()))
                    .setEventLoopGroup(loop)
                    .setConnectionTimeout(CONNECT_TIMEOUT).setGracefulShutdownTimeout(endpoints.timeout());
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
    public List<TokenFate> push(PushNote note, List<String> deviceTokens) throws InterruptedException {
        if (!places.tryAcquire(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            return List.of(new TokenFate.NotSent("too many messages wait for " + NAME));
        }
        var apnsNote = new ApnsNote(deviceTokens.getFirst(), bundleId, note.delivery(), payload(note),
                clock.instant().plus(PushNote.TIME_TO_LIVE));
        CompletableFuture<PushNotificationResponse<ApnsNote>> answer = send(apnsNote);
        answer.whenComplete((_, _) -> places.release());
        try {
            return List.of(fate(answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS)));
        } catch (ExecutionException e) {
            return List.of(failure(apnsNote, e.getCause().getClass().getSimpleName()));
        } catch (TimeoutException _) {
            return List.of(failure(apnsNote, "no answer in time"));
        } catch (InterruptedException e) {
            apnsNote.withdraw();
            throw e;
        }
    }

    private CompletableFuture<PushNotificationResponse<ApnsNote>> send(ApnsNote note) {
        try {
            return client.sendNotification(note);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.failedFuture(e); // connections have been ended since this one was looked up
        }
    }

    private static String payload(PushNote note) {
        var payload = new LinkedHashMap<String, Object>();
        payload.put("aps", Map.of("alert", note.text()));
        payload.putAll(note.forApp());
        return new String(Json.write(payload), UTF_8);
    }

    private static TokenFate failure(ApnsNote note, String reason) {
        String what = NAME + ": " + reason;
        return note.withdraw() ? new TokenFate.NotSent(what) : new TokenFate.Lost(what);
    }

    private static TokenFate fate(PushNotificationResponse<ApnsNote> answer) {
        if (answer.isAccepted()) {
            return new TokenFate.Accepted();
        }
        String reason = answer.getRejectionReason().orElse(null);
        int status = answer.getStatusCode();
        if (status == 410 || reason != null && DEAD.contains(reason)) {
            return new TokenFate.Dead();
        }
        return reason != null && PASSING.contains(reason)
                ? new TokenFate.NotSent(NAME + " answers " + status + " " + reason)
                : TokenFate.ofStatus(NAME, status, reason);
    }

    /** Goes on in the background: what is under way gets its answer. */
    @Override
    public void close() {
        client.close();
    }
}
