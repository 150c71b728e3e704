package dev.laurel.query.http;

import io.javalin.http.Handler;

/** Wraps handlers so that another node answers a request about a partition of that node. */
@FunctionalInterface
public interface Relay {

    /** The relay of a single node, which wraps nothing. */
    Relay NONE = (_, handler) -> handler;

    /** The subject of a read, which determines how it is relayed. */
    enum Subject {
        /** One user. A copy answers while the owner does not respond. */
        USER,
        /** One leaderboard. */
        BOARD,
        /** All data of one user. The response may be long, so it is forwarded while it arrives. */
        EXPORT
    }

    Handler wrap(Subject subject, Handler handler);
}
