package dev.laurel.processors.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.laurel.core.TestRulesets;
import dev.laurel.core.analytics.Counter;
import dev.laurel.core.analytics.SegmentGroup;
import dev.laurel.core.statistics.UserValue.Ranking;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.AccountCounters;
import dev.laurel.processors.store.users.UserReader;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.processors.stream.OutputWindow;
import dev.laurel.processors.stream.PipelineSettings;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/**
 * The ledger's task after an aborted transaction: Kafka Streams starts it again with the same processor, and with stores that are back
 * at the last commit. The processor must not remember anything newer.
 */
class RevivedTaskTest {

    private static final byte[] LAPS = """
        {"type":"event","metric":"laps","value":4,"user":{"id":"ann"}}\
        """.getBytes(UTF_8);

    private final Published published = new Published();
    private final Processor<byte[], byte[], Object, Object> processor = CommandProcessor.supplier(
                    new LedgerTopology.Dependencies(
                            new RulesetVersions(published, Duration.ZERO),
                            Ticks.NONE,
                            new LogLayout(1),
                            new LeaderboardLayout(1),
                            LedgerMeters.unread()),
                    new PipelineSettings(Generation.FIRST, OutputWindow.EVERYTHING, true, true))
            .get();

    @Test
    void shouldForgetTheRulesetOfAnAbortedTransaction() {
        published.add(TestRulesets.first("metrics: {laps: {}}"));
        var aborted = contextWithEmptyStores();
        processor.init(aborted);
        process(CommandJson.write(new RulesetPublished(TenantId.NONE, 1)));
        process(LAPS);
        assertEquals(List.of("effects-sink", "effects-sink"), outletsOf(aborted));

        var revived = contextWithEmptyStores();
        processor.init(revived);
        process(LAPS);

        assertEquals(
                List.of("rejections-sink"), outletsOf(revived), "its log has no ruleset yet: the metric is unknown");
    }

    @Test
    void shouldForgetWhatWasCountedInAnAbortedTransaction() {
        published.add(TestRulesets.first("metrics: {laps: {}}"));
        processor.init(contextWithEmptyStores());
        process(CommandJson.write(new RulesetPublished(TenantId.NONE, 1)));
        process(LAPS);

        processor.close();
        var revived = contextWithEmptyStores();
        processor.init(revived);
        process(CommandJson.write(new RulesetPublished(TenantId.NONE, 1)));
        process(LAPS);
        revived.<PreCommitStore>getStateStore(StoreNames.COUNTERS).flushCache();
        revived.<PreCommitStore>getStateStore(StoreNames.PARTITION_STATE).flushCache();

        var counters = new AccountCounters(revived.<PreCommitStore>getStateStore(StoreNames.COUNTERS));
        assertEquals(1, counters.sum(TenantId.NONE, Counter.USERS, 0, SegmentGroup.ALL, 0, 0));
        assertEquals(
                Set.of(new UserId("ann")),
                new UserReader(revived::getStateStore)
                        .topUsers(TenantId.NONE, Ranking.EVENTS, 0, 0)
                        .users());
    }

    private void process(byte[] value) {
        processor.process(new Record<>("ann".getBytes(UTF_8), value, 1000));
    }

    private static List<String> outletsOf(MockProcessorContext<Object, Object> context) {
        return context.forwarded().stream()
                .map(f -> f.childName().orElseThrow())
                .toList();
    }

    private static MockProcessorContext<Object, Object> contextWithEmptyStores() {
        var context = new MockProcessorContext<Object, Object>(new Properties());
        context.setRecordMetadata("laurel.commands", 0, 0);
        context.setCurrentSystemTimeMs(0);
        for (var builder : UserStores.builders(true)) {
            var store = new PreCommitStore(Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore(builder.name()), Serdes.Bytes(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .build());
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
        }
        return context;
    }
}
