package dev.laurel.processors.stream;

import dev.laurel.platform.trace.Tracing;
import dev.laurel.schemas.topic.Generation;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * How the ledger and the boards application of one generation process the log.
 *
 * @param generation gives the names of the topics
 * @param window decides for which records the applications produce output
 * @param isCached whether the ledger's stores have a record cache
 * @param isLogged whether the stores have changelogs; stores without end with the process
 * @param isLogCopied whether the log of the generation contains nothing but copies so far: then nothing may be appended to it
 *        that could change the state
 * @param tracing of requests
 * @param replies the gateway in this process
 */
public record PipelineSettings(
        Generation generation,
        OutputWindow window,
        boolean isCached,
        boolean isLogged,
        boolean isLogCopied,
        Tracing tracing,
        LocalReplies replies) {

    /** Delivers replies to a gateway in this process without {@code laurel.replies}. Thread-safe. */
    public interface LocalReplies {

        /** No gateway is in this process, or it accepts replies of committed transactions only. */
        LocalReplies NONE = (_, _) -> false;

        /**
         * Delivers a reply, or a part of one, if the request came through a gateway in this process. Never blocks. The caller may process
         * the command again, and deliver the same reply once more.
         *
         * @param headers as written by {@link dev.laurel.schemas.topic.ReplyHeaders}
         * @return false if the reply must travel
         */
        boolean deliver(Headers headers, byte[] body);
    }

    /** Settings without tracing, for a process without a gateway. */
    public PipelineSettings(Generation generation, OutputWindow window, boolean isCached, boolean isLogged) {
        this(generation, window, isCached, isLogged, false, Tracing.NONE, LocalReplies.NONE);
    }

    /**
     * Supplies processors for these handlers with the stores that they own, which have changelogs if {@link #isLogged} says so.
     *
     * @param handlers also get the trace of the records that they process
     */
    public <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> supplier(
            BiFunction<ProcessorContext<KOut, VOut>, TaskTrace, TaskProcessor.Handler<KIn, VIn>> handlers,
            Set<StoreBuilder<?>> stores) {
        if (!isLogged) {
            stores.forEach(StoreBuilder::withLoggingDisabled);
        }
        return TaskProcessor.supplier(
                context -> {
                    var trace = new TaskTrace();
                    return trace.traced(tracing, context, handlers.apply(context, trace));
                },
                stores);
    }
}
