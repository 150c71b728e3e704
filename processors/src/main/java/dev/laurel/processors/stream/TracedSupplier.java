package dev.laurel.processors.stream;

import dev.laurel.schemas.trace.Tracing;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** The processors of another supplier, each record a span where its request is followed. */
public final class TracedSupplier<KIn, VIn, KOut, VOut> implements ProcessorSupplier<KIn, VIn, KOut, VOut> {

    private final Tracing tracing;
    private final Set<String> outlets;
    private final ProcessorSupplier<KIn, VIn, KOut, VOut> supplier;

    private TracedSupplier(Tracing tracing, Set<String> outlets, ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        this.tracing = tracing;
        this.outlets = outlets;
        this.supplier = supplier;
    }

    /**
     * The supplier itself where nothing is followed, so that it costs nothing.
     *
     * @param outlets nodes to which records take the trace along; others are public, or followed by nobody
     */
    public static <KIn, VIn, KOut, VOut> ProcessorSupplier<KIn, VIn, KOut, VOut> of(Tracing tracing,
            Set<String> outlets, ProcessorSupplier<KIn, VIn, KOut, VOut> supplier) {
        return tracing.isOn() ? new TracedSupplier<>(tracing, Set.copyOf(outlets), supplier) : supplier;
    }

    @Override
    public Processor<KIn, VIn, KOut, VOut> get() {
        return new TracedProcessor<>(supplier.get(), tracing, outlets);
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return supplier.stores();
    }
}
