package dev.laurel.schemas.topic;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.audit.AuditRecord;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.edit.Edit;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.LeaderboardKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.outbox.Outgoing;
import dev.laurel.schemas.outbox.Outgoing.SendMark;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.ruleset.Ruleset.RulesetKey;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.serde.Json;
import dev.laurel.schemas.topic.Topic.Partitioning;
import java.net.URLDecoder;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.jspecify.annotations.Nullable;

/** The topics of Laurel. Names and keys are durable data and never change. */
public final class Topics {

    /**
     * The maximum size of a record of any topic, including changelogs. It suffices for a body of 1 MiB with its
     * envelope and for a user with all attributes and tokens at their limits; such a user exceeds Kafka's default of 1
     * MiB, which would stop the task.
     */
    public static final int MAX_RECORD_BYTES = 4 * 1024 * 1024;

    private static final String MAX_RECORD = Integer.toString(MAX_RECORD_BYTES);

    /**
     * The whole input, kept forever. Programs with the right may write it themselves, so {@code CommandJson} validates its values.
     * Record timestamps are the times of the commands and never change.
     */
    public static final Topic<UserKey, Command> COMMANDS = new Topic<>(
            Generation.COMMANDS,
            userKey(),
            command(),
            Partitioning.USERS,
            Map.of(
                    TopicConfig.RETENTION_MS_CONFIG,
                    "-1",
                    TopicConfig.RETENTION_BYTES_CONFIG,
                    "-1",
                    TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                    "CreateTime",
                    TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                    MAX_RECORD));

    /**
     * Commands of direct producers for users of any tenant, before they are checked; see {@link DirectTopics}. Timestamps are the times
     * of the commands, so no retention may depend on them: the intake deletes what it has taken.
     */
    public static final Topic<UserKey, Command> DIRECT =
            new Topic<>("laurel.direct", userKey(), command(), Partitioning.USERS, COMMANDS.config());

    public static final Topic<TenantId, Edit> RULESET_EDITS = new Topic<>(
            "laurel.ruleset-edits", tenant(), of(Edit.class), Partitioning.ONE, keptFor(Duration.ofDays(7)));

    public static final Topic<RulesetKey, Ruleset> RULESETS =
            new Topic<>("laurel.rulesets", rulesetKey(), of(Ruleset.class), Partitioning.ONE, compacted());

    /**
     * Earlier versions of rulesets that Laurel 0.1 has moved here, which processes read when they need one; {@link #RULESETS} says at
     * which offset. They are part of the input like {@link #COMMANDS}, and kept forever. The key has the first version of a record.
     */
    public static final Topic<RulesetKey, byte[]> RULESET_ARCHIVE = new Topic<>(
            "laurel.ruleset-archive",
            rulesetKey(),
            Serdes.ByteArray(),
            Partitioning.ONE,
            with(COMMANDS.config(), TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE));

    /**
     * Hashes of API keys, and tenants, by {@link AccessRecord#recordKey}. The single writer of edits writes them; the
     * processes that accept keys write the times of use.
     */
    public static final Topic<String, AccessRecord> ACCESS =
            new Topic<>("laurel.access", Serdes.String(), of(AccessRecord.class), Partitioning.ONE, compacted());

    /** Absolute values for leaderboards, from the ledger to the boards. */
    public static final Topic<byte[], byte[]> SCORES = new Topic<>(
            Generation.SCORES,
            Serdes.ByteArray(),
            Serdes.ByteArray(),
            Partitioning.BOARDS,
            keptFor(Duration.ofDays(7)));

    /** Effects, keyed by {@link UserKey}, {@link LeaderboardKey} or {@link TenantId#bytes}, and ordered for each key. */
    public static final Topic<byte[], Effect> EFFECTS = new Topic<>(
            "laurel.effects", Serdes.ByteArray(), of(Effect.class), Partitioning.USERS, keptFor(Duration.ofDays(30)));

    /** Replies to waiting gateways: the body as bytes, the rest in {@link ReplyHeaders}. */
    public static final Topic<byte[], byte[]> REPLIES = new Topic<>(
            "laurel.replies",
            Serdes.ByteArray(),
            Serdes.ByteArray(),
            Partitioning.GATEWAYS,
            keptFor(Duration.ofHours(1)));

