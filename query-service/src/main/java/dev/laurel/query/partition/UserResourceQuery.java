package dev.laurel.query.partition;

import dev.laurel.core.engine.KeyEditor.IssuedKey;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.processors.store.users.UserResourceReader.Entry;
import dev.laurel.processors.store.users.UserResourceReader.Kind;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.query.partition.PartitionQuery.Values;
import dev.laurel.query.partition.UserQuery.ListQuery;
import dev.laurel.query.partition.UserQuery.OfUsers;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserBoostBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A query about pauses, boosts and application keys, which belong to single users. */
public final class UserResourceQuery {

    private UserResourceQuery() {}

    /**
     * Lists the next entries of each partition, oldest first.
     *
     * @param group see {@link Entry}
     * @param partition null: all partitions
     * @param after the last known entry of that partition; null: begin with the first
     * @param limit the number per partition
     */
    public record ListOwned(
            Kind kind,
            TenantId tenant,
            int group,
            @Nullable Integer partition,
            @Nullable Entry after,
            int limit) implements ListQuery<ListOwned.PartitionEntries> {

        public record PartitionEntries(int partition, List<Entry> entries) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return partition == null ? IntStream.range(0, layout.partitions()) : IntStream.of(partition);
        }

        @Override
        public Values<PartitionEntries> answer(CurrentUsers node, List<Integer> partitions) {
            return Values.of(partitions.stream()
                    .map(number -> new PartitionEntries(
                            number,
                            node.partitions()
                                    .read(number, reader -> reader.owned().next(kind, tenant, group, after, limit)))));
        }
    }

    /**
     * Finds the owner of a pause or boost in all partitions, because the ids of direct producers may not name the partition. The result is
     * the bytes of the key of the owner, if there is one.
     */
    public record FindOwner(Kind kind, TenantId tenant, UUID id) implements ListQuery<byte[]> {

        @Override
        public Values<byte[]> answer(CurrentUsers node, List<Integer> partitions) {
            return Values.of(node
                    .partitions()
                    .readEach(
                            partitions,
                            reader -> Stream.ofNullable(reader.owned().ownerOf(kind, tenant, id)))
                    .stream()
                    .flatMap(Function.identity()));
        }
    }

    /** Finds the pauses of these users. @param users without duplicates */
    public record FindPauses(List<UserKey> users) implements OfUsers<Entry> {

        @Override
        public List<UserKey> keys() {
            return users;
        }

        @Override
        public Stream<Entry> show(CurrentUsers node, UserKey user, int index) {
            byte[] key = user.bytes();
            return node.partitions()
                    .readUser(
                            key,
                            (state, reader) -> state == null
                                    ? Stream.empty()
                                    : state.streak().pauses().stream()
                                            .map(pause -> {
                                                Long createdMs = reader.owned()
                                                        .createdMs(Kind.PAUSE, user.tenant(), pause.id(), key);
                                                return new Entry(0, createdMs == null ? 0 : createdMs, pause.id(), key);
                                            })
                                            .toList()
                                            .stream()); // read before the next user
        }
    }

    /** Shows these entries of one kind that still exist, boosts in their points systems. */
    public record ShowOwned(Kind kind, List<Entry> entries) implements OfUsers<ShowOwned.ShownEntry> {

        /** One of the bodies is not null. @param index in the query */
        public record ShownEntry(
                int index,
                @Nullable PauseBody pause,
                @Nullable UserBoostBody boost,
                @Nullable ApplicationKeyBody key) {}

        @Override
        public List<UserKey> keys() {
            return entries.stream().map(entry -> UserKey.parse(entry.user())).toList();
        }

        @Override
        public Stream<ShownEntry> show(CurrentUsers node, UserKey user, int index) {
            Entry entry = entries.get(index);
            return node.partitions().readUser(entry.user(), (owner, reader) -> switch (kind) {
                case PAUSE ->
                    owner == null
                            ? Stream.empty()
                            : owner.streak().pauses().stream()
                                    .filter(pause -> pause.id().equals(entry.id()))
                                    .limit(1)
                                    .map(pause -> new ShownEntry(index, Bodies.pause(owner, pause), null, null));
                case BOOST ->
                    owner == null
                            ? Stream.empty()
                            : owner.boosts().stream()
                                    .filter(boost -> boost.id().equals(entry.id()) && boost.system() == entry.group())
                                    .limit(1)
                                    .map(boost -> new ShownEntry(
                                            index,
                                            null,
                                            PointsBodies.boost(
                                                    owner.id(),
                                                    boost,
                                                    Bodies.today(
                                                            owner,
                                                            node.rulesets().newest(user.tenant()),
                                                            node.clock().millis())),
                                            null));
                case KEY ->
                    Stream.ofNullable(reader.keys().find(user.tenant(), entry))
                            .map(key -> new ShownEntry(index, null, null, body(user, key)));
            });
        }
    }

    /** Finds the application keys of a user, who need not be known, oldest first. */
    public record FindKeys(UserKey user) implements UserQuery<Values<ApplicationKeyBody>> {

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return IntStream.of(layout.partitionOf(user.bytes()));
        }

        @Override
        public Values<ApplicationKeyBody> answer(CurrentUsers node, List<Integer> partitions) {
            return node.partitions()
                    .read(
                            partitions.getFirst(),
                            reader -> Values.of(reader.keys().of(user).stream().map(key -> body(user, key))));
        }
    }

    private static ApplicationKeyBody body(UserKey user, IssuedKey key) {
        Role role = key.isReading() ? Role.VIEWER : Role.SUPPORT;
        return new ApplicationKeyBody(
                key.id(),
                user.user().value(),
                SignedKey.prefixOf(key.id()),
                role.word(),
                Instant.ofEpochMilli(key.createdMs()),
                key.expiresMs() == IssuedKey.NEVER
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(key.expiresMs())),
                key.usedMs() == IssuedKey.NEVER ? null : Instant.ofEpochMilli(key.usedMs()));
    }
}
