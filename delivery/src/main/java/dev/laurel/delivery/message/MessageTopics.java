package dev.laurel.delivery.message;

import dev.laurel.delivery.message.AttemptRunner.DeadTokens;
import dev.laurel.delivery.message.MessageDispatcher.MarkLog;
import dev.laurel.processors.stream.Appender;
import dev.laurel.schemas.command.Command.DropDeviceTokens;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.RulesetHeader;
import dev.laurel.schemas.topic.Topics;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes marks and commands, with producers of its own. Thread-safe. */
final class MessageTopics implements MarkLog, DeadTokens, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MessageTopics.class);

    private final Appender marks;
    private final Appender commands;
    private final InstantSource clock;
    private final ToLongFunction<TenantId> rulesetVersion;

    /**
     * @param log names the topic of commands
     * @param clock gives the time of commands
     * @param rulesetVersion the newest version of a tenant's ruleset
     */
    MessageTopics(Map<String, Object> clientConfig, Supplier<String> log, InstantSource clock,
            ToLongFunction<TenantId> rulesetVersion) {
        this.marks = new Appender(clientConfig, Topics.SEND_MARKS.name());
        this.commands = new Appender(clientConfig, log);
        this.clock = clock;
        this.rulesetVersion = rulesetVersion;
    }

    @Override
    public CompletionStage<?> append(int partition, byte[] key, SendMark mark) {
        return marks.append(partition, null, key,
                Topics.SEND_MARKS.value().serializer().serialize(Topics.SEND_MARKS.name(), mark));
    }

    @Override
    public void drop(UserKey user, List<String> tokens) {
        var command = new DropDeviceTokens(UserChange.mention(user.user()), tokens);
        commands.append(null, clock.millis(), user.bytes(), CommandJson.write(command),
                headers -> RulesetHeader.write(headers, rulesetVersion.applyAsLong(user.tenant())))
                .whenComplete((_, failure) -> {
                    if (failure != null) {
                        LOG.warn("Could not remove {} dead device tokens; the next message to them tries again",
                                tokens.size(), failure);
                    }
                });
    }

    @Override
    public void close() {
        marks.close();
        commands.close();
    }
}
