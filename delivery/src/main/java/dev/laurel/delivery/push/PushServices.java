package dev.laurel.delivery.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.laurel.delivery.push.PushHttp.OfTenant;
import dev.laurel.delivery.push.PushHttp.PushEndpoints;
import dev.laurel.delivery.push.PushService.TokenResult;
import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessIndex.AccessView;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Caches the push services of the tenants. A service is created when a message needs it, replaced when its secrets have changed, and
 * closed after an hour without use. Thread-safe.
 */
final class PushServices implements AutoCloseable {

    private static final int MAX_OPEN = 1000;
    private static final Duration CLOSED_AFTER = Duration.ofHours(1);

    private record Key(TenantId tenant, PushProvider provider) {}

    /** A service that is open. Not a record, whose toString would write the secrets into a log. */
    private record Open(Map<String, String> secrets, PushService service) {}

    private final AccessView access;
    private final PushEndpoints endpoints;
    private final InstantSource clock;
    private final PushHttp http;
    private final Cache<Key, Open> services = Caffeine.newBuilder()
            .maximumSize(MAX_OPEN)
            .expireAfterAccess(CLOSED_AFTER)
            .executor(Runnable::run)
            .removalListener(PushServices::closeRemoved)
            .build();
    /** Null before the first connection to APNs. */
    private @Nullable EventLoopGroup loop;

    private volatile boolean isClosed;

    PushServices(AccessView access, PushEndpoints endpoints, InstantSource clock) {
        this.access = access;
        this.endpoints = endpoints;
        this.clock = clock;
        this.http = new PushHttp(endpoints.tls(), endpoints.timeout());
    }

    private static void closeRemoved(@Nullable Key key, @Nullable Open removed, RemovalCause cause) {
        if (removed != null) {
            removed.service.close();
        }
    }

    PushService of(TenantId tenant, PushProvider provider) {
        if (isClosed) {
            return new PushService.Unusable(new TokenResult.NotSent("this process is stopping"));
        }
        Map<String, String> secrets = secrets(tenant, provider);
        if (secrets.size() < provider.secrets().size()) {
            return refusing(missing(provider, secrets));
        }
        var key = new Key(tenant, provider);
        Open found = services.getIfPresent(key);
        if (found == null || !found.secrets.equals(secrets)) {
            found = services.asMap()
                    .compute(
                            key,
                            (_, before) -> before != null && before.secrets.equals(secrets)
                                    ? before
                                    : new Open(secrets, open(tenant, provider, secrets)));
        }
        return found.service;
    }

    private static PushService refusing(String reason) {
        return new PushService.Unusable(new TokenResult.Refused(reason));
    }

    private Map<String, String> secrets(TenantId tenant, PushProvider provider) {
        AccessIndex index = access.index();
        var secrets = new HashMap<String, String>();
        for (String name : provider.secrets()) {
            String value = index.secret(tenant, Secret.CHANNELS, name);
            if (value != null) {
                secrets.put(name, value);
            }
        }
        return secrets;
    }

    private static String missing(PushProvider provider, Map<String, String> secrets) {
        List<String> names = provider.secrets().stream()
                .filter(name -> !secrets.containsKey(name))
                .toList();
        return "a device needs " + provider.name() + ", which is not configured: there is no "
                + names.stream().collect(Collectors.joining(", "));
    }

    private PushService open(TenantId tenant, PushProvider provider, Map<String, String> secrets) {
        try {
            return switch (provider) {
                case APNS -> Apns.open(secrets, loop(), endpoints, clock);
                case FCM -> Fcm.open(onlyOne(secrets), new OfTenant(http, tenant), endpoints, clock);
                case EXPO -> Expo.open(onlyOne(secrets), new OfTenant(http, tenant), endpoints);
            };
        } catch (BadInputException e) {
            return refusing(e.refusal().message());
        }
    }

    private static String onlyOne(Map<String, String> secrets) {
        return secrets.values().iterator().next();
    }

    /** Creates the deprecated kind of event loop: Pushy chooses the kind of channel by its class name. */
    @SuppressWarnings("deprecation")
    private synchronized EventLoopGroup loop() {
        if (loop == null) {
            loop = new NioEventLoopGroup(1, new DefaultThreadFactory("apns", true));
        }
        return loop;
    }

    @Override
    public void close() {
        isClosed = true;
        services.invalidateAll();
        http.close();
        synchronized (this) {
            if (loop != null) {
                loop.shutdownGracefully();
            }
        }
    }

    /**
     * The push services. Device tokens do not name their service, so their form decides: {@code ExponentPushToken[…]} and
     * {@code ExpoPushToken[…]} are Expo's; 64 to 200 hexadecimal digits are an APNs device token (Apple guarantees no length; at present
     * all have 64); everything else is a registration token of FCM, which contains a colon.
     */
    enum PushProvider {
        APNS("apns.signingKey", "apns.teamId", "apns.keyId", "apns.bundleId"),
        FCM("fcm.serviceAccount"),
        EXPO("expo.token");

        private static final Pattern EXPO_FORM = Pattern.compile("Expo(?:nent)?PushToken\\[[^\\]]+\\]");
        private static final Pattern APNS_FORM = Pattern.compile("[0-9A-Fa-f]{64,200}");

        private final List<String> secrets;

        PushProvider(String... secrets) {
            this.secrets = List.of(secrets);
        }

        static PushProvider of(String deviceToken) {
            if (EXPO_FORM.matcher(deviceToken).matches()) {
                return EXPO;
            }
            return APNS_FORM.matcher(deviceToken).matches() ? APNS : FCM;
        }

        /** The names of the secrets that the service needs (docs/admin-api.md B4). */
        List<String> secrets() {
            return secrets;
        }
    }
}
