package dev.laurel.processors.stream;

import static dev.laurel.platform.kafka.KafkaClients.CLOSE_TIMEOUT;

import dev.laurel.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines when the stores of a partition show everything that was in its topic at the start of its task. A task begins at its
 * last commit; until it has processed the records after that, reads would miss what was accepted before. Thread-safe.
 *
 * <p>This is checked at every start of a task: at the start of the process, when a task moves here, and when a task is revived after
 * an aborted transaction. Offsets alone do not suffice, since markers of transactions occupy offsets that no task reads. So if the
 * group has not committed up to the end, a record that changes nothing is appended. When the task reaches this record, or any other
 * after the former end, it has processed everything before.
 *
 * <p>It is checked again in each term of the {@link Lease}, since other processes may have run the tasks in between, and have answered
 * requests. The committed offsets may then be those of the other processes: a record is appended in any case, unless the task is
 * already beyond the end. Without a lease nothing counts as caught up.
 */
public final class StartupCatchUp implements TaskTracker {

    private static final Logger LOG = LoggerFactory.getLogger(StartupCatchUp.class);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final int NEVER = -1;

    /** Another assignment is noticed so late at most. */
    private static final long PARTITIONS_CHECK_MS = 200;

    private final Source source;
    private final Lease lease;
    private final Duration retryDelay;
    private final Map<Integer, Start> starts = new ConcurrentHashMap<>();

    /** A topic from which tasks read. Thread-safe; never blocks. */
    public interface Source {

        /**
         * The end of a partition, and the progress of the group in it.
         *
         * @param end offset of the next record to be appended
         * @param committed offset of the first record that the group has not processed, 0 if it has processed none
         */
        record Reach(long end, long committed) {}

        CompletionStage<Reach> reach(int partition);

        /** Appends a record that changes nothing. */
        CompletionStage<?> appendMark(int partition);
    }

    /**
     * The terms in which a process may rely on its tasks being its own. Between two terms other processes may have run them, so what was
     * true in one term need not be true in the next. The default methods are those of a single term that never ends.
     * Thread-safe.
     */
    public interface Lease {

        /** A lease that never ends. */
        Lease FOR_EVER = new Lease() {};

        /** The number of the current term, or of the last one while there is none. Not negative. */
        default int term() {
            return 0;
        }

        /** Whether this is the current term. Reads a clock, so that it is false in a process that has just been resumed. */
        default boolean holds(int term) {
            return true;
        }
    }

    /** Creates an instance for tasks whose stores need not show the present. */
    public StartupCatchUp(Source source) {
        this(source, Lease.FOR_EVER);
    }

    /** @param lease of this process; {@link #askAgain} must be called when it is renewed after its end */
    public StartupCatchUp(Source source, Lease lease) {
        this(source, lease, RETRY);
    }

    StartupCatchUp(Source source, Lease lease, Duration retryDelay) {
        this.source = source;
        this.lease = lease;
        this.retryDelay = retryDelay;
    }

    @Override
    public Task started(int partition, Map<String, StateStore> stores) {
        var start = new Start(partition, stores);
        starts.put(partition, start);
        start.ask(lease.term(), true);
        return start;
    }

    /** Begins another term, in which no earlier task counts as caught up. Does not block. */
    public void askAgain() {
        int term = lease.term();
        starts.values().forEach(start -> start.ask(term, false));
    }

    /** Whether the task of a partition runs here and has caught up. */
    public boolean isCaughtUp(int partition) {
        Start start = starts.get(partition);
        return start != null && start.isDone();
    }

    /**
     * Whether all tasks that run here have caught up, and tasks of all these partitions run here. A thread that joins the group late gets
     * its tasks in a second rebalance: until then, none runs for some partitions.
     */
    public boolean isCaughtUp(Set<Integer> partitions) {
        return starts.keySet().containsAll(partitions)
                && starts.values().stream().allMatch(Start::isDone);
    }

    /** Records that the current tasks have yet to read, where that is known; 0 if none runs. */
    public long left() {
        return starts.values().stream().mapToLong(Start::left).sum();
    }

    /**
     * A store that the processors of a partition's task own; null if there is none here. It fails with {@code InvalidStateStoreException}
     * once the task is closed.
     */
    public @Nullable StateStore store(String name, int partition) {
        Start start = starts.get(partition);
        return start == null ? null : start.stores.get(name);
    }