    /** Records of the log that were skipped because they are invalid, with the reason. */
    public static final Topic<byte[], Rejection> REJECTIONS = new Topic<>(
            "laurel.rejections",
            Serdes.ByteArray(),
            of(Rejection.class),
            Partitioning.ONE,
            keptFor(Duration.ofDays(30)));

    /** Events and messages to send, keyed like {@link #EFFECTS}; kept as long as the log of deliveries. */
    public static final Topic<byte[], Outgoing> OUTBOX = new Topic<>(
            "laurel.outbox", Serdes.ByteArray(), of(Outgoing.class), Partitioning.USERS, keptFor(Duration.ofDays(7)));

    /** Send marks, each of which reserves an attempt to send a message; keyed and partitioned like {@link #OUTBOX}. */
    public static final Topic<byte[], SendMark> SEND_MARKS = new Topic<>(
            "laurel.send-marks",
            Serdes.ByteArray(),
            of(SendMark.class),
            Partitioning.USERS,
            keptFor(Duration.ofDays(7)));

    /** The generations by number, and which of them is in force; see {@link GenerationRecord}. */
    public static final Topic<Integer, GenerationRecord> GENERATIONS =
            new Topic<>("laurel.generations", number(), of(GenerationRecord.class), Partitioning.ONE, compacted());

    /** How long audit records are kept by default. */
    public static final Duration AUDIT_RETENTION = Duration.ofDays(400);

    /**
     * The audit log: one record for each request that changes something through the admin API, without a key. Timestamps are those of
     * the records, by which the records of a time are found; a restored topic keeps them.
     */
    public static final Topic<byte[], AuditRecord> AUDIT = new Topic<>(
            "laurel.audit",
            Serdes.ByteArray(),
            of(AuditRecord.class),
            Partitioning.ONE,
            with(keptFor(AUDIT_RETENTION), TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, "CreateTime"));

    private static final List<Topic<?, ?>> ALL = List.of(
            COMMANDS,
            DIRECT,
            RULESET_EDITS,
            RULESETS,
            RULESET_ARCHIVE,
            ACCESS,
            SCORES,
            EFFECTS,
            REPLIES,
            REJECTIONS,
            OUTBOX,
            SEND_MARKS,
            GENERATIONS,
            AUDIT);

    private Topics() {}

    public static List<Topic<?, ?>> all() {
        return ALL;
    }

    /** The topics, of which that of the audit log keeps its records so long. */
    public static List<Topic<?, ?>> withAuditRetention(Duration retention) {
        return ALL.stream()
                .<Topic<?, ?>>map(topic -> topic == AUDIT ? keeping(AUDIT, retention) : topic)
                .toList();
    }

    private static <K, V> Topic<K, V> keeping(Topic<K, V> topic, Duration retention) {
        return new Topic<>(
                topic.name(),
                topic.key(),
                topic.value(),
                topic.partitioning(),
                with(topic.config(), TopicConfig.RETENTION_MS_CONFIG, Long.toString(retention.toMillis())));
    }

    private static Map<String, String> with(Map<String, String> config, String setting, String value) {
        var changed = new HashMap<>(config);
        changed.put(setting, value);
        return changed;
    }

    /** Whether operators choose the value of a setting, so that another value than that of the catalogue is no mistake. */
    public static boolean isChosen(Topic<?, ?> topic, String setting) {
        return topic.name().equals(AUDIT.name()) && setting.equals(TopicConfig.RETENTION_MS_CONFIG);
    }

    /**
     * Counts retention from the arrival of a record, not from its timestamp: records that an import of old history
     * causes must not be deleted before they can be read.
     */
    private static Map<String, String> keptFor(Duration retention) {
        return Map.of(
                TopicConfig.RETENTION_MS_CONFIG,
                Long.toString(retention.toMillis()),
                TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
                "LogAppendTime",
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                MAX_RECORD);
    }

    /** Keeps deletions for a day, as Kafka does by default: a process that continues its table within half of it sees them. */
    private static Map<String, String> compacted() {
        return Map.of(
                TopicConfig.CLEANUP_POLICY_CONFIG,
                TopicConfig.CLEANUP_POLICY_COMPACT,
                TopicConfig.DELETE_RETENTION_MS_CONFIG,
                Long.toString(Duration.ofDays(1).toMillis()),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
                MAX_RECORD);
    }

