package dev.laurel.platform.metrics;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts by the constants of enums, from 0 at the start of the process. Thread-safe. */
public class EnumCounts {

    private final Map<Enum<?>, LongAdder> counts;

    /** @param counted the constants that are counted */
    protected EnumCounts(Enum<?>[]... counted) {
        this.counts = Stream.of(counted)
                .flatMap(Stream::of)
                .collect(Collectors.toUnmodifiableMap(Function.identity(), _ -> new LongAdder()));
    }

    /** @throws NullPointerException if this constant is not counted, as in {@link #of} */
    public final void count(Enum<?> what) {
        adder(what).increment();
    }

    public final long of(Enum<?> what) {
        return adder(what).sum();
    }

    private LongAdder adder(Enum<?> what) {
        return requireNonNull(counts.get(what), "a constant that is counted");
    }
}
