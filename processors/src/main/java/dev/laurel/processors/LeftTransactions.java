package dev.laurel.processors;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.FenceProducersOptions;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.ThreadMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that former members of an application's group have left open. A task that moves is restored up to the end
 * of its changelogs, and nobody reads beyond an open transaction: without this, whoever takes over from a killed node would wait
 * until the broker gives that one's transaction up.
 *
 * <p>It is looked for while tasks here are not running yet, twice a second, on a thread of its own; else nothing is done. Who is no
 * member any more cannot commit, whether dead or only late, so nothing is lost that would have counted. If it cannot be told which
 * process a transaction or a member belongs to, none is ended: the transaction's own timeout does it then.
 *
 * <p>A process that was killed and is started again is the same member as before, but goes on with another one's tasks, perhaps with
 * none: then nothing ends what its former life has left open, and the others take it for alive. So it does that itself, before
 * it is a member.
 */
final class LeftTransactions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeftTransactions.class);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final int PATIENCE_MS = 2_000;

    private static final String PROCESS = "([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})";

    private final String application;
    private final Map<String, Object> client;
    private final BooleanSupplier isWaiting;
    private final Pattern transaction;
    private final Pattern member;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);

    /**
     * @param application its id, which is the group's, too
     * @param client settings of an admin client
     * @param isWaiting whether there are tasks here that do not run yet; asked on the thread of this
     */
    LeftTransactions(String application, Map<String, Object> client, BooleanSupplier isWaiting) {
        this.application = application;
        this.client = client;
        this.isWaiting = isWaiting;
        // As Kafka Streams names its producers and its consumers.
        this.transaction = Pattern.compile(Pattern.quote(application) + "-" + PROCESS + "-\\d+");
        this.member = Pattern.compile(Pattern.quote(application) + "-" + PROCESS + "-StreamThread-\\d+-consumer");
        this.thread = Thread.ofVirtual().name(application + "-left-transactions").unstarted(this::run);
    }

    /** Of an application that has transactions, while it is given tasks. */
    static LeftTransactions of(Properties properties, KafkaStreams streams) {
        String application = properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
        return new LeftTransactions(application,
                new StreamsConfig(properties).getAdminConfigs(application + "-left-transactions"),
                () -> streams.state() == KafkaStreams.State.REBALANCING);
    }

    /**
     * Starts the application when what a former life of this process has left open is ended, and looks after it from then on. Blocks for
     * some seconds at most.
     */
    void start(KafkaStreams streams) {
        endOwn(streams);
        streams.start();
        thread.start();
    }

    /** Where brokers do not answer, it is left to the timeout. */
    private void endOwn(KafkaStreams streams) {
        Set<String> members = streams.metadataForLocalThreads().stream().map(ThreadMetadata::consumerClientId)
                .collect(Collectors.toSet());
        try (Admin admin = Admin.create(client)) {
            end(admin, own(open(admin), members));
        } catch (ExecutionException e) {
            LOG.warn("what a former life of this process has left open of {} is not known: {}", application,
                    e.getCause().getMessage());
        } catch (KafkaException e) {
            LOG.warn("what a former life of this process has left open of {} cannot be asked: {}", application,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!isToEnd()) {
                // What takes no longer than this is no wait.
                if (isWaiting.getAsBoolean() && !isToEnd() && isWaiting.getAsBoolean()) {
                    watch();
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isToEnd() throws InterruptedException {
        return closing.await(LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void watch() throws InterruptedException {
        try (Admin admin = Admin.create(client)) {
            do {
                try {
                    end(admin);
                } catch (ExecutionException e) {
                    // A broker may be gone, too: the next look is soon.
                    LOG.warn("what dead members of {} have left open is not known yet: {}", application,
                            e.getCause().getMessage());
                }
            } while (!isToEnd() && isWaiting.getAsBoolean());
        } catch (KafkaException e) {
            // No broker's name can be resolved: the next look is soon.
            LOG.warn("what dead members of {} have left open cannot be asked yet: {}", application, e.getMessage());
        }
    }

    private static Collection<String> open(Admin admin) throws ExecutionException, InterruptedException {
        return admin
                .listTransactions(new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING))
                        .timeoutMs(PATIENCE_MS))
                .all().get().stream().map(TransactionListing::transactionalId).toList();
    }

    private void end(Admin admin) throws ExecutionException, InterruptedException {
        Collection<String> open = open(admin);
        if (open.stream().noneMatch(id -> transaction.matcher(id).matches())) {
            return;
        }
        // Members are asked after transactions: whoever has begun one in between is a member by now.
        Collection<String> members = admin
                .describeConsumerGroups(Set.of(application), new DescribeConsumerGroupsOptions().timeoutMs(PATIENCE_MS))
                .all().get().get(application).members().stream().map(MemberDescription::clientId).toList();
        end(admin, left(open, members));
    }

    private static void end(Admin admin, Set<String> left) throws ExecutionException, InterruptedException {
        if (!left.isEmpty()) {
            LOG.info("ending what dead members have left open: {}", left);
            admin.fenceProducers(left, new FenceProducersOptions().timeoutMs(PATIENCE_MS)).all().get();
        }
    }

    /**
     * The transactions of this application whose process is none of the members'.
     *
     * @param open ids of transactions, also of others
     * @param members client ids of the group's members; if one is not as expected, nothing is left
     */
    Set<String> left(Collection<String> open, Collection<String> members) {
        Set<String> alive = processes(members);
        if (members.isEmpty() || !members.stream().allMatch(name -> member.matcher(name).matches())) {
            return Set.of();
        }
        return open.stream().map(transaction::matcher).filter(Matcher::matches)
                .filter(id -> !alive.contains(id.group(1))).map(Matcher::group).collect(Collectors.toSet());
    }

    /** The transactions of this application whose process is that of these members. @param open ids, also of others */
    Set<String> own(Collection<String> open, Collection<String> members) {
        Set<String> own = processes(members);
        return open.stream().map(transaction::matcher).filter(Matcher::matches)
                .filter(id -> own.contains(id.group(1))).map(Matcher::group).collect(Collectors.toSet());
    }

    private Set<String> processes(Collection<String> members) {
        return members.stream().map(member::matcher).filter(Matcher::matches).map(name -> name.group(1))
                .collect(Collectors.toSet());
    }

    @Override
    public void close() {
        closing.countDown();
        if (thread.getState() == Thread.State.NEW) {
            return; // a join would fail
        }
        try {
            thread.join(Duration.ofMillis(3 * PATIENCE_MS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
