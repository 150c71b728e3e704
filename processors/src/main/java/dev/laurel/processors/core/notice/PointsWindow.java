package dev.laurel.processors.core.notice;

import dev.laurel.schemas.outbox.Outgoing.HookEvent;

/**
 * What a user's points.changed of one system waits for.
 *
 * @param endMs until when nothing more is told, by the instance's clock
 * @param heardOffset of the newest record that went into it; what is read again up to it changes nothing
 * @param sentOffset of the record that was sent on at once, and is again if it is read again; -1 if none was
 * @param merged what goes out at the end; null if nothing has come since
 */
public record PointsWindow(long endMs, long heardOffset, long sentOffset, HookEvent merged) {

    public static final int NO_OFFSET = -1;
}
