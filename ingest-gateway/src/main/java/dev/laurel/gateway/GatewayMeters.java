package dev.laurel.gateway;

import dev.laurel.gateway.publish.KafkaPublisher;
import dev.laurel.gateway.reply.Exchange;
import dev.laurel.gateway.reply.ExchangeCounts.Ending;
import dev.laurel.gateway.reply.ExchangeCounts.Reason;
import dev.laurel.gateway.reply.PartsPatience;
import dev.laurel.gateway.reply.ReplyConsumer;
import dev.laurel.gateway.reply.Waiters;
import dev.laurel.schemas.metrics.MeterName;
import dev.laurel.schemas.metrics.MeterScope;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;

/** What a gateway tells of itself. */
final class GatewayMeters {

    private static final MeterName IN_FLIGHT = MeterName.of("laurel.gateway.in.flight",
            "Places that are taken: requests that are not answered, or not acknowledged by the log.");
    private static final MeterName IN_FLIGHT_LIMIT = MeterName.of("laurel.gateway.in.flight.limit",
            "Places that there are; when all are taken, requests get 503.");
    private static final MeterName WAITERS = MeterName.of("laurel.gateway.waiters",
            "Requests that wait for their answer.");
    private static final MeterName AWAITED = MeterName.of("laurel.gateway.leaderboards.awaited",
            "1 while answers wait for leaderboards; 0 while they go out without, since these have not answered in time.");
    private static final MeterName UNACKNOWLEDGED = MeterName.of("laurel.gateway.unacknowledged",
            "Records on their way to the log.");
    private static final MeterName ANSWERS = MeterName.of("laurel.gateway.answers",
            "Requests that went to the log, by how the wait for their answer ended.");
    private static final MeterName TURNED_AWAY = MeterName.of("laurel.gateway.turned.away",
            "Requests that got 503 before anything was stored, by why.");
    private static final MeterName UNREADABLE = MeterName.of("laurel.gateway.replies.unreadable",
            "Records in the gateway's partition of answers that were none, and were passed over.");

    private GatewayMeters() {}

    static void register(MeterScope meters, Exchange exchange, Waiters waiters, PartsPatience patience,
            KafkaPublisher publisher, ReplyConsumer replies) {
        meters.gauge(IN_FLIGHT, Tags.empty(), exchange::inFlight);
        meters.gauge(IN_FLIGHT_LIMIT, Tags.empty(), exchange::maxInFlight);
        meters.gauge(WAITERS, Tags.empty(), waiters::count);
        meters.gauge(AWAITED, Tags.empty(), () -> patience.isThere() ? 1 : 0);
        meters.gauge(UNACKNOWLEDGED, Tags.empty(), publisher::unacknowledged);
        for (Ending how : Ending.values()) {
            meters.counter(ANSWERS, Tags.of("outcome", name(how)), () -> exchange.counts().ended(how));
        }
        for (Reason reason : Reason.values()) {
            meters.counter(TURNED_AWAY, Tags.of("reason", name(reason)), () -> exchange.counts().turnedAway(reason));
        }
        meters.counter(UNREADABLE, Tags.empty(), replies::unreadable);
    }

    private static String name(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
