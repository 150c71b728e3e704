package dev.laurel.deploy.roles;

import dev.laurel.deploy.cli.CloseStack;
import dev.laurel.deploy.tools.doctor.RunningProcess;
import dev.laurel.gateway.Gateway;
import dev.laurel.platform.kafka.KafkaAccess;
import dev.laurel.platform.kafka.LocalRecords;
import dev.laurel.platform.metrics.Metrics;
import dev.laurel.platform.trace.Tracing;
import dev.laurel.processors.stream.PipelineSettings.LocalReplies;
import dev.laurel.processors.stream.StartupCatchUp;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared parts of the roles of one process. A role adds what it starts to {@code parts}, so that closing them undoes
 * a start that fails half-way.
 *
 * @param clock clock of the process
 * @param tracing tracing of requests through all roles
 * @param metrics metrics of the process
 * @param tails what this process has written and need not fetch
 * @param gateway the gateway in this process, once it has started
 * @param shown what operators see of this process
 * @param fault completed when a role cannot continue; the process should then end
 */
record RoleProcess(
        KafkaAccess kafka,
        InstantSource clock,
        Tracing tracing,
        CloseStack parts,
        Metrics metrics,
        LocalRecords tails,
        LocalGateway gateway,
        RunningProcess shown,
        CompletableFuture<Throwable> fault) {

    private static final Logger LOG = LoggerFactory.getLogger(RoleProcess.class);

    /** Creates a process with its own metrics. */
    RoleProcess(
            KafkaAccess kafka,
            InstantSource clock,
            Tracing tracing,
            CloseStack parts,
            CompletableFuture<Throwable> fault) {
        this(
                kafka,
                clock,
                tracing,
                parts,
                new Metrics(),
                new LocalRecords(),
                new LocalGateway(),
                new RunningProcess(),
                fault);
    }

    private static final Duration LOG_INTERVAL = Duration.ofSeconds(30);
    private static final Duration FOLD_LOG_INTERVAL = Duration.ofSeconds(5);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    /** Passes replies to the gateway in this process, if there is one, and asks it for the number of gateways. Thread-safe. */
    static final class LocalGateway implements LocalReplies {

        private volatile LocalReplies gateway = LocalReplies.NONE;
        private volatile IntSupplier gateways = () -> 1;

        void use(Gateway started) {
            gateway = started::takeReply;
            gateways = started::gateways;
        }

        /** The number of live gateways that share the rate limits with this one; 1 if there is none here. */
        int gateways() {
            return gateways.getAsInt();
        }

        @Override
        public boolean deliver(Headers headers, byte[] body) {
            return gateway.deliver(headers, body);
        }
    }

    /** Waits until an application is ready; returns false after the timeout. */
    interface Readiness {

        boolean await(Duration timeout) throws InterruptedException;
    }

    /**
     * Waits for an application as long as it needs to restore its state and to catch up, because giving up would only
     * make it start again. Logs the progress every 30 s.
     *
     * @param application name for people
     * @param left describes the remaining work, for people
     * @throws IllegalStateException if the application has failed
     */
    void await(String application, Readiness readiness, Supplier<String> left) throws InterruptedException {
        await(
                application,
                readiness,
                LOG_INTERVAL,
                seconds -> "The " + application + " application is not ready after " + seconds + " s: " + left.get());
    }

    /** @param line makes a line of the log from the seconds since the begin */
    private void await(String application, Readiness readiness, Duration interval, LongFunction<String> line)
            throws InterruptedException {
        long startNs = System.nanoTime();
        long loggedNs = startNs;
        while (!readiness.await(POLL_INTERVAL)) {
            if (fault.isDone()) {
                throw new IllegalStateException(
                        "an application failed before " + application + " was ready", fault.join());
            }
            long nowNs = System.nanoTime();
            if (nowNs - loggedNs >= interval.toNanos()) {
                loggedNs = nowNs;
                LOG.info("{}", line.apply(TimeUnit.NANOSECONDS.toSeconds(nowNs - startNs)));
            }
        }
    }

    /** Waits for an application that restores stores and then catches up with its topics. */
    void await(String application, Readiness readiness, StartupCatchUp catchUp) throws InterruptedException {
        await(application, readiness, () -> {
            long records = catchUp.left();
            return records > 0
                    ? String.format(Locale.ROOT, "%,d records left", records)
                    : "its stores are being restored";
        });
    }

    /** Waits while the whole log is folded. Logs the progress every 5 s. @param log progress of its folding */
    void awaitFold(Readiness readiness, Supplier<StartupCatchUp> log) throws InterruptedException {
        var total = new AtomicLong();
        await("the fold", readiness, FOLD_LOG_INTERVAL, _ -> {
            long left = log.get().left();
            long all = total.accumulateAndGet(left, Math::max);
            return String.format(Locale.ROOT, "Folding the log anew: %,d of %,d records", all - left, all);
        });
    }
}
