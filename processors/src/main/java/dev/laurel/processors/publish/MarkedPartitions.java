package dev.laurel.processors.publish;

import dev.laurel.platform.kafka.KafkaClients;
import dev.laurel.processors.publish.RulesetWriter.UserPartitions;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.topic.RulesetHeader;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which partitions of the log get the marker of a version: those with users of the tenant, and the tenant's own partition, which
 * announces what concerns all its users. A partition that gets its first user later learns the version from the user's command, or from
 * its task. All partitions get the marker
 * <ul>
 * <li>of a version of {@link TenantId#NONE}, since a program that writes to the log itself may create a user in any of them without a header;
 * <li>of a version in which a leaderboard is finished by hand, since its ranks are final once all partitions know that;
 * <li>while the users are not known, or a process runs that knows no {@link RulesetHeader}.
 * </ul>
 * One thread.
 */
final class MarkedPartitions implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MarkedPartitions.class);

    /** The groups of all processes that judge commands or admit them: nodes, with the intake of direct producers, and gateways. */
    private static final List<String> GROUPS = List.of(RulesetWriter.GROUP, "laurel-gateways");

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);
    private static final long CHECK_NS = Duration.ofSeconds(10).toNanos();

    private final Map<String, Object> clientConfig;
    private final UserPartitions users;
    private @Nullable Admin admin;
    private boolean doAllKnowHeaders;
    private boolean isChecked;
    private long checkedNs;

    MarkedPartitions(Map<String, Object> clientConfig, UserPartitions users) {
        this.clientConfig = clientConfig;
        this.users = users;
    }

    /** @param former the newest version before those that are published together with {@code newest} */
    BitSet of(Ruleset former, Ruleset newest, int partitions) throws InterruptedException {
        boolean areFew = !newest.tenant().equals(TenantId.NONE) && doAllKnowHeaders();
        return needed(former, newest, areFew ? users.withUsersOf(newest.tenant(), partitions) : null, partitions);
    }

    /** @param withUsers the partitions with users of the tenant; null: not known */
    static BitSet needed(Ruleset former, Ruleset newest, @Nullable BitSet withUsers, int partitions) {
        TenantId tenant = newest.tenant();
        var needed = new BitSet(partitions);
        if (withUsers == null || tenant.equals(TenantId.NONE) || isAnyFinished(former, newest)) {
            needed.set(0, partitions);
        } else {
            needed.or(withUsers);
            needed.set(new LogLayout(partitions).partitionOf(tenant.bytes()));
        }
        return needed;
    }

    private static boolean isAnyFinished(Ruleset former, Ruleset newest) {
        return newest.leaderboards().stream().anyMatch(board -> board.status() == LeaderboardStatus.FINISHED
                && former.leaderboards().stream().noneMatch(was -> was.number() == board.number()
                        && was.status() == LeaderboardStatus.FINISHED));
    }

    /** Checks the processes again with the next version. Called when a member of the group of nodes has come or gone. */
    void forget() {
        isChecked = false;
    }

    private boolean doAllKnowHeaders() throws InterruptedException {
        long nowNs = System.nanoTime();
        if (!isChecked || nowNs - checkedNs >= CHECK_NS) {
            doAllKnowHeaders = askKafka();
            isChecked = true;
            checkedNs = nowNs;
        }
        return doAllKnowHeaders;
    }

    private boolean askKafka() throws InterruptedException {
        if (admin == null) {
            admin = KafkaClients.admin(clientConfig);
        }
        for (KafkaFuture<ConsumerGroupDescription> group : admin.describeConsumerGroups(GROUPS).describedGroups()
                .values()) {
            try {
                if (!group.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS).members().stream()
                        .allMatch(member -> member.clientId().startsWith(RulesetHeader.CLIENT_ID))) {
                    return false;
                }
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof GroupIdNotFoundException)) {
                    LOG.warn("Could not ask which processes run; all partitions get the markers of rulesets: {}",
                            e.getMessage(), e);
                    return false;
                }
                // No gateway runs apart from nodes.
            } catch (TimeoutException _) {
                LOG.warn("Kafka did not say in time which processes run; all partitions get the markers of rulesets");
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(CLOSE_TIMEOUT);
            admin = null;
        }
    }
}
