package dev.laurel.processors.delivery.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.laurel.schemas.access.AccessBook;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessView;
import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.key.TenantId;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The services as the tenants have set them up, made when a message needs one and made anew when its secrets have changed.
 * Those that nobody needs for long are put away. Thread-safe.
 */
final class PushServices implements AutoCloseable {

    private static final int MAX_OPEN = 1000;
    private static final Duration PUT_AWAY_AFTER = Duration.ofHours(1);

    private record Place(TenantId tenant, Carrier carrier) {}

    /** No record: the secrets must not end up in a log. */
    private static final class Open {

        private final Map<String, String> secrets;
        private final PushService service;

        Open(Map<String, String> secrets, PushService service) {
            this.secrets = secrets;
            this.service = service;
        }
    }

    private final AccessView access;
    private final PushEndpoints endpoints;
    private final InstantSource clock;
    private final PushHttp http;
    private final Cache<Place, Open> services = Caffeine.newBuilder().maximumSize(MAX_OPEN)
            .expireAfterAccess(PUT_AWAY_AFTER).executor(Runnable::run)
            .removalListener((Place _, Open open, RemovalCause _) -> open.service.close()).build();
    private EventLoopGroup loop;
    private volatile boolean isClosed;

    PushServices(AccessView access, PushEndpoints endpoints, InstantSource clock) {
        this.access = access;
        this.endpoints = endpoints;
        this.clock = clock;
        this.http = new PushHttp(endpoints.trusted(), endpoints.timeout());
    }

    PushService of(TenantId tenant, Carrier carrier) {
        if (isClosed) {
            return new PushService.Unusable(new TokenFate.NotSent("this process is being stopped"));
        }
        Map<String, String> secrets = secrets(tenant, carrier);
        if (secrets.size() < carrier.secrets().size()) {
            return refusing(missing(carrier, secrets));
        }
        var place = new Place(tenant, carrier);
        Open found = services.getIfPresent(place);
        if (found == null || !found.secrets.equals(secrets)) {
            found = services.asMap().compute(place, (_, before) -> before != null && before.secrets.equals(secrets)
                    ? before
                    : new Open(secrets, open(tenant, carrier, secrets)));
        }
        return found.service;
    }

    private static PushService refusing(String reason) {
        return new PushService.Unusable(new TokenFate.Refused(reason));
    }

    private Map<String, String> secrets(TenantId tenant, Carrier carrier) {
        AccessBook book = access.book();
        var secrets = new HashMap<String, String>();
        for (String name : carrier.secrets()) {
            String value = book.secret(tenant, Secret.CHANNELS, name);
            if (value != null) {
                secrets.put(name, value);
            }
        }
        return secrets;
    }

    private static String missing(Carrier carrier, Map<String, String> secrets) {
        List<String> names = carrier.secrets().stream().filter(name -> !secrets.containsKey(name)).toList();
        return "a device needs " + carrier.name() + ", which is not set up: there is no "
                + names.stream().collect(Collectors.joining(", "));
    }

    private PushService open(TenantId tenant, Carrier carrier, Map<String, String> secrets) {
        try {
            return switch (carrier) {
                case APNS -> Apns.open(secrets, loop(), endpoints, clock);
                case FCM -> Fcm.open(secrets.get("fcm.serviceAccount"), new TenantHttp(http, tenant), endpoints, clock);
                case EXPO -> Expo.open(secrets.get("expo.token"), new TenantHttp(http, tenant), endpoints);
            };
        } catch (BadInputException e) {
            return refusing(e.getMessage());
        }
    }

    /** Of the old kind of loop, since Pushy goes by its name when it looks for the kind of channel. */
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
}
