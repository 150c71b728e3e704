package dev.laurel.query.http;

import io.javalin.http.Handler;

/** Wraps handlers so that another node answers a request about a partition of that node. */
public interface Relay {

    /** The relay of a single node, which wraps nothing. */
    Relay NONE = new Relay() {
        @Override
        public Handler ofUser(Handler handler) {
            return handler;
        }

        @Override
        public Handler ofBoard(Handler handler) {
            return handler;
        }

        @Override
        public Handler ofExport(Handler handler) {
            return handler;
        }
    };

    /** Wraps a read of one user. A copy answers it while the owner does not respond. */
    Handler ofUser(Handler handler);

    /** Wraps a read of one leaderboard. */
    Handler ofBoard(Handler handler);

    /** Wraps the export of one user. It may be long, so it is passed on while it arrives. */
    Handler ofExport(Handler handler);
}
