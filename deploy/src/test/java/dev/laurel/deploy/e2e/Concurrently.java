package dev.laurel.deploy.e2e;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs several stories at once, each on its own thread. */
final class Concurrently {

    private Concurrently() {}

    /** Returns the results in order; the first failure fails the test. */
    static <T> List<T> run(List<Callable<T>> stories) throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.invokeAll(stories).stream()
                    .map(Concurrently::resultOf)
                    .toList();
        }
    }

    private static <T> T resultOf(Future<T> story) {
        return switch (story.state()) {
            case SUCCESS -> story.resultNow();
            case FAILED -> throw new AssertionError(story.exceptionNow());
            case CANCELLED, RUNNING -> throw new AssertionError("a story has not ended");
        };
    }
}
