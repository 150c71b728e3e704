package dev.laurel.query.locate;

import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Values that may be some time old, by key. A value is read once for all who ask for it at the same time, on a thread of its own, and shown
 * until it is too old. A failure goes to those who wait for the value and is not kept. Thread-safe.
 */
public final class AgedValues<K, V> {

    /** Reads each value on a thread of its own. */
    public static final Executor THREADS =
            task -> Thread.ofVirtual().name("laurel-aged-values").start(task);

    private final AsyncLoadingCache<K, Read<V>> values;

    /** A value, or why it could not be read. */
    private record Read<V>(@Nullable V value, @Nullable NotReadyException failure) {}

    /**
     * How long values are kept, and how many.
     *
     * @param age of a value; it is not shown beyond
     * @param refreshedAfter a value that is asked for is then read again in the background; null: not before its age
     * @param weight of a value, counted up to {@code max}
     */
    public record Limits<V>(
            Function<V, Duration> age, @Nullable Duration refreshedAfter, ToIntFunction<V> weight, long max) {

        /** So many values, all kept for the same time. */
        public static <V> Limits<V> of(Duration age, long max) {
            return of(_ -> age, max);
        }

        /** So many values. */
        public static <V> Limits<V> of(Function<V, Duration> age, long max) {
            return new Limits<>(age, null, _ -> 1, max);
        }
    }

    /** @param read may block; throws {@link NotReadyException} while a value cannot be read */
    public AgedValues(Limits<V> limits, Function<K, V> read) {
        this(limits, read, THREADS, System::nanoTime);
    }

    /** @param executor reads the values @param nanoTime a clock as {@link System#nanoTime} */
    public AgedValues(Limits<V> limits, Function<K, V> read, Executor executor, LongSupplier nanoTime) {
        Caffeine<K, Read<V>> cache = Caffeine.newBuilder()
                .maximumWeight(limits.max)
                .weigher((K _, Read<V> known) -> known.value == null ? 1 : limits.weight.applyAsInt(known.value))
                .expireAfter(Expiry.writing(
                        (K _, Read<V> known) -> known.value == null ? Duration.ZERO : limits.age.apply(known.value)))
                .ticker(nanoTime::getAsLong)
                .executor(executor);
        if (limits.refreshedAfter != null) {
            cache.refreshAfterWrite(limits.refreshedAfter);
        }
        this.values = cache.buildAsync(key -> {
            try {
                return new Read<>(read.apply(key), null);
            } catch (NotReadyException e) {
                return new Read<>(null, e); // the cache would log the exception
            }
        });
    }

    /** Waits for a value. Throws what its reading throws. */
    public V get(K key) {
        return valueOf(key, values.get(key));
    }

    /**
     * Waits for a value. Throws what its reading throws.
     *
     * @return null if it is not known in time; a later call will find it
     */
    public @Nullable V get(K key, Duration wait) {
        CompletableFuture<Read<V>> read = values.get(key);
        try {
            read.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return null;
        } catch (ExecutionException _) {
            // thrown below
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotReadyException("interrupted while waiting for " + key, e);
        }
        return valueOf(key, read);
    }

    private V valueOf(K key, CompletableFuture<Read<V>> read) {
        try {
            Read<V> known = read.join();
            if (known.value == null) {
                values.asMap().remove(key, read); // it is too old at once, but perhaps not before the next call
                throw Objects.requireNonNull(known.failure, "there is a value or a failure");
            }
            return known.value;
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
