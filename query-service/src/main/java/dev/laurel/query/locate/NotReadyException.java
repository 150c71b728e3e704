package dev.laurel.query.locate;

import org.jspecify.annotations.Nullable;

/**
 * The stores that a read needs cannot be read on this node now: they are restoring, lagging, moving, or on another node. A later
 * read may succeed.
 */
public final class NotReadyException extends RuntimeException {

    private final @Nullable StorePartition partition;
    private final boolean isAboutOthers;

    /** The applications whose stores are read. */
    public enum Stores {
        /** The ledger, partitioned as the log. */
        USERS,
        /** Leaderboards, partitioned as {@code laurel.scores}. */
        BOARDS
    }

    /** The only partition that a read needs: the node that has it can answer the read. */
    public record StorePartition(Stores stores, int partition) {}

    public NotReadyException(String message) {
        this(message, (Throwable) null);
    }

    public NotReadyException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.partition = null;
        this.isAboutOthers = false;
    }

    /** Has no stack trace: with several nodes this is the usual way to find out that another node has to answer. */
    public NotReadyException(StorePartition partition, String message) {
        this(partition, false, message);
    }

    private NotReadyException(@Nullable StorePartition partition, boolean isAboutOthers, String message) {
        super(message, null, false, false);
        this.partition = partition;
        this.isAboutOthers = isAboutOthers;
    }

    /** The read also needs other partitions, and those cannot be read: copies of them may suffice. */
    public static NotReadyException ofOthers(String message) {
        return new NotReadyException(null, true, message);
    }

    /** The same without the partition. */
    public NotReadyException withoutPartition() {
        return partition == null ? this : new NotReadyException(null, false, String.valueOf(getMessage()));
    }

    /** Whether only partitions other than the read's own are missing. */
    public boolean isAboutOthers() {
        return isAboutOthers;
    }

    /** Null if the read needs several partitions, or for another reason. */
    public @Nullable StorePartition partition() {
        return partition;
    }
}
