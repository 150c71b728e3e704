package dev.laurel.query.http;

import io.javalin.http.Handler;

/** Has another node answer a request, as a whole, that is about something which that node has. */
public interface Relay {

    /** There are no other nodes. */
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

    /** About one user: answered from a copy while the owner is away. */
    Handler ofUser(Handler handler);

    /** About one leaderboard. */
    Handler ofBoard(Handler handler);

    /** All that is known of one user, which may be long: passed on while it comes in. */
    Handler ofExport(Handler handler);
}
