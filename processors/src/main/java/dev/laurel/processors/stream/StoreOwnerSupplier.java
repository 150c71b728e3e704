package dev.laurel.processors.stream;

import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** A supplier of processors, with the stores that they own. */
record StoreOwnerSupplier<KIn, VIn, KOut, VOut>(Supplier<Processor<KIn, VIn, KOut, VOut>> processors,
        Set<StoreBuilder<?>> stores) implements ProcessorSupplier<KIn, VIn, KOut, VOut> {

    @Override
    public Processor<KIn, VIn, KOut, VOut> get() {
        return processors.get();
    }
}
