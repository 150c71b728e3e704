package dev.laurel.processors.stream;

import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;

/**
 * How leaderboards are spread over the partitions of {@code laurel.scores}: all groups and runs of one lie together, so that
 * a user moves from group to group in one step. Few and unequal as they are, they are dealt out in turn.
 *
 * @param partitions of {@code laurel.scores}
 */
public record BoardLayout(int partitions) {

    /**
     * The layout of this Kafka's topic.
     *
     * @throws IllegalStateException if that could not be found out in time, or there is no such topic
     */
    public static BoardLayout ask(Map<String, Object> clientConfig, Duration timeout) throws InterruptedException {
        String scores = Topics.SCORES.name();
        try (Admin admin = Admin.create(clientConfig)) {
            return new BoardLayout(admin.describeTopics(List.of(scores)).allTopicNames()
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS).get(scores).partitions().size());
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot find out how many partitions " + scores + " has", e);
        }
    }

    public int partitionOf(TenantId tenant, int board) {
        return Math.floorMod(tenant.value().hashCode() + board, partitions);
    }
}
