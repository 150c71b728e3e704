package dev.laurel.platform.kafka;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.laurel.schemas.topic.Topics;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The forms in which Laurel 0.1 stored versions of rulesets other than as whole documents, which are only read: differences to another
 * version, and records of {@code laurel.ruleset-archive} with many versions. Pure.
 */
final class FormerVersions {

    /** The number under which {@code laurel.rulesets} has the {@link Place}s of a tenant: no version has it, since the first one is 1. */
    static final long INDEX = 0;

    private static final byte DIFFERENCE = 1;
    private static final byte INDEX_FORM = 2;
    private static final byte CHUNK_FORM = 1;

    private FormerVersions() {}

    /** Where a version is in the archive. @param first version of the record @param offset of the record */
    record Place(long first, long offset) {}

    static boolean isDifference(byte[] stored) {
        return stored.length > 0 && stored[0] == DIFFERENCE;
    }

    /** Returns the number of the version to which this is a difference; 0: to an empty document. */
    static long snapshotOf(byte[] difference) {
        return ByteBuffer.wrap(difference).getLong(1);
    }

    /** A difference is a byte, the number of the other version, the length, and a zstd frame with that version as its dictionary. */
    static byte[] restore(byte[] difference, byte[] snapshot) {
        ByteBuffer in = ByteBuffer.wrap(difference).position(1 + Long.BYTES);
        int length = in.getInt();
        if (length < 0 || length > Topics.MAX_RECORD_BYTES) {
            throw new IllegalStateException("a ruleset of " + length + " bytes is too long");
        }
        byte[] frame = new byte[in.remaining()];
        in.get(frame);
        try (var context = new ZstdDecompressCtx()) {
            return context.loadDict(snapshot).decompress(frame, length);
        } catch (ZstdException e) {
            throw new IllegalStateException(
                    "a difference to ruleset version " + snapshotOf(difference) + " cannot be restored", e);
        }
    }

    /**
     * Finds an archived version. An index is a byte, the first version that is not archived, another number, and the number of places,
     * which are in the order of the versions.
     *
     * @return null: the version is not archived
     */
    static @Nullable Place find(byte[] index, long version) {
        ByteBuffer in = form(index, INDEX_FORM);
        if (version < 1 || version >= in.getLong()) {
            return null;
        }
        in.getLong();
        Place found = null;
        for (int left = in.getInt(); left > 0; left--) {
            var place = new Place(in.getLong(), in.getLong());
            found = place.first <= version ? place : found;
        }
        return found;
    }

    /** Finds a version in a record of the archive: a byte, a number, and so many versions with their lengths and bytes. Null: none. */
    static byte @Nullable [] find(long version, byte[] archived) {
        ByteBuffer in = form(archived, CHUNK_FORM);
        for (int left = in.getInt(); left > 0; left--) {
            boolean isFound = in.getLong() == version;
            int length = in.getInt();
            if (isFound) {
                byte[] stored = new byte[length];
                in.get(stored);
                return stored;
            }
            in.position(in.position() + length);
        }
        return null;
    }

    private static ByteBuffer form(byte[] stored, byte form) {
        ByteBuffer in = ByteBuffer.wrap(stored);
        if (!in.hasRemaining() || in.get() != form) {
            throw new IllegalStateException("archived rulesets have an unknown form");
        }
        return in;
    }
}
