package dev.laurel.query.analytics;

import dev.laurel.platform.kafka.RangeReader;
import dev.laurel.query.analytics.EffectSource.Batch;
import dev.laurel.query.analytics.EffectSource.PublishedEffect;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.kind.Kind;
import dev.laurel.schemas.topic.Topics;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * The effects of a tenant as they are published, from a position on or from now. They come from the {@link EffectSource}, which all
 * feeds share; one that begins earlier, or was too slow for it, reads the topic with a consumer of its own until it gets there. So a
 * slow listener delays nobody. For one thread, except for {@link #stop}.
 */
public final class EffectFeed implements AutoCloseable {

    /** The types of effects. */
    public static final List<String> TYPES =
            Effect.KINDS.stream().map(Kind::name).toList();

    private static final int RADIX = 36;

    private final EffectSource source;
    private final Filter filter;

    /** Number of the next effect of the source. */
    private long next;

    /** Offset of each partition before the next effect. */
    private long[] offsets;

    /** Reads what the source has not kept; null: the feed continues with the source. */
    private volatile @Nullable CatchUp catchUp;

    private volatile boolean isStopped;

    /**
     * The effects to pass on.
     *
     * @param types empty: all
     * @param user null: those of all users, and those of none
     */
    public record Filter(
            TenantId tenant, Set<String> types, @Nullable UserId user) {

        public Filter {
            types = Set.copyOf(types);
        }

        boolean matches(PublishedEffect effect) {
            String subject = effect.subject();
            // The key without a tenant of a user's effect looks like that of an effect of a tenant.
            boolean isOfOtherTenant =
                    tenant.value().isEmpty() && effect.user() == null && subject.indexOf('/') < 0 && !subject.isEmpty();
            return mayBeOfTenant(subject)
                    && !isOfOtherTenant
                    && (types.isEmpty() || types.contains(effect.type()))
                    && (user == null || user.value().equals(effect.user()));
        }

        /** @param subject the key of a user, of a leaderboard or of a tenant */
        private boolean mayBeOfTenant(String subject) {
            int slash = subject.indexOf('/');
            if (tenant.value().isEmpty()) {
                return slash <= 0;
            }
            return slash < 0 ? subject.equals(tenant.value()) : subject.startsWith(UserKey.prefixOf(tenant));
        }
    }

    /**
     * @param position one of {@link #position}; null, and one that is not valid: from now on
     * @throws IllegalStateException if the topic cannot be read
     */
    public EffectFeed(EffectSource source, Filter filter, @Nullable String position) {
        this.source = source;
        this.filter = filter;
        source.enter();
        try {
            Batch now = source.now();
            next = now.next();
            offsets = now.positions();
            long[] from = position == null ? null : offsetsOf(position, offsets.length);
            if (from != null) {
                catchUp = new CatchUp(from);
                offsets = from;
            }
        } catch (RuntimeException e) {
            source.leave();
            throw e;
        }
    }

    /** Reads from some offsets to where the source is. */
    private final class CatchUp {

        private final RangeReader reader = source.newReader();
        private final long[] ends;

        CatchUp(long[] from) {
            try {
                Batch now = source.now();
                next = now.next();
                ends = now.positions();
                reader.seek(byPartition(from), byPartition(ends));
            } catch (RuntimeException e) {
                reader.close();
                throw e;
            }
        }

        private static Map<TopicPartition, Long> byPartition(long[] offsets) {
            return IntStream.range(0, offsets.length)
                    .boxed()
                    .collect(Collectors.toMap(CatchUp::partition, i -> offsets[i]));
        }

        private static TopicPartition partition(int number) {
            return new TopicPartition(Topics.EFFECTS.name(), number);
        }

        /** Reads on; null once the source is reached. */
        @Nullable
        List<byte[]> poll(Duration timeout) {
            if (reader.left() == 0) {
                offsets = ends;
                return null;
            }
            List<byte[]> matching = reader.poll(timeout).stream()
                    .filter(record -> filter.matches(PublishedEffect.of(record)))
                    .map(ConsumerRecord::value)
                    .toList();
            offsets = IntStream.range(0, ends.length)
                    .mapToLong(i -> reader.position(partition(i)))
                    .toArray();
            return matching;
        }
    }

    /** @return null: not valid for so many partitions */
    static long @Nullable [] offsetsOf(String position, int partitions) {
        String[] parts = position.split(",", -1);
        if (parts.length != partitions
                || !position.matches("[0-9a-z,]*")) { // digits of other scripts, too, would be numbers
            return null;
        }
        try {
            return Arrays.stream(parts)
                    .mapToLong(part -> Long.parseLong(part, RADIX))
                    .toArray();
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /** Where {@link #poll} goes on: a text that a later feed continues from. */
    public String position() {
        return Arrays.stream(offsets)
                .mapToObj(offset -> Long.toString(offset, RADIX))
                .collect(Collectors.joining(","));
    }

    /**
     * Waits for effects; returns those that match, as JSON in one line each. Empty if there are none in time, and once stopped.
     *
     * @throws IllegalStateException if the topic cannot be read
     */
    public List<byte[]> poll(Duration timeout) {
        try {
            return read(timeout);
        } catch (WakeupException _) {
            return List.of(); // stopped
        }
    }

    private List<byte[]> read(Duration timeout) {
        CatchUp behind = catchUp;
        if (behind != null) {
            List<byte[]> effects = behind.poll(timeout);
            if (effects != null) {
                return effects;
            }
            behind.reader.close();
            catchUp = null;
        }
        if (isStopped) {
            return List.of();
        }
        Batch batch = source.from(next, filter, timeout);
        if (batch == null) {
            catchUp = new CatchUp(offsets);
            return List.of();
        }
        next = batch.next();
        offsets = batch.positions();
        return batch.matching();
    }

    /** Ends the wait of {@link #poll}. Thread-safe. */
    public void stop() {
        isStopped = true;
        CatchUp behind = catchUp;
        if (behind != null) {
            behind.reader.wakeup();
        }
        source.wake();
    }

    public boolean isStopped() {
        return isStopped;
    }

    @Override
    public void close() {
        CatchUp behind = catchUp;
        if (behind != null) {
            behind.reader.close();
        }
        source.leave();
    }
}