    /**
     * The topics of direct producers: {@link Topics#DIRECT} for users of any tenant, and for each tenant that needs one a topic of its own,
     * in which only its users count. A Kafka record does not name its writer, so the right to write a topic determines whose
     * users a producer may change.
     *
     * <p>The name of a tenant's topic ends with its customer id, in which every UTF-8 byte that is not a letter or digit of ASCII,
     * {@code .} or {@code -} is written {@code _} and two hexadecimal digits.
     */
    public static final class DirectTopics {

        private static final String PREFIX = Topics.DIRECT.name() + ".";
        private static final int MAX_NAME_LENGTH = 249;
        private static final char ESCAPE = '_';
        private static final HexFormat HEX = HexFormat.of();

        /** The names of all topics of direct producers. */
        public static final Pattern NAMES = Pattern.compile(Pattern.quote(Topics.DIRECT.name()) + "(\\..+)?");

        private DirectTopics() {}

        public static boolean isOne(String topic) {
            return NAMES.matcher(topic).matches();
        }

        /** Whether only one tenant's users count in this topic. */
        public static boolean isOfOneTenant(String topic) {
            return topic.startsWith(PREFIX);
        }

        /** The topic of a tenant, configured like {@link Topics#DIRECT}. @throws IllegalArgumentException if its name would be too long */
        public static Topic<?, ?> of(String customerId) {
            var name = new StringBuilder(PREFIX);
            for (byte b : customerId.getBytes(UTF_8)) {
                if (isPlain(b)) {
                    name.append((char) b);
                } else {
                    name.append(ESCAPE).append(HEX.toHexDigits(b));
                }
            }
            if (customerId.isEmpty() || name.length() > MAX_NAME_LENGTH) {
                throw new IllegalArgumentException("the tenant '" + customerId
                        + "' cannot have a topic: the name would have " + name.length()
                        + " characters, must have at most "
                        + MAX_NAME_LENGTH);
            }
            return Topics.DIRECT.named(name.toString());
        }

        /**
         * The customer id of the tenant of a topic of one tenant.
         *
         * @return null if the name has another form than {@link #of} gives it
         */
        public static @Nullable String customerOf(String topic) {
            String encoded = topic.substring(PREFIX.length());
            String customerId;
            try {
                customerId = URLDecoder.decode(encoded.replace(ESCAPE, '%'), UTF_8);
            } catch (IllegalArgumentException _) {
                return null;
            }
            // One tenant has one topic, so other spellings of its name are refused.
            return of(customerId).name().equals(topic) ? customerId : null;
        }

        private static boolean isPlain(byte b) {
            return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '.' || b == '-';
        }
    }

    // Serdes. A record that cannot be read throws, because only Laurel writes these topics.

    private static <T> Serde<T> of(Class<T> type) {
        return serde(Json::write, bytes -> Json.read(bytes, type));
    }

    private static Serde<UserKey> userKey() {
        return serde(UserKey::bytes, UserKey::parse);
    }

    private static Serde<TenantId> tenant() {
        return serde(TenantId::bytes, bytes -> new TenantId(new String(bytes, UTF_8)));
    }

    private static Serde<Command> command() {
        return serde(CommandJson::write, bytes -> {
            try {
                return CommandJson.read(bytes);
            } catch (BadInputException e) {
                throw new SerializationException(e.getMessage(), e);
            }
        });
    }

    /** A number in decimal digits. */
    private static Serde<Integer> number() {
        return serde(number -> number.toString().getBytes(UTF_8), bytes -> Integer.valueOf(new String(bytes, UTF_8)));
    }

    /** {@code tenant@version}; the version follows the last {@code @}. */
    private static Serde<RulesetKey> rulesetKey() {
        return serde(key -> (key.tenant().value() + "@" + key.version()).getBytes(UTF_8), bytes -> {
            String text = new String(bytes, UTF_8);
            int at = text.lastIndexOf('@');
            return new RulesetKey(new TenantId(text.substring(0, at)), Long.parseLong(text.substring(at + 1)));
        });
    }

    private static <T> Serde<T> serde(Function<T, byte[]> write, Function<byte[], T> read) {
        return Serdes.serdeFrom(
                (_, value) -> value == null ? null : write.apply(value),
                (_, bytes) -> bytes == null ? null : read.apply(bytes));
    }
}
