package dev.laurel.processors.runtime;

import dev.laurel.platform.kafka.KafkaClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.MemberToRemove;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aborts the transactions that former members of an application's group have left open. A task that moves is restored up to the end
 * of its changelogs, and no consumer reads beyond an open transaction. Without this class, the successor of a killed node would wait
 * until the transaction times out at the broker.
 *
 * <p>The cleaner checks for such transactions twice a second on a thread of its own, only while tasks here are not running yet. A
 * process that is no longer a member cannot commit, so no valid work is lost. If the process of a transaction or of a member cannot
 * be identified, the cleaner aborts none, and the transaction timeout applies.
 *
 * <p>A process that was killed and is started again is the same member, but may get other tasks or none. The other members count it
 * as alive and do not abort its old transactions, so it aborts them itself before it joins the group. If its former member is still in
 * the group, it removes that, too: otherwise it would get the same tasks back, and would restore their stores from the beginning while
 * the copies on other nodes are not used.
 */
public final class DanglingTransactionCleaner implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DanglingTransactionCleaner.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
    private static final int TIMEOUT_MS = 2_000;

    /**
     * A transaction is aborted within some dozen milliseconds, and the client asks until it is. Kafka's backoff grows from 100 ms to a
     * second: a start after a kill would take as much longer.
     */
    private static final Map<String, Object> BACKOFF =
            Map.of(AdminClientConfig.RETRY_BACKOFF_MS_CONFIG, 20, AdminClientConfig.RETRY_BACKOFF_MAX_MS_CONFIG, 100);

    private static final String PROCESS = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

    private final String application;
    private final Map<String, Object> client;
    private final BooleanSupplier isWaiting;
    private final Pattern transaction;
    private final Pattern member;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * @param application the id of the application and of its group
     * @param client settings of an admin client
     * @param isWaiting whether tasks here do not run yet; called on the thread of this cleaner
     */
    DanglingTransactionCleaner(String application, Map<String, Object> client, BooleanSupplier isWaiting) {
        this.application = application;
        this.client = client;
        this.isWaiting = isWaiting;
        // Kafka Streams names its producers and its consumers in this form.
        this.transaction = Pattern.compile(Pattern.quote(application) + "-" + PROCESS + "-\\d+");
        this.member = Pattern.compile(Pattern.quote(application) + "-" + PROCESS + "-StreamThread-\\d+-consumer");
        this.thread =
                Thread.ofVirtual().name(application + "-left-transactions").unstarted(this::run);
    }

    /** Creates the cleaner of an application that has transactions; it is active during rebalances. */
    public static DanglingTransactionCleaner of(Properties properties, KafkaStreams streams) {
        String application = properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
        Map<String, Object> client = new StreamsConfig(properties).getAdminConfigs(application + "-left-transactions");
        client.putAll(BACKOFF);
        return new DanglingTransactionCleaner(
                application, client, () -> streams.state() == KafkaStreams.State.REBALANCING);
    }

    /**
     * Aborts the transactions of the previous process of this node, removes its members from the group, and starts the application and
     * the cleaner. Blocks for a few seconds at most.
     */
    public void start(KafkaStreams streams) {
        endPrevious(streams);
        streams.start();
        thread.start();
    }

    /** If brokers do not answer, the transaction timeout and the session timeout apply. */
    private void endPrevious(KafkaStreams streams) {
        Set<String> members = streams.metadataForLocalThreads().stream()
                .map(ThreadMetadata::consumerClientId)
                .collect(Collectors.toSet());
        try (Admin admin = KafkaClients.admin(client)) {
            abort(admin, own(open(admin), members));
            remove(admin, left(members(admin), members));
        } catch (KafkaException e) {
            LOG.warn(
                    "Could not end the transactions and members of the previous process of {}; their timeouts apply:"
                            + " {}",
                    application,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!isClosed()) {
                // Two checks, since a rebalance that is shorter than the interval needs no cleaner.
                if (isWaiting.getAsBoolean() && !isClosed() && isWaiting.getAsBoolean()) {
                    watch();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isClosed() throws InterruptedException {
        return closing.await(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void watch() throws InterruptedException {
        try (Admin admin = KafkaClients.admin(client)) {
            do {
                abortDangling(admin);
            } while (!isClosed() && isWaiting.getAsBoolean());
        } catch (KafkaException e) {
            // A broker may be down, too: the next attempt follows soon.
            LOG.warn(
                    "Could not abort the transactions of dead members of {}; trying again: {}",
                    application,
                    e.getMessage());
        }
    }

    private static <T> T get(KafkaFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof KafkaException refusal ? refusal : new KafkaException(e.getCause());
        }
    }

    private static Collection<String> open(Admin admin) throws InterruptedException {
        return get(admin.listTransactions(new ListTransactionsOptions()
                                .filterStates(Set.of(TransactionState.ONGOING))
                                .timeoutMs(TIMEOUT_MS))
                        .all())
                .stream()
                .map(TransactionListing::transactionalId)
                .toList();
    }

    private void abortDangling(Admin admin) throws InterruptedException {
        Collection<String> open = open(admin);
        if (open.stream().noneMatch(id -> transaction.matcher(id).matches())) {
            return;
        }
        // Members are listed after transactions: a process that began one in between is a member by now.
        List<String> members =
                members(admin).stream().map(MemberDescription::clientId).toList();
        abort(admin, dangling(open, members));
    }

    /** The members of the group; none if there is no group yet. */
    private List<MemberDescription> members(Admin admin) throws InterruptedException {
        try {
            return get(admin.describeConsumerGroups(
                                    Set.of(application), new DescribeConsumerGroupsOptions().timeoutMs(TIMEOUT_MS))
                            .all())
                    .values()
                    .stream()
                    .flatMap(group -> group.members().stream())
                    .toList();
        } catch (GroupIdNotFoundException _) {
            return List.of();
        }
    }

    private void remove(Admin admin, Set<String> instances) throws InterruptedException {
        if (!instances.isEmpty()) {
            LOG.info("Removing the members of the previous process from the group {}: {}", application, instances);
            var options = new RemoveMembersFromConsumerGroupOptions(
                    instances.stream().map(MemberToRemove::new).toList());
            options.timeoutMs(TIMEOUT_MS);
            get(admin.removeMembersFromConsumerGroup(application, options).all());
        }
    }

    /**
     * The static members that the previous process of this node has left in the group. Empty if the group has no others: then nobody
     * could take over, and a group without members begins with a delay.
     *
     * @param own client ids of this process, which are those of the previous one
     */
    static Set<String> left(Collection<MemberDescription> members, Set<String> own) {
        return members.stream().allMatch(member -> own.contains(member.clientId()))
                ? Set.of()
                : members.stream()
                        .filter(member -> own.contains(member.clientId()))
                        .flatMap(member -> member.groupInstanceId().stream())
                        .collect(Collectors.toSet());
    }

    private static void abort(Admin admin, Set<String> ids) throws InterruptedException {
        if (!ids.isEmpty()) {
            LOG.info("Aborting dangling transactions: {}", ids);
            get(admin.fenceProducers(ids, new FenceProducersOptions().timeoutMs(TIMEOUT_MS))
                    .all());
        }
    }

    /**
     * The transactions of this application whose process is not a member.
     *
     * @param open ids of transactions, including those of other applications
     * @param members client ids of the members; if one has an unexpected form, the result is empty
     */
    Set<String> dangling(Collection<String> open, Collection<String> members) {
        Set<String> alive = processes(members);
        if (members.isEmpty()
                || !members.stream().allMatch(name -> member.matcher(name).matches())) {
            return Set.of();
        }
        return transactions(open, process -> !alive.contains(process));
    }

    /** The transactions of this application whose process is one of these members. @param open as for {@link #dangling} */
    Set<String> own(Collection<String> open, Collection<String> members) {
        return transactions(open, processes(members)::contains);
    }

    private Set<String> transactions(Collection<String> ids, Predicate<String> process) {
        return ids.stream()
                .map(transaction::matcher)
                .filter(Matcher::matches)
                .filter(id -> process.test(id.group(1)))
                .map(Matcher::group)
                .collect(Collectors.toSet());
    }

    private Set<String> processes(Collection<String> members) {
        return members.stream()
                .map(member::matcher)
                .filter(Matcher::matches)
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        closing.countDown();
        if (thread.getState() == Thread.State.NEW) {
            return; // A join would fail.
        }
        try {
            thread.join(Duration.ofMillis(3 * TIMEOUT_MS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
