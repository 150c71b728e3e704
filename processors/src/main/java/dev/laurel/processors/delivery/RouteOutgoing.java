package dev.laurel.processors.delivery;

import dev.laurel.processors.topology.DeliveryTopology;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.ruleset.WebhookEvent;
import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Hands what is to leave the instance to the step that it is for, and drops what happened too long ago: imports and replays
 * tell nobody. One task, one thread.
 */
public final class RouteOutgoing implements Processor<byte[], Outgoing, byte[], Outgoing> {

    private final InstantSource clock;
    private final long staleAfterMs;
    private final DeliveryCounts counts;
    private ProcessorContext<byte[], Outgoing> context;

    /** @param clock of the instance */
    public RouteOutgoing(InstantSource clock, Duration staleAfter, DeliveryCounts counts) {
        this.clock = clock;
        this.staleAfterMs = staleAfter.toMillis();
        this.counts = counts;
    }

    @Override
    public void init(ProcessorContext<byte[], Outgoing> processorContext) {
        context = processorContext;
    }

    @Override
    public void process(Record<byte[], Outgoing> record) {
        Outgoing outgoing = record.value();
        if (outgoing instanceof Outgoing.Question) {
            context.forward(record, DeliveryTopology.THROTTLE_EVENTS);
            context.forward(record, DeliveryTopology.SEND_MESSAGES);
            return;
        }
        boolean isTold = !(outgoing instanceof Outgoing.UserErased);
        if (isTold && clock.millis() - outgoing.at().toEpochMilli() > staleAfterMs) {
            counts.countStale();
            return;
        }
        context.forward(record, stepFor(outgoing));
    }

    /** webhooks.md §3: what is throttled takes the way round. */
    private static String stepFor(Outgoing outgoing) {
        return switch (outgoing) {
            case Outgoing.HookEvent event -> event.event() == WebhookEvent.POINTS_CHANGED
                    ? DeliveryTopology.THROTTLE_EVENTS
                    : DeliveryTopology.DELIVER_WEBHOOKS;
            case Outgoing.BoardNews _ -> DeliveryTopology.THROTTLE_EVENTS;
            case Outgoing.HookTest _,Outgoing.HookRetry _ -> DeliveryTopology.DELIVER_WEBHOOKS;
            case Outgoing.Message _,Outgoing.UserErased _ -> DeliveryTopology.SEND_MESSAGES;
            case Outgoing.Question _ -> throw new IllegalArgumentException("is for all of them");
        };
    }
}
