package dev.laurel.deploy.tools.topics;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.KafkaOptions;
import dev.laurel.schemas.topic.KafkaAccess;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;

/** Kafka's admin client, with failures an operator can read. */
public final class KafkaAdmin {

    private static final int TIMEOUT_MS = 15_000;

    private KafkaAdmin() {}

    public static Admin connect(KafkaAccess kafka) {
        KafkaOptions.expectReachable(kafka.bootstrapServers());
        try {
            return Admin.create(kafka.with(Map.of(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MS,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MS / 3)));
        } catch (KafkaException e) {
            throw KafkaOptions.unusable(kafka, e);
        }
    }

    /** How many brokers there are. */
    public static int brokers(Admin admin) {
        return get(admin.describeCluster().nodes()).size();
    }

    public static <T> T get(KafkaFuture<T> answer) {
        try {
            return answer.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new CommandFailed("Kafka refused: " + e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new CommandFailed("Kafka did not answer within " + TIMEOUT_MS / 1000 + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailed("interrupted while talking to Kafka", e);
        }
    }
}
