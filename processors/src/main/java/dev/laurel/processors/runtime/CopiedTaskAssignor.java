package dev.laurel.processors.runtime;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.HighAvailabilityTaskAssignor;
import org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor;

/**
 * Kafka's assignor of tasks, for which a process has caught up with a task only if it has a copy of the stores. Kafka's own rule looks
 * only at the number of records that the process lacks. While the stores are small, it therefore takes tasks from their owner and gives
 * them to a process that has just started, which creates the stores, restores them, and compiles its code in the meantime. With this
 * assignor the owner continues until the process has a copy, and it moves the tasks at the next probing rebalance.
 *
 * <p>Kafka Streams creates an instance per rebalance. {@code TaskAssignor}, the public interface, offers no assignor with warm-up copies
 * to extend, so that this class extends an internal one.
 */
public final class CopiedTaskAssignor extends HighAvailabilityTaskAssignor {

    /** Stores with so few records are as good as empty: the nodes of a new deployment share its partitions at once. */
    static final long FEW_RECORDS = 100;

    @Override
    public boolean assign(Map<ProcessId, ClientState> clients, Set<TaskId> allTaskIds, Set<TaskId> statefulTaskIds,
            RackAwareTaskAssignor rackAwareTaskAssignor, AssignmentConfigs configs) {
        long acceptable = configs.acceptableRecoveryLag();
        for (ClientState client : clients.values()) {
            Set<TaskId> copied = client.previousStandbyTasks();
            copied.addAll(client.previousActiveTasks()); // which may not be restored yet
            // The lag of a running task is negative. That of a task without a copy is the number of all its records.
            client.taskLagTotals().replaceAll((task, lag) -> lag > FEW_RECORDS && lag <= acceptable
                    && !copied.contains(task) ? acceptable + 1 : lag);
        }
        return super.assign(clients, allTaskIds, statefulTaskIds, rackAwareTaskAssignor, configs);
    }
}
