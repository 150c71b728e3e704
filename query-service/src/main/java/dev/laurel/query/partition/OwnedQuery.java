package dev.laurel.query.partition;

import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.IssuedKey;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.UserState;
import dev.laurel.core.view.Bodies;
import dev.laurel.core.view.PointsBodies;
import dev.laurel.processors.store.users.OwnedReader.Entry;
import dev.laurel.processors.store.users.OwnedReader.Kind;
import dev.laurel.processors.stream.LogLayout;
import dev.laurel.schemas.access.Role;
import dev.laurel.schemas.access.SignedKey;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.KeyBody.ApplicationKeyBody;
import dev.laurel.schemas.wire.PointsSystemBody.UserBoostBody;
import dev.laurel.schemas.wire.StreakBody.PauseBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A query about pauses, boosts and application keys, which belong to single users. */
public sealed interface OwnedQuery<R extends Record> extends UserQuery<R> {

    /**
     * Lists the next entries of each partition, oldest first.
     *
     * @param group see {@link Entry}
     * @param partition null: all partitions
     * @param after the last known entry of that partition; null: begin with the first
     * @param limit the number per partition
     */
    record ListOwned(Kind kind, TenantId tenant, int group, @Nullable Integer partition, @Nullable Entry after,
            int limit) implements OwnedQuery<ListOwned.OwnedEntries> {

        public record OwnedEntries(List<PartitionEntries> parts) {}

        public record PartitionEntries(int partition, List<Entry> entries) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return partition == null ? IntStream.range(0, layout.partitions()) : IntStream.of(partition);
        }

        @Override
        public OwnedEntries answer(LocalNode node, List<Integer> partitions) {
            return new OwnedEntries(partitions.stream().map(number -> new PartitionEntries(number,
                    node.partitions().read(number, reader -> reader.owned().next(kind, tenant, group, after, limit))))
                    .toList());
        }

