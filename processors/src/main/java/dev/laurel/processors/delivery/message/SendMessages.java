package dev.laurel.processors.delivery.message;

import dev.laurel.processors.store.MessageStores;
import dev.laurel.schemas.command.NotificationChannel;
import dev.laurel.schemas.ruleset.Rulesets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The step that sends messages: makes the processor of each task, with the store it owns. {@link #close} it after the
 * application.
 */
public final class SendMessages implements ProcessorSupplier<byte[], Object, Integer, byte[]>, AutoCloseable {

    private static final Duration PATIENCE_AT_CLOSE = Duration.ofSeconds(5);
    private static final int MAX_UNDER_WAY = 256;

    /**
     * Not more than a mail server has connections: what is marked and waits for one would be doubtful after a kill, though it
     * was never on its way.
     */
    private static final int MAX_UNDER_WAY_PER_LANE = 8;

    private static final Executor VIRTUAL_THREADS = task -> Thread.ofVirtual().name("message").start(task);

    private final MessageDesk.Outside outside;
    private final Runnable closing;

    /**
     * @param clientConfig of the producers of marks and commands
     * @param log which topic the commands go to
     * @param rulesets have the templates
     * @param senders by channel; what is for another one is refused
     * @param clock of the instance
     * @param staleAfter what is older is not sent; never more than {@code Delivery.MAX_AGE}
     */
    public SendMessages(Map<String, Object> clientConfig, Supplier<String> log, Rulesets rulesets,
            Map<NotificationChannel, MessageSender> senders, InstantSource clock, Duration staleAfter) {
        var topics = new MessageTopics(clientConfig, log, clock);
        this.outside = new MessageDesk.Outside(topics, new Courier(rulesets, senders, topics), VIRTUAL_THREADS, clock,
                staleAfter, PATIENCE_AT_CLOSE, new SendLimits(MAX_UNDER_WAY, MAX_UNDER_WAY_PER_LANE),
                new MessageCounts());
        this.closing = topics::close;
    }

    /** For tests, with everything outside made by them. */
    SendMessages(MessageDesk.Outside outside) {
        this.outside = outside;
        this.closing = () -> {
            // they are the test's
        };
    }

    @Override
    public Processor<byte[], Object, Integer, byte[]> get() {
        return new MessageProcessor(outside);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return MessageStores.builders();
    }

    /** How messages ended. */
    public MessageCounts counts() {
        return outside.counts();
    }

    @Override
    public void close() {
        closing.run();
    }
}
