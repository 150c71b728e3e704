package dev.laurel.processors.ledger;

import dev.laurel.core.analytics.CounterUpdater;
import dev.laurel.core.analytics.CounterUpdater.Step;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Notice;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserHistory.HistoryWrite;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.PreCommitStore;
import dev.laurel.processors.store.StoreNames;
import dev.laurel.processors.store.counters.CounterStore;
import dev.laurel.processors.store.users.TopUserStore;
import dev.laurel.processors.store.users.UserIndexReader;
import dev.laurel.processors.store.users.UserResourceReader;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.store.users.UserStores;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Writes the stores for commands and timers of users: the user's state, history and timer, the indexes of owned objects and of users,
 * counters, and the lists of top users. No other class writes them. One task, one thread.
 */
final class UserStateWriter {

    private final UserStores users;
    private final Timers timers;
    private final UserResourceReader.Writer owned;
    private final UserIndexReader.Writer index;
    private final CounterStore counters;
    private final TopUserStore top;

    /** Counters and lists of top users are written before each commit. */
    UserStateWriter(ProcessorContext<?, ?> context, UserStores users, Timers timers, LeaderboardClock clock) {
        KeyValueStore<Bytes, byte[]> partitionState = context.getStateStore(StoreNames.PARTITION_STATE);
        KeyValueStore<Bytes, byte[]> counts = context.getStateStore(StoreNames.COUNTERS);
        this.users = users;
        this.timers = timers;
        this.owned = new UserResourceReader.Writer(partitionState);
        this.index = new UserIndexReader.Writer(partitionState);
        this.counters = new CounterStore(counts);
        this.top = new TopUserStore(
                partitionState,
                (tenant, user) -> users.load(new UserKey(tenant, user).bytes()),
                clock::nowMs,
                TopUserStore.SIZE);
        PreCommitStore.beforeCommit(counts, counters::write);
        PreCommitStore.beforeCommit(partitionState, top::write);
    }

    /** The key of the user whom an object belongs to; null: nobody has it. */
    byte @Nullable [] ownerOf(Kind kind, TenantId tenant, UUID id) {
        return owned.ownerOf(kind, tenant, id);
    }

    /** Writes the outcome of a command at a time. @param step the same change, for the counters */
    void apply(TenantId tenant, byte[] key, Step step, Outcome.Applied applied, long atMs) {
        UserState before = step.before();
        save(tenant, key, step, applied.writes());
        owned.follow(tenant, key, before, applied.state(), atMs);
    }

    /** Writes the user, without the index of owned objects. */
    void save(TenantId tenant, byte[] key, Step step, List<HistoryWrite> writes) {
        UserState before = step.before();
        UserState state = step.after();
        index.follow(tenant, key, before, state);
        users.save(key, state);
        for (HistoryWrite write : writes) {
            users.write(key, write);
        }
        timers.move(key, before == null ? 0 : before.wakeUpMs(), state.wakeUpMs());
        top.follow(tenant, before, state);
        int retentionDays = step.rules().document().settings().analyticsRetentionDays();
        CounterUpdater.count(step, segments -> counters.of(tenant, retentionDays, segments));
    }

    /** @param rules to which the user was brought last; null: unknown @param last the user as last stored */
    void erase(TenantId tenant, byte[] key, @Nullable CompiledRuleset rules, UserState last) {
        users.erase(key);
        index.follow(tenant, key, last, null);
        timers.move(key, last.wakeUpMs(), 0);
        top.follow(tenant, last, null);
        owned.follow(tenant, key, last, null, 0);
        CounterUpdater.erase(rules, last, segments -> counters.ofKept(tenant, segments));
    }

    /** Counts the messages among notices that are sent. @param at of the command that caused them */
    void countMessages(List<Notice> notices, CompiledRuleset rules, CommandContext at) {
        int retentionDays = rules.document().settings().analyticsRetentionDays();
        CounterUpdater.countMessages(
                notices, at, segments -> counters.of(at.user().tenant(), retentionDays, segments));
    }
}
