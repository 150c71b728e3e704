package dev.laurel.processors.stream;

import dev.laurel.schemas.key.TenantId;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The key of a record of {@code laurel.scores}: the leaderboard that it is about. Records for all leaderboards of a partition
 * have none.
 *
 * @param board number of the leaderboard
 */
public record ScoreKey(TenantId tenant, int board) {

    /** The number, big-endian in four bytes, and the tenant's name in UTF-8. */
    public byte[] bytes() {
        byte[] name = tenant.value().getBytes(UTF_8);
        return ByteBuffer.allocate(4 + name.length).putInt(board).put(name).array();
    }
}