        @Override
        public OwnedEntries merge(List<OwnedEntries> parts) {
            return new OwnedEntries(parts.stream().flatMap(part -> part.parts().stream()).toList());
        }
    }

    /** Finds the owner of a pause or boost in all partitions, because the ids of direct producers may not name the partition. */
    record FindOwner(Kind kind, TenantId tenant,
            UUID id) implements OwnedQuery<FindOwner.FoundOwner> {

        /** @param user the bytes of the key of the owner */
        public record FoundOwner(byte @Nullable [] user) {}

        @Override
        public FoundOwner answer(LocalNode node, List<Integer> partitions) {
            return merge(node.readEach(partitions, reader -> new FoundOwner(reader.owned().ownerOf(kind, tenant, id))));
        }

        @Override
        public FoundOwner merge(List<FoundOwner> parts) {
            return new FoundOwner(
                    parts.stream().map(FoundOwner::user).filter(Objects::nonNull).findFirst().orElse(null));
        }
    }

    /** Finds the pauses of these users. @param users without duplicates */
    record FindPauses(List<UserKey> users) implements OwnedQuery<FindPauses.FoundPauses> {

        /** @param pauses in no order */
        public record FoundPauses(List<Entry> pauses) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return users.stream().mapToInt(user -> layout.partitionOf(user.bytes())).distinct();
        }

        @Override
        public FoundPauses answer(LocalNode node, List<Integer> partitions) {
            var pauses = new ArrayList<Entry>();
            for (UserKey user : users) {
                byte[] key = user.bytes();
                if (node.isAmong(partitions, key)) {
                    node.partitions().readUser(key, (state, reader) -> {
                        if (state != null) {
                            for (Pause pause : state.streak().pauses()) {
                                Long createdMs = reader.owned().createdMs(Kind.PAUSE, user.tenant(), pause.id(), key);
                                pauses.add(new Entry(0, createdMs == null ? 0 : createdMs, pause.id(), key));
                            }
                        }
                        return state;
                    });
                }
            }
            return new FoundPauses(pauses);
        }

        @Override
        public FoundPauses merge(List<FoundPauses> parts) {
            return new FoundPauses(parts.stream().flatMap(part -> part.pauses().stream()).toList());
        }
    }

    /** Shows these entries of one kind. */
    record ShowOwned(Kind kind, List<Entry> entries) implements OwnedQuery<ShowOwned.ShownEntries> {

        /** @param shown those that still exist, boosts in their points systems, in no order */
        public record ShownEntries(List<ShownEntry> shown) {}

        /** One of the bodies is not null. @param index in the query */
        public record ShownEntry(int index, @Nullable PauseBody pause, @Nullable UserBoostBody boost,
                @Nullable ApplicationKeyBody key) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return entries.stream().mapToInt(entry -> layout.partitionOf(entry.user())).distinct();
        }

        @Override
        public ShownEntries answer(LocalNode node, List<Integer> partitions) {
            var shown = new ArrayList<ShownEntry>();
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = entries.get(i);
                ShownEntry found = node.isAmong(partitions, entry.user()) ? show(node, i, entry) : null;
                if (found != null) {
                    shown.add(found);
                }
            }
            return new ShownEntries(shown);
        }

        private @Nullable ShownEntry show(LocalNode node, int index, Entry entry) {
            return switch (kind) {
                case PAUSE -> {
                    PauseBody body = pause(node, entry);
                    yield body == null ? null : new ShownEntry(index, body, null, null);
                }
                case BOOST -> {
                    UserBoostBody body = boost(node, entry);
                    yield body == null ? null : new ShownEntry(index, null, body, null);
                }
                case KEY -> {
                    UserKey user = UserKey.parse(entry.user());
                    IssuedKey key = node.partitions().read(node.partitions().layout().partitionOf(entry.user()),
                            reader -> reader.keys().find(user.tenant(), entry));
                    yield key == null ? null : new ShownEntry(index, null, null, OwnedQuery.body(user, key));
                }
            };
        }

        private static @Nullable PauseBody pause(LocalNode node, Entry entry) {
            UserState owner = ownerOf(node, entry);
            return owner == null
                    ? null
                    : owner.streak().pauses().stream().filter(pause -> pause.id().equals(entry.id())).findFirst()
                            .map(pause -> Bodies.pause(owner, pause)).orElse(null);
        }

        /** Null if the boost no longer exists or belongs to another points system. */
        private static @Nullable UserBoostBody boost(LocalNode node, Entry entry) {
            UserState owner = ownerOf(node, entry);
            if (owner == null) {
                return null;
            }
            CompiledRuleset rules = node.rulesets().newest(UserKey.parse(entry.user()).tenant());
            return owner.boosts().stream()
                    .filter(boost -> boost.id().equals(entry.id()) && boost.system() == entry.group()).findFirst()
                    .map(boost -> PointsBodies.boost(owner.id(), boost,
                            Bodies.today(owner, rules, node.clock().millis())))
                    .orElse(null);
        }

        private static @Nullable UserState ownerOf(LocalNode node, Entry entry) {
            return node.partitions().readUser(entry.user(), (state, _) -> state);
        }

        @Override
        public ShownEntries merge(List<ShownEntries> parts) {
            return new ShownEntries(parts.stream().flatMap(part -> part.shown().stream()).toList());
        }
    }

    /** Finds the application keys of a user, who need not be known. */
    record FindKeys(UserKey user) implements OwnedQuery<FindKeys.FoundKeys> {

        /** @param keys oldest first */
        public record FoundKeys(List<ApplicationKeyBody> keys) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return IntStream.of(layout.partitionOf(user.bytes()));
        }

        @Override
        public FoundKeys answer(LocalNode node, List<Integer> partitions) {
            return merge(node.readEach(partitions, reader -> new FoundKeys(reader.keys().of(user).stream()
                    .map(key -> OwnedQuery.body(user, key)).toList())));
        }

        @Override
        public FoundKeys merge(List<FoundKeys> parts) {
            return new FoundKeys(parts.stream().flatMap(part -> part.keys().stream()).toList());
        }
    }

    private static ApplicationKeyBody body(UserKey user, IssuedKey key) {
        Role role = key.isReading() ? Role.VIEWER : Role.SUPPORT;
        return new ApplicationKeyBody(key.id(), user.user().value(), SignedKey.prefixOf(key.id()), role.word(),
                Instant.ofEpochMilli(key.createdMs()),
                key.expiresMs() == IssuedKey.NEVER
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(key.expiresMs())),
                key.usedMs() == IssuedKey.NEVER ? null : Instant.ofEpochMilli(key.usedMs()));
    }
}
