package dev.laurel.delivery.message;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;

import dev.laurel.delivery.DeliveryCounters;
import dev.laurel.delivery.DeliveryCounts;
import dev.laurel.delivery.message.AttemptRunner.DeadTokens;
import dev.laurel.delivery.message.MessageDispatcher.MarkLog;
import dev.laurel.delivery.queue.DeliveryScheduler.InFlightLimits;
import dev.laurel.delivery.store.MessageStore;
import dev.laurel.processors.stream.Appender;
import dev.laurel.schemas.command.Command.DropDeviceTokens;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Notifications.NotificationChannel;
import dev.laurel.schemas.ruleset.Rulesets;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.RulesetHeader;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The sending of messages of this process. Thread-safe; closed after the tasks. */
public final class Messages implements AutoCloseable {

    private static final int MAX_IN_FLIGHT = 256;

    /**
     * At most the number of connections to a mail server: a marked message that waits for a connection would be doubtful after
     * a kill, although it was never sent.
     */
    private static final int MAX_IN_FLIGHT_PER_CHANNEL = 8;

    private static final Executor VIRTUAL_THREADS =
            task -> Thread.ofVirtual().name("message").start(task);

    private final MessageDispatcher.Environment environment;
    private final List<Appender> producers;

    /**
     * @param clientConfig of the producers of marks and commands
     * @param log names the topic of commands
     * @param rulesets contain the templates
     * @param senders by channel; messages for other channels are refused
     * @param clock of the instance
     * @param staleAfter the age from which a message is not sent; at most {@code MessageDelivery.MAX_AGE}
     */
    public Messages(
            Map<String, Object> clientConfig,
            Supplier<String> log,
            Rulesets rulesets,
            Map<NotificationChannel, MessageSender> senders,
            InstantSource clock,
            Duration staleAfter,
            DeliveryCounts counts) {
        var marks = new Appender(clientConfig, Topics.SEND_MARKS.name());
        var commands = new Appender(clientConfig, log);
        var topics = new MessageTopics(marks, commands, clock, rulesets);
        this.environment = new MessageDispatcher.Environment(
                topics,
                new AttemptRunner(rulesets, senders, topics),
                VIRTUAL_THREADS,
                clock,
                staleAfter,
                CLOSE_TIMEOUT,
                new InFlightLimits.Shared(MAX_IN_FLIGHT, MAX_IN_FLIGHT_PER_CHANNEL),
                counts);
        this.producers = List.of(marks, commands);
    }

    /** For tests, which close their environment themselves. */
    Messages(MessageDispatcher.Environment environment) {
        this.environment = environment;
        this.producers = List.of();
    }

    /** Starts a life of a task. @param partition of the task */
    public MessageDispatcher open(KeyValueStore<Bytes, byte[]> deliveries, DeliveryCounters counters, int partition) {
        return new MessageDispatcher(new MessageStore(deliveries), environment, counters, partition, UUID.randomUUID());
    }

    @Override
    public void close() {
        producers.forEach(Appender::close);
    }

    /**
     * Writes marks and commands. Thread-safe.
     *
     * @param clock gives the time of commands
     */
    private record MessageTopics(Appender marks, Appender commands, InstantSource clock, Rulesets rulesets)
            implements MarkLog, DeadTokens {

        private static final Logger LOG = LoggerFactory.getLogger(MessageTopics.class);

        @Override
        public CompletionStage<?> append(int partition, byte[] key, SendMark mark) {
            return marks.append(
                    partition,
                    null,
                    key,
                    Topics.SEND_MARKS.value().serializer().serialize(Topics.SEND_MARKS.name(), mark));
        }

        @Override
        public void drop(UserKey user, List<String> tokens) {
            var command = new DropDeviceTokens(UserChange.mention(user.user()), tokens);
            commands.append(
                            null,
                            clock.millis(),
                            user.bytes(),
                            CommandJson.write(command),
                            headers -> RulesetHeader.write(headers, rulesets.newestVersion(user.tenant())))
                    .whenComplete((_, failure) -> {
                        if (failure != null) {
                            LOG.warn(
                                    "Could not remove {} dead device tokens; the next message to them tries again",
                                    tokens.size(),
                                    failure);
                        }
                    });
        }
    }
}
