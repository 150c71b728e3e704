package dev.laurel.schemas.topic;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.admin.Edit;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.BoardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.SendMark;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.RulesetKey;
import dev.laurel.schemas.serde.JsonSerdes;
import dev.laurel.schemas.topic.Topic.Partitioning;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.Serdes;

/** Every topic of Laurel. Names and keys are durable data: they never change. */
public final class Topics {

    /**
     * The largest record of any topic, changelogs included. A body of 1 MiB fits with its envelope, and so does a user with
     * every attribute and token at its limit; Kafka's own default of 1 MiB would stop a task at such a user.
     */
    public static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

    private static final String MAX_RECORD = Integer.toString(MAX_RECORD_BYTES);

    /**
     * The whole input, kept forever; a direct producer writes it too, so its values are read by {@code CommandJson} with
     * care. Record timestamps are command times and are never touched.
     */
    public static final Topic<UserKey, Command> COMMANDS = new Topic<>("laurel.commands", JsonSerdes.userKey(),
            JsonSerdes.command(), Partitioning.USERS, Map.of(TopicConfig.RETENTION_MS_CONFIG, "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG, "-1", TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime",
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG, MAX_RECORD));

    public static final Topic<TenantId, Edit> RULESET_EDITS = new Topic<>("laurel.ruleset-edits",
            JsonSerdes.tenant(), JsonSerdes.of(Edit.class), Partitioning.ONE, keptFor(Duration.ofDays(7)));

    public static final Topic<RulesetKey, Ruleset> RULESETS = new Topic<>("laurel.rulesets", JsonSerdes.rulesetKey(),
            JsonSerdes.of(Ruleset.class), Partitioning.ONE, compacted());

    /**
     * API keys as hashes, and tenants, by {@link AccessRecord#recordKey}. Written by the one writer of edits; times of use by
     * those that saw them.
     */
    public static final Topic<String, AccessRecord> ACCESS = new Topic<>("laurel.access", Serdes.String(),
            JsonSerdes.of(AccessRecord.class), Partitioning.ONE, compacted());

    /** Absolute values for leaderboards, from the ledger application to the boards application. */
    public static final Topic<byte[], byte[]> SCORES = new Topic<>("laurel.scores", Serdes.ByteArray(),
            Serdes.ByteArray(), Partitioning.BOARDS, keptFor(Duration.ofDays(7)));

    /** What a value must reach to matter to a full leaderboard. */
    public static final Topic<byte[], byte[]> BOARD_FLOORS = new Topic<>("laurel.board-floors", Serdes.ByteArray(),
            Serdes.ByteArray(), Partitioning.ONE, compacted());

    /**
     * What followed, keyed by {@link UserKey} or {@link BoardKey}, or as {@link TenantId#bytes}: the facts of each in their
     * order.
     */
    public static final Topic<byte[], Effect> EFFECTS = new Topic<>("laurel.effects", Serdes.ByteArray(),
            JsonSerdes.effect(), Partitioning.USERS, keptFor(Duration.ofDays(30)));

    /** Answers to waiting gateways: the body as bytes, the rest in {@link ReplyHeaders}. */
    public static final Topic<byte[], byte[]> REPLIES = new Topic<>("laurel.replies", Serdes.ByteArray(),
            Serdes.ByteArray(), Partitioning.GATEWAYS, keptFor(Duration.ofHours(1)));

    /** Records of the log that could not be used, with the reason. */
    public static final Topic<byte[], Rejection> REJECTIONS = new Topic<>("laurel.rejections", Serdes.ByteArray(),
            JsonSerdes.of(Rejection.class), Partitioning.ONE, keptFor(Duration.ofDays(30)));

    /** What is to leave the instance, keyed as {@link #EFFECTS}; kept as long as the log of deliveries. */
    public static final Topic<byte[], Outgoing> OUTBOX = new Topic<>("laurel.outbox", Serdes.ByteArray(),
            JsonSerdes.of(Outgoing.class), Partitioning.USERS, keptFor(Duration.ofDays(7)));

    /** Who is about to send which message, keyed as {@link #OUTBOX} and partitioned like it. */
    public static final Topic<byte[], SendMark> SEND_MARKS = new Topic<>("laurel.send-marks", Serdes.ByteArray(),
            JsonSerdes.of(SendMark.class), Partitioning.USERS, keptFor(Duration.ofDays(7)));

    /** Which folds of the log there are, by number, and which of them is in force; see {@link GenerationRecord}. */
    public static final Topic<Integer, GenerationRecord> GENERATIONS = new Topic<>("laurel.generations",
            JsonSerdes.number(), JsonSerdes.of(GenerationRecord.class), Partitioning.ONE, compacted());

    private static final List<Topic<?, ?>> ALL = List.of(COMMANDS, RULESET_EDITS, RULESETS, ACCESS, SCORES,
            BOARD_FLOORS, EFFECTS, REPLIES, REJECTIONS, OUTBOX, SEND_MARKS, GENERATIONS);

    private Topics() {}

    public static List<Topic<?, ?>> all() {
        return ALL;
    }

    /**
     * Retention counts from arrival, not from the time in the record: what an import of old history causes must not
     * be gone before anyone could read it.
     */
    private static Map<String, String> keptFor(Duration retention) {
        return Map.of(TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis()),
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "LogAppendTime", TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                MAX_RECORD);
    }

    private static Map<String, String> compacted() {
        return Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG, MAX_RECORD);
    }
}
