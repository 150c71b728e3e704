package dev.laurel.schemas.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The meters of one part of a process: they are there from their registration until this is closed. Values are asked of the
 * part at each scrape, on the thread that scrapes, so the suppliers must be thread-safe, quick, and fit to be called also
 * while the part stops. Thread-safe.
 *
 * <p>Tags are the caller's to keep few: none ever has a path, an id or a tenant as its value.
 */
public final class MeterScope implements AutoCloseable {

    private final MeterRegistry registry;
    private final Consumer<MeterScope> onClose;
    private final List<Meter> meters = new ArrayList<>();
    private final List<Lines> lines = new ArrayList<>();

    /** Kept from the garbage collector: the registry has weak references to them. */
    private final List<Object> sources = new ArrayList<>();
    private boolean isClosed;

    /** One line of a gauge whose lines come and go. */
    public record Line(Tags tags, double value) {}

    private record Lines(MultiGauge gauge, Supplier<List<Line>> source) {

        void show(List<Line> now) {
            gauge.register(now.stream().map(line -> MultiGauge.Row.of(line.tags(), line.value())).toList(), true);
        }
    }

    MeterScope(MeterRegistry registry, Consumer<MeterScope> onClose) {
        this.registry = registry;
        this.onClose = onClose;
    }

    /** What is counted elsewhere, from 0 up. */
    public synchronized void counter(MeterName name, Tags tags, LongSupplier count) {
        sources.add(count);
        meters.add(FunctionCounter.builder(name.name(), count, LongSupplier::getAsLong).description(name.help())
                .baseUnit(name.unit()).tags(tags).register(registry));
    }

    /** What the part counts by this meter itself; an increment costs some 15 ns, and allocates nothing. */
    public synchronized Counter counter(MeterName name, Tags tags) {
        Counter counter = Counter.builder(name.name()).description(name.help()).baseUnit(name.unit()).tags(tags)
                .register(registry);
        meters.add(counter);
        return counter;
    }

    /** What can go up and down. */
    public synchronized void gauge(MeterName name, Tags tags, DoubleSupplier value) {
        sources.add(value);
        meters.add(Gauge.builder(name.name(), value::getAsDouble).description(name.help()).baseUnit(name.unit())
                .tags(tags).register(registry));
    }

    /** The same with a line for each thing that is there at the time of a scrape; all lines have the same tags. */
    public synchronized void gauges(MeterName name, Supplier<List<Line>> source) {
        lines.add(new Lines(MultiGauge.builder(name.name()).description(name.help()).baseUnit(name.unit())
                .register(registry), source));
    }

    /** Counts durations by their length: a record costs some 0.1 µs, and allocates nothing. @param buckets their upper ends */
    public synchronized Timer timer(MeterName name, Tags tags, Duration... buckets) {
        Timer timer = Timer.builder(name.name()).description(name.help()).tags(tags).serviceLevelObjectives(buckets)
                .register(registry);
        meters.add(timer);
        return timer;
    }

    /** Looks at what is there now. */
    synchronized void look() {
        if (!isClosed) {
            lines.forEach(gauge -> gauge.show(gauge.source().get()));
        }
    }

    /** Takes the meters out; what they have counted is forgotten. */
    @Override
    public void close() {
        onClose.accept(this);
        synchronized (this) {
            isClosed = true;
            lines.forEach(gauge -> gauge.show(List.of()));
            meters.forEach(registry::remove);
        }
    }
}
