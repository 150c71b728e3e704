package dev.laurel.delivery.push;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.delivery.KnownAccess;
import dev.laurel.delivery.message.MessageSender.OutgoingMessage;
import dev.laurel.delivery.message.MessageSender.SendResult;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.InMemoryAccessStore;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Notifications.NotificationType;
import dev.laurel.schemas.ruleset.Template;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A sender, the stand-ins that it uses, and the settings of a tenant. */
final class PushFixture implements AutoCloseable {

    static final UUID DELIVERY = UUID.fromString("5b7e9c11-4c2d-4a8e-8b77-1e2d3f4a5b04");
    static final Duration PATIENT = Duration.ofSeconds(20);

    /** Long enough for an answer over an open connection. */
    static final Duration HASTY = Duration.ofMillis(600);

    final AccessIndex index = InMemoryAccessStore.index();
    final WebStandIn web = new WebStandIn();
    private final PushSender sender;
    private Instant now = Instant.now();

    /** Creates a fixture without APNs. */
    PushFixture() {
        this(1, PATIENT);
    }

    PushFixture(int apnsPort, Duration timeout) {
        var endpoints = new PushEndpoints(
                web.at(WebStandIn.TOKENS),
                web.at("/"),
                InetSocketAddress.createUnresolved("localhost", apnsPort),
                web.at("/"),
                PushKeys.TLS.certificate(),
                PushKeys.TRUST.sslContext(),
                timeout);
        this.sender = new PushSender(new KnownAccess(index), endpoints, () -> now);
        secret("fcm.serviceAccount", PushKeys.serviceAccount(PushKeys.GOOGLE.getPrivate()));
        secret("expo.token", "expo-secret");
        apns(PushKeys.pem(PushKeys.APPLE.getPrivate()));
    }

    void apns(String signingKey) {
        secret("apns.signingKey", signingKey);
        secret("apns.teamId", ApnsStandIn.TEAM);
        secret("apns.keyId", ApnsStandIn.KEY);
        secret("apns.bundleId", ApnsStandIn.BUNDLE);
    }

    /** @param value null: removes the setting */
    void secret(String name, String value) {
        secret(TenantId.NONE, name, value);
    }

    void secret(TenantId tenant, String name, String value) {
        index.put(
                Secret.recordKey(tenant, Secret.CHANNELS, name),
                value == null ? null : new Secret(tenant, Secret.CHANNELS, name, value));
    }

    Instant now() {
        return now;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }

    SendResult send(String... tokens) throws InterruptedException {
        return send(TenantId.NONE, tokens);
    }

    SendResult send(TenantId tenant, String... tokens) throws InterruptedException {
        return sender.send(new OutgoingMessage(
                DELIVERY,
                new UserKey(tenant, new UserId("ida")),
                NotificationChannel.PUSH,
                NotificationType.STREAK_REMINDER,
                new Template.Text("Keep swimming", "Only <4> hours left"),
                Map.of("user", Map.of("id", "ida", "deviceTokens", List.of(tokens))),
                null,
                null,
                false,
                false));
    }

    /** Sends a first message, which takes long (loading classes, a handshake), before a test with a short timeout. */
    void warmUp(String token) throws InterruptedException {
        SendResult result = send(token);
        for (int i = 0; i < 20 && !(result instanceof SendResult.Sent); i++) {
            pass(Duration.ofMinutes(1));
            result = send(token);
        }
        assertEquals(new SendResult.Sent(List.of()), result);
    }

    void closeSender() {
        sender.close();
    }

    @Override
    public void close() {
        sender.close();
        web.close();
    }
}
