package dev.laurel.query.http;

import dev.laurel.platform.http.Answers;
import dev.laurel.platform.http.PeerCalls;
import dev.laurel.platform.http.Sessions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.locate.NotReadyException.StorePartition;
import dev.laurel.query.locate.NotReadyException.Stores;
import dev.laurel.query.locate.OwnerTracker.Owner;
import dev.laurel.query.locate.OwnerTracker.PartitionOwners;
import dev.laurel.query.locate.Staleness;
import dev.laurel.query.peer.PeerClient;
import dev.laurel.query.peer.PeerClient.PeerAwayException;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Wraps handlers so that another node answers a request about a partition of that node. */
@FunctionalInterface
interface Relay {

    /** The relay of a single node, which wraps nothing. */
    Relay NONE = (_, handler) -> handler;

    /** The subject of a read, which determines how it is relayed. */
    enum Subject {
        /** One user. A copy answers while the owner does not respond. */
        USER,
        /** One leaderboard. */
        BOARD,
        /** All data of one user. The response may be long, so it is forwarded while it arrives. */
        EXPORT
    }

    Handler wrap(Subject subject, Handler handler);

    /**
     * Relays requests by HTTP. This node tries a request first, which costs nothing if it cannot answer. If the request is about a
     * partition that this node does not serve, it forwards the request to the owner and returns the response unchanged. It answers a
     * request from a peer itself or refuses it with 503; it never forwards it again. Thread-safe.
     *
     * <p>While the owner of a user does not respond, the copy on this node answers if there is one that is not too far behind;
     * otherwise a node that has a copy answers. The same holds for what a read of a user shows of other users. The response then has
     * the header {@value PeerCalls#STALE}.
     *
     * @param maxLag the number of records that a copy may be behind
     */
    record PeerRelay(PartitionOwners owners, PeerClient client, long maxLag) implements Relay {

        private static final Duration EXPORT_START_TIMEOUT = Duration.ofSeconds(10);
        private static final Duration EXPORT_TIMEOUT = Duration.ofMinutes(5);

        /** The request headers that are forwarded. */
        private static final List<String> REQUEST_HEADERS = List.of("X-API-KEY", "traceparent", "tracestate");

        private static final String REQUEST_ID = "X-Request-Id";
        private static final String TENANT = "Tenant-ID";

        /** The response headers that are returned. */
        private static final List<String> ANSWER_HEADERS =
                List.of("Content-Type", "Retry-After", "Cache-Control", "ETag", Query.Page.NEXT, PeerCalls.STALE);

        @Override
        public Handler wrap(Subject subject, Handler handler) {
            return context -> answer(context, handler, subject);
        }

        private void answer(Context context, Handler handler, Subject subject) throws Exception {
            try {
                handler.handle(context);
            } catch (NotReadyException e) {
                boolean isAnswered = e.partition() == null
                        ? subject == Subject.USER && e.isAboutOthers() && isAnsweredFromCopy(context, handler)
                        : isAnsweredElsewhere(context, handler, subject, e.partition());
                if (!isAnswered) {
                    throw e;
                }
            }
        }

        private boolean isAnsweredElsewhere(Context context, Handler handler, Subject subject, StorePartition partition)
                throws Exception {
            boolean mayForward = !PeerCalls.isForwarded(context);
            Owner owner = owners.of(partition);
            String active = owner.active();
            if (mayForward
                    && active != null
                    && !active.equals(owners.self())
                    && isAnsweredBy(active, context, subject)) {
                return true;
            }
            if (subject != Subject.USER || partition.stores() != Stores.USERS) {
                return false;
            }
            if (isAnsweredFromCopy(context, handler)) {
                return true;
            }
            if (mayForward) {
                for (String standby : owner.standbys()) {
                    if (!standby.equals(owners.self()) && !standby.equals(active)) {
                        return isAnsweredBy(standby, context, subject); // only one of several is tried
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
                // A refusal, such as an unknown user, is a response, too.
                markStale(context, staleness);
                throw refusal;
            }
            markStale(context, staleness);
            return true;
        }

        static void markStale(Context context, Staleness staleness) {
            if (staleness.isStale()) {
                context.header(PeerCalls.STALE, Long.toString(staleness.lag()));
            }
        }

        private boolean isAnsweredBy(String peer, Context context, Subject subject) throws IOException {
            try {
                switch (subject) {
                    case USER, BOARD -> copyResponse(context, client.call(peer, callOf(context), PeerClient.TIMEOUT));
                    case EXPORT ->
                        client.stream(peer, callOf(context), EXPORT_START_TIMEOUT, EXPORT_TIMEOUT, answer -> {
                            copyHead(context, answer.statusCode(), answer.headers());
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
            List<String> sessions = Sessions.cookiesOf(context, Sessions.COOKIE);
            if (sessions.size() == 1) { // more than one are refused
                headers.put("Cookie", Sessions.COOKIE + "=" + sessions.getFirst());
            }
            String tenant = PeerCalls.tenantToForward(context);
            if (tenant != null) {
                headers.put(TENANT, tenant);
            }
            String query = context.req().getQueryString();
            String path = PeerCalls.legal(context.req().getRequestURI());
            return new PeerClient.Call(query == null ? path : path + "?" + PeerCalls.legal(query), headers, null);
        }

        private static void copyResponse(Context context, HttpResponse<byte[]> answer) {
            Answers.answer(context, answer.statusCode(), answer.body());
            copyHead(context, answer.statusCode(), answer.headers());
        }

        private static void copyHead(Context context, int status, HttpHeaders headers) {
            context.status(status);
            for (String name : ANSWER_HEADERS) {
                headers.firstValue(name).ifPresent(value -> context.header(name, value));
            }
        }
    }
}
