package dev.laurel.deploy.tools.replay;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits for what others do with a topic, and shows how far they are. */
final class Waiting {

    private static final long LOOK_AGAIN_MS = 250;

    private final String name;
    private final ReplayProgress progress;

    /** Those who do it. */
    interface Work {

        /** @param ends by partition, as everywhere here @return records up to those ends that are done */
        long done(List<Long> ends) throws InterruptedException;

        /** Whether all is done that stands before these ends. */
        boolean isDone(List<Long> ends) throws InterruptedException;

        /** @throws RuntimeException if it is not to be waited for any more */
        void expectRunning();
    }

    /** @param name of what is waited for, for people */
    Waiting(String name, ReplayProgress progress) {
        this.name = name;
        this.progress = progress;
    }

    void await(Work work, List<Long> ends) throws InterruptedException {
        long begun = work.done(ends);
        long all = ends.stream().mapToLong(Long::longValue).sum();
        progress.begin(name, "records", all - begun);
        while (!work.isDone(ends)) {
            work.expectRunning();
            progress.stepTo(work.done(ends) - begun);
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
        }
        // The marks of transactions hold offsets, too, which nobody comes to.
        progress.stepTo(all - begun);
        progress.end();
    }
}
