package dev.laurel.query.http;

import io.javalin.http.Context;
import java.util.List;

/** The part of a collection that a GET of the bulk pattern asks for (admin-api.md A1). */
record Page(int skip, int limit) {

    private static final int DEFAULT_LIMIT = 10;
    private static final int MAX_LIMIT = 100;

    static Page of(Context context) {
        return of(context, Integer.MAX_VALUE);
    }

    static Page of(Context context, int maxSkip) {
        return new Page(Query.integer(context, "skip", 0, 0, maxSkip),
                Query.integer(context, "limit", DEFAULT_LIMIT, 1, MAX_LIMIT));
    }

    <T> List<T> cut(List<T> all) {
        int from = Math.min(skip, all.size());
        return all.subList(from, from + Math.min(limit, all.size() - from));
    }
}
