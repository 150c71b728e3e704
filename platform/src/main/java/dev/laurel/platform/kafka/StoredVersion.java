package dev.laurel.platform.kafka;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;

/**
 * The form of a ruleset version in {@code laurel.rulesets}: the whole document, which is JSON and begins with a brace, or a difference
 * to an earlier version of the tenant, its snapshot, which is stored whole. A difference is a byte 1, the number of the snapshot's
 * version (8 bytes), the length of the document (4 bytes), and a zstd frame with the snapshot as its dictionary and a checksum.
 * Restoring it gives the same bytes. Pure.
 */
public final class StoredVersion {

    private static final byte WHOLE = '{';
    private static final byte DIFFERENCE = 1;
    private static final int HEADER_BYTES = 1 + Long.BYTES + Integer.BYTES;

    /** Its tables have room for a snapshot of the maximum size. Lower levels miss much of what is the same in one of megabytes. */
    private static final int LEVEL = 9;
    private static final int MIN_WINDOW_LOG = 10;

    private StoredVersion() {}

    /** A version that is stored whole. */
    public record Snapshot(long version, byte[] document) {}

    static boolean isWhole(byte[] stored) {
        return stored.length > 0 && stored[0] == WHOLE;
    }

    /** Returns the difference of a document to its snapshot. */
    public static byte[] difference(byte[] document, Snapshot snapshot) {
        // The window has to reach the beginning of the snapshot from the end of the document.
        int both = document.length + snapshot.document().length;
        int windowLog = Math.max(MIN_WINDOW_LOG, Integer.SIZE - Integer.numberOfLeadingZeros(both));
        try (var context = new ZstdCompressCtx()) {
            context.setLevel(LEVEL).setWindowLog(windowLog).setChecksum(true).loadDict(snapshot.document());
            byte[] frame = context.compress(document);
            return ByteBuffer.allocate(HEADER_BYTES + frame.length).put(DIFFERENCE).putLong(snapshot.version())
                    .putInt(document.length).put(frame).array();
        }
    }

    /** Returns the number of the version to which this is a difference. */
    static long snapshotOf(byte[] difference) {
        return header(difference).getLong();
    }

    /** @throws IllegalStateException if this is no difference to this snapshot */
    static byte[] restore(byte[] difference, Snapshot snapshot) {
        ByteBuffer in = header(difference);
        long version = in.getLong();
        int length = in.getInt();
        if (version != snapshot.version() || length < 0 || length > Topics.MAX_RECORD_BYTES) {
            throw new IllegalStateException("a difference to version " + version + ", of a document of " + length
                    + " bytes, cannot be restored from version " + snapshot.version());
        }
        byte[] frame = new byte[in.remaining()];
        in.get(frame);
        try (var context = new ZstdDecompressCtx()) {
            return context.loadDict(snapshot.document()).decompress(frame, length);
        } catch (ZstdException e) {
            throw new IllegalStateException("a difference to version " + version + " cannot be restored", e);
        }
    }

    private static ByteBuffer header(byte[] difference) {
        if (difference.length < HEADER_BYTES || difference[0] != DIFFERENCE) {
            throw new IllegalStateException("a ruleset version is stored in a form that this version of Laurel does not"
                    + " know; it begins with byte " + (difference.length == 0 ? "none" : difference[0]));
        }
        return ByteBuffer.wrap(difference).position(1);
    }
}
