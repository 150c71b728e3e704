package dev.laurel.bench;

import dev.laurel.processors.topology.CommonNodes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/**
 * A topology of the shape of the ledger without its logic, on bytes. Every event reads and writes one store, every
 * tenth writes a second and a third, every third emits an effect, and events with reply headers get a reply. The
 * sizes are those of a user with a few achievements.
 */
final class BareTopology {
    static final String COMMANDS_TOPIC = "bare-commands";
    static final String REPLIES_TOPIC = "bare-replies";
    static final String EFFECTS_TOPIC = "bare-effects";
    static final String USERS_STORE = "bare-users";
    static final String DAYS_STORE = "bare-days";
    static final String LEDGER_STORE = "bare-ledger";
    /** Four bytes: the partition of the replies topic. */
    static final String REPLY_PARTITION_HEADER = "reply-partition";
    /** Eight bytes: the id of the waiting request. */
    static final String REQUEST_ID_HEADER = "request-id";

    private static final String SOURCE = "commands-source";
    private static final String PROCESS = "process-command";
    private static final String REPLIES_SINK = "replies-sink";
    private static final String EFFECTS_SINK = "effects-sink";
    private static final int STATE_BYTES = 600;
    private static final int DAY_BYTES = 100;
    private static final int LEDGER_BYTES = 200;
    private static final int REPLY_BYTES = 900;
    private static final int EFFECT_BYTES = 300;

    private BareTopology() {}

    /**
     * The stores have no record cache: each change is a write of RocksDB and a record of a changelog.
     *
     * @param processed counts every event, including those of aborted transactions
     */
    static Topology build(LongAdder processed) {
        var topology = new Topology();
        topology.addSource(SOURCE, new ByteArrayDeserializer(), new ByteArrayDeserializer(), COMMANDS_TOPIC);
        topology.addProcessor(PROCESS, () -> new BareProcessor(processed), SOURCE);
        for (String store : new String[]{USERS_STORE, DAYS_STORE, LEDGER_STORE}) {
            topology.addStateStore(store(store), PROCESS);
        }
        Serializer<Reply> replySerializer = (topic, reply) -> reply.body();
        topology.addSink(REPLIES_SINK, REPLIES_TOPIC, new ByteArraySerializer(), replySerializer,
                CommonNodes.partitioner((_, reply, _) -> Set.of(reply.partition())), PROCESS);
        topology.addSink(EFFECTS_SINK, EFFECTS_TOPIC, new ByteArraySerializer(), new ByteArraySerializer(), PROCESS);
        return topology;
    }

    private static StoreBuilder<KeyValueStore<byte[], byte[]>> store(String name) {
        return Stores.keyValueStoreBuilder(Stores.persistentKeyValueStore(name), Serdes.ByteArray(), Serdes.ByteArray())
                .withLoggingEnabled(Map.of()).withCachingDisabled();
    }

    /** A reply with its partition, so that the sink reads it without a look at headers. */
    private record Reply(int partition, byte[] body) {}

    @SuppressWarnings("NullAway.Init") // init sets the context and the stores
    private static final class BareProcessor implements Processor<byte[], byte[], byte[], Object> {
        private final LongAdder processed;
        private final byte[] noise = new byte[REPLY_BYTES];
        private ProcessorContext<byte[], Object> context;
        private KeyValueStore<byte[], byte[]> users;
        private KeyValueStore<byte[], byte[]> days;
        private KeyValueStore<byte[], byte[]> ledger;

        BareProcessor(LongAdder processed) {
            this.processed = processed;
            // Random bytes, which compression cannot reduce.
            new Random(42).nextBytes(noise);
        }

        @Override
        public void init(ProcessorContext<byte[], Object> context) {
            this.context = context;
            users = context.getStateStore(USERS_STORE);
            days = context.getStateStore(DAYS_STORE);
            ledger = context.getStateStore(LEDGER_STORE);
        }

        @Override
        public void process(Record<byte[], byte[]> event) {
            byte[] before = users.get(event.key());
            byte[] state = Arrays.copyOf(before == null ? noise : before, STATE_BYTES);
            ByteBuffer buffer = ByteBuffer.wrap(state);
            long sequence = before == null ? 0 : buffer.getLong(0) + 1;
            buffer.putLong(0, sequence);
            users.put(event.key(), state);
            if (sequence % 10 == 3) {
                days.put(event.key(), Arrays.copyOf(state, DAY_BYTES));
            }
            if (sequence % 10 == 7) {
                ledger.put(ledgerKey(event.key(), sequence), Arrays.copyOf(state, LEDGER_BYTES));
            }
            if (sequence % 3 == 0) {
                context.forward(new Record<>(event.key(), Arrays.copyOf(state, EFFECT_BYTES), event.timestamp()),
                        EFFECTS_SINK);
            }
            reply(event, state);
            processed.increment();
        }

        private void reply(Record<byte[], byte[]> event, byte[] state) {
            Header partition = event.headers().lastHeader(REPLY_PARTITION_HEADER);
            if (partition == null) {
                return;
            }
            byte[] body = noise.clone();
            System.arraycopy(state, 0, body, 0, Long.BYTES);
            Headers headers = new RecordHeaders().add(event.headers().lastHeader(REQUEST_ID_HEADER));
            var reply = new Reply(ByteBuffer.wrap(partition.value()).getInt(), body);
            context.forward(new Record<>(null, reply, event.timestamp(), headers), REPLIES_SINK);
        }

        /** Returns a new key for each event, because a ledger grows. */
        private static byte[] ledgerKey(byte[] user, long sequence) {
            return ByteBuffer.allocate(user.length + Long.BYTES).put(user).putLong(sequence).array();
        }
    }
}
