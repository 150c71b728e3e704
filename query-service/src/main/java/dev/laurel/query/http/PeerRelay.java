package dev.laurel.query.http;

import dev.laurel.query.locate.OwnerMap.Owner;
import dev.laurel.query.locate.Ownership;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.peer.PeerAwayException;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.read.NotReadyException.Place;
import dev.laurel.query.read.NotReadyException.Stores;
import dev.laurel.query.read.NotReadyException;
import dev.laurel.schemas.http.HttpServer;
import dev.laurel.schemas.http.PeerCalls;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Relays by HTTP. A request is tried here first: that costs nothing, and who has what needs not be known twice. When it turns
 * out to be about a partition that is not read here, it goes to the owner, whose answer is passed on byte for byte. A request
 * that comes from a peer is answered here or refused with 503: it never goes on. Thread-safe.
 *
 * <p>While the owner of a user is away, the copy here answers, if there is one and it is not too far behind, else a node that
 * has one; so it is with what a read of a user shows of others. The answer says so in {@value PeerCalls#STALE}.
 */
public final class PeerRelay implements Relay {

    private static final Duration EXPORT_BEGINS = Duration.ofSeconds(10);
    private static final Duration EXPORT_ENDS = Duration.ofMinutes(5);

    /** What a client says that the owner has to know. */
    private static final List<String> REQUEST_HEADERS = List.of("X-API-KEY", "traceparent", "tracestate");
    private static final String REQUEST_ID = "X-Request-Id";
    private static final String TENANT = "Tenant-ID";

    /** What the owner says that the client has to know. */
    private static final List<String> ANSWER_HEADERS = List.of("Content-Type", "Retry-After", "Cache-Control", "ETag",
            PeerCalls.STALE);

    private final Ownership ownership;
    private final PeerClient client;
    private final long maxLag;

    private enum Kind {
        USER, BOARD, EXPORT
    }

    /** @param maxLag how many records a copy may be behind */
    public PeerRelay(Ownership ownership, PeerClient client, long maxLag) {
        this.ownership = ownership;
        this.client = client;
        this.maxLag = maxLag;
    }

    @Override
    public Handler ofUser(Handler handler) {
        return context -> answer(context, handler, Kind.USER);
    }

    @Override
    public Handler ofBoard(Handler handler) {
        return context -> answer(context, handler, Kind.BOARD);
    }

    @Override
    public Handler ofExport(Handler handler) {
        return context -> answer(context, handler, Kind.EXPORT);
    }

    private void answer(Context context, Handler handler, Kind kind) throws Exception {
        try {
            handler.handle(context);
        } catch (NotReadyException e) {
            boolean isAnswered = e.place() == null
                    ? kind == Kind.USER && e.isAboutOthers() && isAnsweredFromCopy(context, handler)
                    : isAnsweredElsewhere(context, handler, kind, e.place());
            if (!isAnswered) {
                throw e;
            }
        }
    }

    private boolean isAnsweredElsewhere(Context context, Handler handler, Kind kind, Place place) throws Exception {
        boolean mayGo = !PeerCalls.isForwarded(context);
        Owner owner = ownership.of(place);
        String active = owner.active();
        if (mayGo && active != null && !active.equals(ownership.self()) && isAnsweredBy(active, context, kind)) {
            return true;
        }
        if (kind != Kind.USER || place.stores() != Stores.USERS) {
            return false;
        }
        if (isAnsweredFromCopy(context, handler)) {
            return true;
        }
        if (mayGo) {
            for (String standby : owner.standbys()) {
                if (!standby.equals(ownership.self()) && !standby.equals(active)) {
                    return isAnsweredBy(standby, context, kind); // of several, one has its chance
                }
            }
        }
        return false;
    }

    private boolean isAnsweredFromCopy(Context context, Handler handler) throws Exception {
        var staleness = new Staleness(maxLag);
        try {
            ScopedValue.where(Staleness.CURRENT, staleness).call(() -> {
                handler.handle(context);
                return null;
            });
        } catch (NotReadyException _) {
            return false;
        } catch (Exception refusal) {
            // That there is no such user is an answer, too.
            markStale(context, staleness);
            throw refusal;
        }
        markStale(context, staleness);
        return true;
    }

    private static void markStale(Context context, Staleness staleness) {
        if (staleness.isStale()) {
            context.header(PeerCalls.STALE, Long.toString(staleness.lag()));
        }
    }

    private boolean isAnsweredBy(String peer, Context context, Kind kind) throws IOException {
        try {
            switch (kind) {
                case USER, BOARD -> pass(context, client.call(peer, callOf(context), PeerClient.TIMEOUT));
                case EXPORT -> client.stream(peer, callOf(context), EXPORT_BEGINS, EXPORT_ENDS, answer -> {
                    passHead(context, answer.statusCode(), answer.headers());
                    answer.body().transferTo(context.outputStream());
                });
            }
            return true;
        } catch (PeerAwayException _) {
            return false;
        }
    }

    private static PeerClient.Call callOf(Context context) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(PeerCalls.FORWARDED, "1");
        headers.put(REQUEST_ID, context.res().getHeader(REQUEST_ID));
        for (String name : REQUEST_HEADERS) {
            String value = context.header(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        String tenant = PeerCalls.tenantToForward(context);
        if (tenant != null) {
            headers.put(TENANT, tenant);
        }
        String query = context.req().getQueryString();
        String path = PeerCalls.legal(context.req().getRequestURI());
        return new PeerClient.Call(query == null ? path : path + "?" + PeerCalls.legal(query), headers, null);
    }

    private static void pass(Context context, HttpResponse<byte[]> answer) {
        HttpServer.answer(context, answer.statusCode(), answer.body());
        passHead(context, answer.statusCode(), answer.headers());
    }

    private static void passHead(Context context, int status, HttpHeaders headers) {
        context.status(status);
        for (String name : ANSWER_HEADERS) {
            headers.firstValue(name).ifPresent(value -> context.header(name, value));
        }
    }
}
