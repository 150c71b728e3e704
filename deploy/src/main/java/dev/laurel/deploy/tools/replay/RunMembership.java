package dev.laurel.deploy.tools.replay;

import dev.laurel.processors.runtime.FailoverSettings;
import dev.laurel.schemas.topic.Generation;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The membership of a process in the group of a replay that several processes share. The group shows that the run is in use, and makes
 * one member its leader: the one that is assigned the only partition of the run's topic. A member that joins does not take it over. A
 * member reads nothing and commits nothing by this. A suspended one believes for some seconds to be the leader still, so
 * whatever a leader does may be done twice. Works on a thread of its own.
 */
final class RunMembership implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final KafkaConsumer<byte[], byte[]> member;
    private final Consumer<Throwable> onFault;
    private final Thread thread;
    private volatile boolean isLeader;
    private volatile boolean isClosing;

    /** @param onFault receives what ended the membership */
    RunMembership(Map<String, Object> clientConfig, Generation run, Consumer<Throwable> onFault) {
        this.onFault = onFault;
        var config = new HashMap<>(clientConfig);
        FailoverSettings.putMember(config);
        config.putAll(Map.of(ConsumerConfig.GROUP_ID_CONFIG, run.run(), ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic",
                ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                List.of(CooperativeStickyAssignor.class.getName()), ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"));
        this.member = new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.thread = Thread.ofPlatform().name("replay-run").daemon().unstarted(() -> follow(run.runTopic()));
    }

    RunMembership start() {
        thread.start();
        return this;
    }

    boolean isLeader() {
        return isLeader;
    }

    private void follow(String topic) {
        try {
            member.subscribe(List.of(topic), new Leading());
            while (!isClosing) {
                member.poll(POLL);
            }
        } catch (WakeupException _) {
            // It is being closed.
        } catch (RuntimeException | Error e) {
            onFault.accept(e);
        } finally {
            isLeader = false;
            member.close(CloseOptions.timeout(LEAVE_TIMEOUT));
        }
    }

    /** Pauses what is assigned, so that nothing is fetched. */
    private final class Leading implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> added) {
            member.pause(added);
            isLeader = !member.assignment().isEmpty();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            isLeader = isLeader && revoked.isEmpty();
        }
    }

    /** Leaves the group. */
    @Override
    public void close() {
        isClosing = true;
        member.wakeup();
        try {
            thread.join(STOP_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
