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
        switch (outgoing) {
            case Outgoing.Question _ ->
                forward(record, DeliveryTopology.THROTTLE_EVENTS, DeliveryTopology.SEND_MESSAGES);
            // In this order: what the first has handed on by then, the second forgets.
            case Outgoing.UserErased _ -> forward(record, DeliveryTopology.THROTTLE_EVENTS,
                    DeliveryTopology.DELIVER_WEBHOOKS, DeliveryTopology.SEND_MESSAGES);
            case Outgoing told when canBeStale(told) && clock.millis() - told.at().toEpochMilli() > staleAfterMs ->
                counts.countStale();
            case Outgoing told -> forward(record, stepFor(told));
        }
    }

    private void forward(Record<byte[], Outgoing> record, String... steps) {
        for (String step : steps) {
            context.forward(record, step);
        }
    }

    /** Not what an operator asks for and waits for an answer to, nor what ends something. */
    private static boolean canBeStale(Outgoing outgoing) {
        return switch (outgoing) {
            case Outgoing.HookEvent _,Outgoing.BoardNews _,Outgoing.Message _ -> true;
            case Outgoing.HookTest _,Outgoing.HookRetry _,Outgoing.UserErased _,Outgoing.Question _ -> false;
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
            case Outgoing.UserErased _,Outgoing.Question _ -> throw new IllegalArgumentException("is for all of them");
        };
    }
}
