package dev.laurel.processors.boards;

import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.platform.kafka.TopicTable;
import dev.laurel.processors.store.boards.FloorRecords;
import dev.laurel.processors.store.boards.FloorRecords.Floor;
import dev.laurel.processors.store.boards.FloorRecords.Progress;
import dev.laurel.schemas.topic.Generation;
import dev.laurel.schemas.topic.Topics;
import java.math.BigDecimal;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows {@code laurel.board-floors}, the floors of full groups. A floor is valid only together with the log offsets that the same
 * life of its task has published, since a task may end before it publishes that the floor has fallen. Thread-safe.
 */
public final class LeaderboardFloorTable extends TopicTable<byte[], byte[]> implements LeaderboardFloors {

    /** About 60 MB. */
    public static final int DEFAULT_MAX_FLOORS = 200_000;

    private final Map<LeaderboardGroup, Floor> floors = new ConcurrentHashMap<>();
    private final Map<Integer, Progress> heard = new ConcurrentHashMap<>();

    private final int maxFloors;

    /**
     * @param generation of the leaderboards
     * @param maxFloors the floors of further groups are not kept, so that all their scores are sent
     * @param onFault receives the fault, once, if the topic cannot be followed any longer
     */
    public LeaderboardFloorTable(
            Map<String, Object> clientConfig, Generation generation, int maxFloors, Consumer<Throwable> onFault) {
        super(Topics.floorsOf(generation), clientConfig, onFault);
        this.maxFloors = maxFloors;
    }

    @Override
    protected void put(byte[] key, byte @Nullable [] value, long offset) {
        put(key, value);
    }

    /** Applies a record of the topic; called in their order on one thread. */
    void put(byte[] key, byte @Nullable [] value) {
        switch (FloorRecords.KEY.decode(key)) {
            case FloorRecords.Key.OfGroup(LeaderboardGroup group) -> {
                if (value == null) {
                    floors.remove(group);
                } else if (floors.containsKey(group) || floors.size() < maxFloors) {
                    floors.put(group, FloorRecords.FLOOR.decode(value));
                }
            }
            case FloorRecords.Key.OfPartition(int boardPartition) -> {
                if (value == null) {
                    heard.remove(boardPartition);
                } else {
                    put(boardPartition, FloorRecords.PROGRESS.decode(value));
                }
            }
        }
    }

    private void put(int boardPartition, Progress published) {
        Progress before = heard.put(boardPartition, published);
        if (before == null || before.life() != published.life()) {
            // A floor of a former life would only occupy space.
            floors.values()
                    .removeIf(floor -> floor.boardPartition() == boardPartition && floor.life() != published.life());
        }
    }

    @Override
    public @Nullable BigDecimal floorOf(LeaderboardGroup group) {
        Floor floor = floors.get(group);
        if (floor == null) {
            return null;
        }
        Progress published = heard.get(floor.boardPartition());
        return published == null || published.life() != floor.life() ? null : floor.value();
    }

    @Override
    public long processedTo(int boardPartition, int logPartition) {
        Progress published = heard.get(boardPartition);
        return published == null || logPartition >= published.offsets().length
                ? -1
                : published.offsets()[logPartition];
    }
}
