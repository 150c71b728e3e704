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
        if (canBeStale(outgoing) && clock.millis() - outgoing.at().toEpochMilli() > staleAfterMs) {
            counts.countStale();
            return;
        }
        if (outgoing instanceof Outgoing.UserErased) {
            // In this order: what the first has handed on by then, the second forgets.
            context.forward(record, DeliveryTopology.THROTTLE_EVENTS);
            context.forward(record, DeliveryTopology.DELIVER_WEBHOOKS);
            context.forward(record, DeliveryTopology.SEND_MESSAGES);
        } else {
            context.forward(record, stepFor(outgoing));
        }
    }

    /** Not what an operator asks for and waits for an answer to, nor what ends something. */
    private static boolean canBeStale(Outgoing outgoing) {
        return switch (outgoing) {
            case Outgoing.HookEvent _,Outgoing.BoardNews _,Outgoing.Message _ -> true;
            case Outgoing.HookTest _,Outgoing.HookRetry _,Outgoing.UserErased _ -> false;
        };
    }

    /** webhooks.md §3: what is throttled takes the way round. */
    private static String stepFor(Outgoing outgoing) {
        return switch (outgoing) {
            case Outgoing.HookEvent event -> event.event() == WebhookEvent.POINTS_CHANGED
                    ? DeliveryTopology.THROTTLE_EVENTS
                    : DeliveryTopology.DELIVER_WEBHOOKS;
            case Outgoing.BoardNews _ -> DeliveryTopology.THROTTLE_EVENTS;
            case Outgoing.HookTest _,Outgoing.HookRetry _ -> DeliveryTopology.DELIVER_WEBHOOKS;
            case Outgoing.Message _ -> DeliveryTopology.SEND_MESSAGES;
            case Outgoing.UserErased _ -> throw new IllegalArgumentException("each step is told of that");
        };
    }
}
