package dev.laurel.processors.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.processors.runtime.StreamsSettings.CopiedTaskAssignor;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Cluster;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.assignment.AssignmentConfigs;
import org.apache.kafka.streams.processor.assignment.ProcessId;
import org.apache.kafka.streams.processor.internals.Task;
import org.apache.kafka.streams.processor.internals.assignment.ClientState;
import org.apache.kafka.streams.processor.internals.assignment.RackAwareTaskAssignor;
import org.junit.jupiter.api.Test;

class CopiedTaskAssignorTest {

    private static final ProcessId OWNER = new ProcessId(new UUID(0, 1));
    private static final ProcessId OTHER = new ProcessId(new UUID(0, 2));
    private static final Set<TaskId> TASKS = IntStream.range(0, 4)
            .mapToObj(partition -> new TaskId(0, partition))
            .collect(Collectors.toSet());
    private static final AssignmentConfigs CONFIGS = new AssignmentConfigs(10_000L, 2, 1, 60_000L, List.of());

    private final Map<ProcessId, ClientState> processes = new TreeMap<>();
    private final Map<TaskId, Long> ends = new TreeMap<>();

    private CopiedTaskAssignorTest records(long perTask) {
        TASKS.forEach(task -> ends.put(task, perTask));
        return this;
    }

    /** @param active the partitions that it runs; @param copies by partition, the records that they have */
    private CopiedTaskAssignorTest process(ProcessId id, Set<Integer> active, Map<Integer, Long> copies) {
        var state = new ClientState(id, Map.of());
        state.incrementCapacity();
        var sums = new TreeMap<TaskId, Long>();
        active.forEach(partition -> sums.put(new TaskId(0, partition), Task.LATEST_OFFSET));
        copies.forEach((partition, records) -> sums.put(new TaskId(0, partition), records));
        state.addPreviousTasksAndOffsetSums("consumer-" + id, sums);
        state.addOwnedPartitions(
                active.stream().map(CopiedTaskAssignorTest::input).toList(), "consumer-" + id);
        state.initializePrevTasks(
                TASKS.stream().collect(Collectors.toMap(task -> input(task.partition()), Function.identity())), false);
        state.computeTaskLags(id, ends);
        processes.put(id, state);
        return this;
    }

    private static TopicPartition input(int partition) {
        return new TopicPartition("log", partition);
    }

    /** @return whether a further rebalance is needed */
    private boolean assign() {
        return new CopiedTaskAssignor()
                .assign(
                        processes,
                        TASKS,
                        TASKS,
                        new RackAwareTaskAssignor(
                                Cluster.empty(), Map.of(), Map.of(), Map.of(), Map.of(), null, CONFIGS, Time.SYSTEM),
                        CONFIGS);
    }

    private int activeOf(ProcessId id) {
        return processes.get(id).activeTasks().size();
    }

    @Test
    void shouldLeaveTasksToTheirOwnerUntilAnotherProcessHasCopies() {
        records(5_000).process(OWNER, Set.of(0, 1, 2, 3), Map.of()).process(OTHER, Set.of(), Map.of());

        assertTrue(assign());

        assertEquals(4, activeOf(OWNER));
        assertEquals(4, processes.get(OTHER).standbyTasks().size());
    }

    @Test
    void shouldMoveTasksToAProcessWithCopies() {
        records(5_000)
                .process(OWNER, Set.of(0, 1, 2, 3), Map.of())
                .process(OTHER, Set.of(), Map.of(0, 4_900L, 1, 4_900L, 2, 4_900L, 3, 4_900L));

        assertFalse(assign());

        assertEquals(2, activeOf(OWNER));
        assertEquals(2, activeOf(OTHER));
    }

    @Test
    void shouldNotMoveTasksToCopiesThatAreFarBehind() {
        records(50_000)
                .process(OWNER, Set.of(0, 1, 2, 3), Map.of())
                .process(OTHER, Set.of(), Map.of(0, 39_000L, 1, 39_000L, 2, 39_000L, 3, 39_000L));

        assertTrue(assign());

        assertEquals(4, activeOf(OWNER));
    }

    @Test
    void shouldGiveTasksOfADeadOwnerToACopy() {
        records(5_000)
                .process(OWNER, Set.of(), Map.of())
                .process(OTHER, Set.of(), Map.of(0, 4_900L, 1, 4_900L, 2, 100L, 3, 4_900L));

        assertTrue(assign());

        assertEquals(4, activeOf(OTHER));
    }

    @Test
    void shouldShareTasksThatNobodyHas() {
        records(5_000).process(OWNER, Set.of(), Map.of()).process(OTHER, Set.of(), Map.of());

        assertFalse(assign());

        assertEquals(2, activeOf(OWNER));
        assertEquals(2, activeOf(OTHER));
    }

    @Test
    void shouldShareTasksOfANewDeploymentAtOnce() {
        records(CopiedTaskAssignor.FEW_RECORDS)
                .process(OWNER, Set.of(0, 1, 2, 3), Map.of())
                .process(OTHER, Set.of(), Map.of());

        assertFalse(assign());

        assertEquals(2, activeOf(OTHER));
    }
}
