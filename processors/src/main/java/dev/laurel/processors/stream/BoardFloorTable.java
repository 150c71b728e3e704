package dev.laurel.processors.stream;

import dev.laurel.processors.core.leaderboard.BoardFloors;
import dev.laurel.processors.core.leaderboard.BoardGroup;
import dev.laurel.processors.store.FloorRecords;
import dev.laurel.schemas.topic.TopicTable;
import dev.laurel.schemas.topic.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** What full leaderboards ask for, followed from {@code laurel.board-floors}. Thread-safe. */
public final class BoardFloorTable implements BoardFloors, AutoCloseable {

    /** Of groups beyond these nothing is known, so that all their scores travel. Some 60 MB. */
    private static final int MAX_FLOORS = 200_000;

    private final Map<BoardGroup, BigDecimal> floors = new ConcurrentHashMap<>();
    private final Map<Integer, long[]> heard = new ConcurrentHashMap<>();
    private final TopicTable<byte[], byte[]> table;

    /** @param onFault told once if the topic cannot be followed any longer */
    public BoardFloorTable(Map<String, Object> clientConfig, Consumer<Throwable> onFault) {
        this.table = new TopicTable<>(Topics.BOARD_FLOORS, clientConfig, this::put, onFault);
    }

    /** Starts following; returns at once. What is not known yet lets scores travel. */
    public void start() {
        table.start();
    }

    /** Waits until everything that was there at the start has been read. */
    public void awaitCaughtUp(Duration timeout) throws InterruptedException {
        table.awaitCaughtUp(timeout);
    }

    /** One record of the topic, in its order, on one thread. */
    void put(byte[] key, byte[] value) {
        switch (FloorRecords.readKey(key)) {
            case FloorRecords.Key.OfGroup(BoardGroup group) -> {
                if (value == null) {
                    floors.remove(group);
                } else if (floors.containsKey(group) || floors.size() < MAX_FLOORS) {
                    floors.put(group, FloorRecords.readFloor(value));
                }
            }
            case FloorRecords.Key.OfPartition(int boardPartition) -> {
                if (value == null) {
                    heard.remove(boardPartition);
                } else {
                    heard.put(boardPartition, FloorRecords.readHeard(value));
                }
            }
        }
    }

    @Override
    public BigDecimal floorOf(BoardGroup group) {
        return floors.get(group);
    }

    @Override
    public long heardTo(int boardPartition, int logPartition) {
        long[] offsets = heard.get(boardPartition);
        return offsets == null || logPartition >= offsets.length ? -1 : offsets[logPartition];
    }

    @Override
    public void close() {
        table.close();
    }
}
