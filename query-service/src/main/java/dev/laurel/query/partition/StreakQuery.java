package dev.laurel.query.partition;

import dev.laurel.core.statistics.RankedStreak.By;
import dev.laurel.core.statistics.RankedStreak;
import dev.laurel.core.user.StreakSnapshot;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.StreakBody.StreakLengthBody;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A query about the streaks of users. */
public sealed interface StreakQuery<R extends Record> extends UserQuery<R> {

    /** Measures the present streaks of these users. */
    record MeasureStreaks(List<UserKey> users) implements StreakQuery<MeasureStreaks.StreakLengths> {

        /** @param streaks of the users that exist, in no order */
        public record StreakLengths(List<StreakLengthBody> streaks) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return users.stream().mapToInt(user -> layout.partitionOf(user.bytes())).distinct();
        }

        @Override
        public StreakLengths answer(LocalNode node, List<Integer> partitions) {
            PresentUsers present = node.users();
            return new StreakLengths(users.stream().filter(user -> node.isAmong(partitions, user.bytes()))
                    .flatMap(user -> present.find(user, now -> {
                        int length = StreakSnapshot.lengthOf(now.state(), now.rules());
                        return new StreakLengthBody(user.user().value(), length,
                                length == 0 ? null : Instant.ofEpochMilli(now.state().streak().extendedAtMs()));
                    }).stream()).toList());
        }

        @Override
        public StreakLengths merge(List<StreakLengths> parts) {
            return new StreakLengths(parts.stream().flatMap(part -> part.streaks().stream()).toList());
        }
    }

    /** Lists the longest streaks, as they are stored. */
    record ListStreaks(TenantId tenant, By by, int limit) implements StreakQuery<ListStreaks.BestStreaks> {

        /** @param places best first */
        public record BestStreaks(List<RankedStreak> places) {}

        @Override
        public BestStreaks answer(LocalNode node, List<Integer> partitions) {
            return merge(node.readEach(partitions,
                    reader -> new BestStreaks(reader.index().streaks(tenant, by, limit))));
        }

        @Override
        public BestStreaks merge(List<BestStreaks> parts) {
            return new BestStreaks(parts.stream().flatMap(part -> part.places.stream())
                    .sorted(RankedStreak.BEST_FIRST).limit(limit).toList());
        }
    }

    /** Shows the present places of these users among streaks, and their names. */
    record ShowStreaks(TenantId tenant, By by, List<UserId> users) implements StreakQuery<ShowStreaks.ShownStreaks> {

        /** @param listed the users that have a place, in no order */
        public record ShownStreaks(List<ShownStreak> listed) {}

        public record ShownStreak(RankedStreak place, @Nullable String name) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return users.stream().mapToInt(user -> layout.partitionOf(new UserKey(tenant, user).bytes())).distinct();
        }

        @Override
        public ShownStreaks answer(LocalNode node, List<Integer> partitions) {
            PresentUsers present = node.users();
            return new ShownStreaks(users.stream().map(user -> new UserKey(tenant, user))
                    .filter(user -> node.isAmong(partitions, user.bytes())).flatMap(user -> present.find(user, now -> {
                        RankedStreak place = RankedStreak.of(now.state(), by);
                        return place == null ? null : new ShownStreak(place, now.state().profile().name());
                    }).stream()).toList());
        }

        @Override
        public ShownStreaks merge(List<ShownStreaks> parts) {
            return new ShownStreaks(parts.stream().flatMap(part -> part.listed().stream()).toList());
        }
    }
}
