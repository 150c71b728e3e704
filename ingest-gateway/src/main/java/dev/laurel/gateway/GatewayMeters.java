package dev.laurel.gateway;

import dev.laurel.gateway.publish.KafkaPublisher;
import dev.laurel.gateway.reply.LeaderboardCircuitBreaker;
import dev.laurel.gateway.reply.ReplyConsumer;
import dev.laurel.gateway.reply.RequestCounts.Ending;
import dev.laurel.gateway.reply.RequestCounts.Reason;
import dev.laurel.gateway.reply.RequestReplyClient;
import dev.laurel.gateway.reply.Waiters;
import dev.laurel.platform.metrics.MeterScope.MeterName;
import dev.laurel.platform.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.function.IntSupplier;

/** The meters of a gateway. */
final class GatewayMeters {

    private static final MeterName IN_FLIGHT = MeterName.of("laurel.gateway.in.flight",
            "Requests in flight: not answered yet, or not acknowledged by the log yet.");
    private static final MeterName IN_FLIGHT_LIMIT = MeterName.of("laurel.gateway.in.flight.limit",
            "Maximum number of requests in flight; further requests are answered 503.");
    private static final MeterName WAITERS = MeterName.of("laurel.gateway.waiters",
            "Requests that wait for their answer.");
    private static final MeterName AWAITED = MeterName.of("laurel.gateway.leaderboards.awaited",
            "1 while answers wait for leaderboards; 0 while they are sent without them, because leaderboards have not replied in time.");
    private static final MeterName UNACKNOWLEDGED = MeterName.of("laurel.gateway.unacknowledged",
            "Records that were sent to the log and are not acknowledged yet.");
    private static final MeterName ANSWERS = MeterName.of("laurel.gateway.answers",
            "Requests that were sent to the log, by the outcome of the wait for their answer.");
    private static final MeterName TURNED_AWAY = MeterName.of("laurel.gateway.turned.away",
            "Requests that were answered 503 before anything was stored, by reason.");
    private static final MeterName UNREADABLE = MeterName.of("laurel.gateway.replies.unreadable",
            "Records in the gateway's reply partition that are not replies and were skipped.");

    private static final MeterName REPLY_PARTITION = MeterName.of("laurel.gateway.reply.partition",
            "Partition of laurel.replies through which new requests get their answers.");
    private static final MeterName MEMBERS = MeterName.of("laurel.gateway.members",
            "Live gateways of the instance, as this one sees them; each enforces its share of the rate limits.");

    private GatewayMeters() {}

    static void register(MeterScope meters, RequestReplyClient client, Waiters waiters,
            LeaderboardCircuitBreaker breaker, KafkaPublisher publisher, ReplyConsumer replies,
            IntSupplier gateways) {
        meters.gauge(IN_FLIGHT, Tags.empty(), client::inFlight);
        meters.gauge(IN_FLIGHT_LIMIT, Tags.empty(), client::maxInFlight);
        meters.gauge(WAITERS, Tags.empty(), waiters::count);
        meters.gauge(AWAITED, Tags.empty(), () -> breaker.isClosed() ? 1 : 0);
        meters.gauge(UNACKNOWLEDGED, Tags.empty(), publisher::unacknowledged);
        for (Ending how : Ending.values()) {
            meters.counter(ANSWERS, Tags.of("outcome", name(how)), () -> client.counts().ended(how));
        }
        for (Reason reason : Reason.values()) {
            meters.counter(TURNED_AWAY, Tags.of("reason", name(reason)), () -> client.counts().turnedAway(reason));
        }
        meters.counter(UNREADABLE, Tags.empty(), replies::unreadable);
        meters.gauge(REPLY_PARTITION, Tags.empty(), replies::partition);
        meters.gauge(MEMBERS, Tags.empty(), gateways::getAsInt);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
