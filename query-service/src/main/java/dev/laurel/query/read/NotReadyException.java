package dev.laurel.query.read;

/** The stores asked for cannot be read here now: restoring, behind, moving, or elsewhere. Asking again later helps. */
public final class NotReadyException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Place place;
    private final boolean isAboutOthers;

    /** What cannot be read. */
    public enum Stores {
        /** Partitions of the log. */
        USERS,
        /** Partitions of {@code laurel.scores}. */
        BOARDS
    }

    /** The one partition that the whole read is about: where that one is, it can be answered. */
    public record Place(Stores stores, int partition) {}

    public NotReadyException(String message) {
        this(message, (Throwable) null);
    }

    public NotReadyException(String message, Throwable cause) {
        super(message, cause);
        this.place = null;
        this.isAboutOthers = false;
    }

    /** Without a stack trace: with several nodes it is the usual way to find out that another one has to answer. */
    public NotReadyException(Place place, String message) {
        this(place, false, message);
    }

    private NotReadyException(Place place, boolean isAboutOthers, String message) {
        super(message, null, false, false);
        this.place = place;
        this.isAboutOthers = isAboutOthers;
    }

    /** What is to be known of partitions that the read also needs is not: copies of them may do. */
    public static NotReadyException ofOthers(String message) {
        return new NotReadyException(null, true, message);
    }

    public boolean isAboutOthers() {
        return isAboutOthers;
    }

    /** Null if several are needed, or the reason is another one. */
    public Place place() {
        return place;
    }
}
