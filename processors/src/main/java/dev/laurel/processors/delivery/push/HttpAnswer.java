package dev.laurel.processors.delivery.push;

import java.util.Map;

/** What comes of a request. */
sealed interface HttpAnswer {

    /** @param body empty if it is no JSON object */
    record Answered(int status, Map<String, Object> body) implements HttpAnswer {

        boolean isSuccess() {
            return status >= 200 && status < 300;
        }

        /** Without the body, which may be an access token: this may end up in a log. */
        @Override
        public String toString() {
            return "status " + status;
        }

        /** The object under this name; empty if there is none. */
        Map<?, ?> object(String name) {
            return objectIn(body, name);
        }

        static Map<?, ?> objectIn(Map<?, ?> parent, String name) {
            return parent.get(name) instanceof Map<?, ?> object ? object : Map.of();
        }
    }

    /** There was no connection: nothing has gone out. */
    record NotReached(String reason) implements HttpAnswer {}

    /** No usable answer came to what has gone out. */
    record NoAnswer(String reason) implements HttpAnswer {}
}