    /**
     * Waits until {@link #isCaughtUp(Set)}.
     *
     * @param partitions may change meanwhile
     * @return false if that took too long
     */
    public boolean await(Duration timeout, Supplier<Set<Integer>> partitions) throws InterruptedException {
        long deadlineNs = System.nanoTime() + timeout.toNanos();
        synchronized (this) {
            while (!isCaughtUp(partitions.get())) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0) {
                    return false;
                }
                wait(Math.min(leftMs, PARTITIONS_CHECK_MS));
            }
            return true;
        }
    }

    /**
     * The offset that a task must reach.
     *
     * @param term the term in which the end was requested
     * @param end of the partition at that time
     * @param committed offset up to which the restored stores show everything
     */
    private record Goal(int term, long end, long committed) {}

    /** One start of a task. */
    private final class Start implements Task {

        private final int partition;
        private final Map<String, StateStore> stores;
        private volatile int askedTerm = NEVER;
        private volatile boolean isUnderWay = true;
        private volatile @Nullable Goal goal;
        private volatile long reached;
        private volatile int doneTerm = NEVER;

        Start(int partition, Map<String, StateStore> stores) {
            this.partition = partition;
            this.stores = stores;
        }

        boolean isDone() {
            int term = doneTerm;
            return term != NEVER && lease.holds(term);
        }

        long left() {
            Goal known = goal;
            return known == null ? 0 : Math.max(0, known.end - Math.max(reached, known.committed));
        }

        private boolean isOver() {
            return starts.get(partition) != this;
        }

        /**
         * Asks for the end of the partition. Only the answer for the latest term counts.
         *
         * @param isRestored whether the stores show everything up to the committed offset
         */
        void ask(int term, boolean isRestored) {
            synchronized (this) {
                if (term <= askedTerm) {
                    return; // The start of the task and the next term may coincide.
                }
                askedTerm = term;
                goal = null;
                isUnderWay = true;
            }
            attempt(
                    term,
                    "determine the end of",
                    () -> source.reach(partition),
                    reach -> setGoal(
                            new Goal(term, reach.end(), isRestored ? reach.committed() : 0),
                            isRestored && reach.committed() >= reach.end()));
        }

        private void setGoal(Goal known, boolean isReached) {
            synchronized (this) {
                if (known.term != askedTerm) {
                    return;
                }
                goal = known;
            }
            if (isReached || reached >= known.end) {
                done(known);
            } else {
                attempt(known.term, "append a mark to", () -> source.appendMark(partition), _ -> {});
            }
        }

        /** Takes a step until it succeeds, or another term has begun. @param what begins with a verb, in messages */
        private <T> void attempt(int term, String what, Supplier<CompletionStage<T>> step, Consumer<? super T> then) {
            step.get().whenComplete((result, failure) -> {
                if (failure == null) {
                    then.accept(result);
                    return;
                }
                LOG.warn("Could not {} partition {}; trying again: {}", what, partition, failure.getMessage());
                CompletableFuture.delayedExecutor(retryDelay.toMillis(), TimeUnit.MILLISECONDS)
                        .execute(() -> {
                            if (term == askedTerm && isUnderWay && !isOver()) {
                                attempt(term, what, step, then);
                            }
                        });
            });
        }

        @Override
        public void reached(long offset) {
            if (isUnderWay) {
                // Written before the goal is read, so that this thread or the one that sets the goal sees both.
                reached = offset;
                Goal known = goal;
                if (known != null && offset >= known.end) {
                    done(known);
                }
            }
        }

        private synchronized void done(Goal which) {
            if (which != goal) {
                return; // Another term has begun.
            }
            doneTerm = which.term;
            goal = null;
            isUnderWay = false;
            synchronized (StartupCatchUp.this) {
                StartupCatchUp.this.notifyAll();
            }
        }

        @Override
        public void stopped() {
            starts.remove(partition, this);
            synchronized (StartupCatchUp.this) {
                StartupCatchUp.this.notifyAll();
            }
        }
    }

    /** A topic and the group that reads it, as the brokers know them, with clients of its own. Thread-safe. */
    public static class TopicCatchUpSource implements Source, GroupLease.Coordinator, AutoCloseable {

        /** Well below the duration of a term. */
        private static final int TIMEOUT_MS = 2_000;

        private final Admin admin;
        private final Appender appender;
        private final String topic;
        private final String group;
        private final byte[] mark;
        private final Supplier<@Nullable Long> markMs;

        /**
         * @param mark a record that changes nothing
         * @param markMs its time; null: the present
         */
        public TopicCatchUpSource(
                Map<String, Object> clientConfig,
                String topic,
                String group,
                byte[] mark,
                Supplier<@Nullable Long> markMs) {
            this.admin = KafkaClients.admin(clientConfig);
            this.appender = new Appender(clientConfig, topic);
            this.topic = topic;
            this.group = group;
            this.mark = mark;
            this.markMs = markMs;
        }

        protected final Admin admin() {
            return admin;
        }

        protected final Appender appender() {
            return appender;
        }

        /** The number of partitions of the topic. */
        public final int partitions() {
            return appender.partitions();
        }

        @Override
        public CompletionStage<Reach> reach(int partition) {
            var topicPartition = new TopicPartition(topic, partition);
            // The end includes open transactions: accepted records of other producers may follow them.
            var end = admin.listOffsets(Map.of(topicPartition, OffsetSpec.latest()))
                    .partitionResult(topicPartition)
                    .toCompletionStage();
            var committed = admin.listConsumerGroupOffsets(
                            Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(topicPartition))))
                    .partitionsToOffsetAndMetadata(group)
                    .toCompletionStage();
            return end.thenCombine(committed, (known, done) -> {
                @Nullable OffsetAndMetadata offset = done.get(topicPartition);
                return new Reach(known.offset(), offset == null ? 0 : offset.offset());
            });
        }

        /** Asks for a committed offset, which costs the coordinator least. */
        @Override
        public CompletionStage<?> ask() {
            var first = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(new TopicPartition(topic, 0)));
            return admin.listConsumerGroupOffsets(
                            Map.of(group, first), new ListConsumerGroupOffsetsOptions().timeoutMs(TIMEOUT_MS))
                    .partitionsToOffsetAndMetadata(group)
                    .toCompletionStage();
        }

        /** Uses a thread of its own, since a producer that writes rarely may block to fetch metadata of the topic. */
        @Override
        public CompletionStage<?> appendMark(int partition) {
            return CompletableFuture.supplyAsync(
                            () -> appender.append(partition, markMs.get(), mark),
                            task -> Thread.ofVirtual().start(task))
                    .thenCompose(appended -> appended);
        }

        @Override
        public void close() {
            appender.close();
            admin.close(CLOSE_TIMEOUT);
        }
    }
}
