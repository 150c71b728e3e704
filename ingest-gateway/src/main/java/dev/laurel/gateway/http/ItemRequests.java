package dev.laurel.gateway.http;

import dev.laurel.gateway.reply.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * The requests to the log that one bulk request comes to: those about the same thing one after the other, others at the same
 * time, some at once. Belongs to one request.
 */
final class ItemRequests {

    private static final int MAX_AT_ONCE = 16;

    private final ItemResults results;
    private final Map<Object, List<Runnable>> requests = new LinkedHashMap<>();

    /** @param results told of every answer */
    ItemRequests(ItemResults results) {
        this.results = results;
    }

    /**
     * @param index of the item
     * @param about what keeps its order: the user, or the thing's id
     */
    void add(int index, Object about, Supplier<Answer> request) {
        requests.computeIfAbsent(about, _ -> new ArrayList<>()).add(() -> results.take(index, request.get()));
    }

    /** Sends them and waits for their answers. */
    void send() {
        if (requests.size() < 2) {
            requests.values().forEach(ItemRequests::run);
            return;
        }
        var sent = new ArrayList<Future<?>>();
        try (var pool = Executors.newFixedThreadPool(Math.min(MAX_AT_ONCE, requests.size()),
                Thread.ofVirtual().factory())) {
            requests.values().forEach(inOrder -> sent.add(pool.submit(() -> run(inOrder))));
        }
        for (Future<?> one : sent) {
            try {
                one.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException("an item could not be asked for", e);
            }
        }
    }

    private static void run(List<Runnable> inOrder) {
        inOrder.forEach(Runnable::run);
    }
}
