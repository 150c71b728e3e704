package dev.laurel.processors.delivery;

import dev.laurel.processors.topology.DeliveryTopology;
import dev.laurel.schemas.outbox.Outgoing;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Forwards each record of the outbox to its steps, and drops stale records, so that imports and replays send nothing. One task, one
 * thread.
 */
public final class OutgoingRouter extends ContextualProcessor<byte[], Outgoing, byte[], Outgoing> {

    private final InstantSource clock;
    private final long staleAfterMs;
    private final DeliveryCounts counts;

    /** @param clock of the instance */
    public OutgoingRouter(InstantSource clock, Duration staleAfter, DeliveryCounts counts) {
        this.clock = clock;
        this.staleAfterMs = staleAfter.toMillis();
        this.counts = counts;
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        Outgoing outgoing = record.value();
        switch (outgoing) {
            case Outgoing.Question _, Outgoing.UserErased _ ->
                forward(record, DeliveryTopology.DELIVER_WEBHOOKS, DeliveryTopology.SEND_MESSAGES);
            case Outgoing event when canBeStale(event) && clock.millis() - event.at().toEpochMilli() > staleAfterMs ->
                counts.count(DeliveryCounts.Kind.STALE);
            case Outgoing event -> forward(record, stepFor(event));
        }
    }

    private void forward(Record<byte[], Outgoing> record, String... steps) {
        for (String step : steps) {
            context().forward(record, step);
        }
    }

    /** Whether a record may be too old. Requests of operators and erasures never are. */
    private static boolean canBeStale(Outgoing outgoing) {
        return switch (outgoing) {
            case Outgoing.HookEvent _,Outgoing.LeaderboardEvent _,Outgoing.Message _ -> true;
            case Outgoing.HookTest _,Outgoing.HookRetry _,Outgoing.UserErased _,Outgoing.Question _ -> false;
        };
    }

    private static String stepFor(Outgoing outgoing) {
        return outgoing instanceof Outgoing.Message
                ? DeliveryTopology.SEND_MESSAGES
                : DeliveryTopology.DELIVER_WEBHOOKS;
    }
}
