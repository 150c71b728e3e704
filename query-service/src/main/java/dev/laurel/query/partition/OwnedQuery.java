package dev.laurel.query.partition;

import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.IssuedKey;
import dev.laurel.processors.core.user.StreakState.Pause;
import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.processors.core.user.UserState;
import dev.laurel.processors.core.view.Bodies;
import dev.laurel.processors.core.view.PointsBodies;
import dev.laurel.processors.store.OwnedReader.Entry;
import dev.laurel.processors.store.OwnedReader.Kind;
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

    /** Shows these pauses. */
    record ShowPauses(List<Entry> entries) implements OwnedQuery<ShowPauses.ShownPauses> {

        /** @param shown those that still exist, in no order */
        public record ShownPauses(List<ShownPause> shown) {}

        /** @param index in the query */
        public record ShownPause(int index, PauseBody body) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return OwnedQuery.partitionsOf(entries, layout);
        }

        @Override
        public ShownPauses answer(LocalNode node, List<Integer> partitions) {
            var shown = new ArrayList<ShownPause>();
            OwnedQuery.visitOwners(entries, node, partitions,
                    (index, entry, owner) -> owner.streak().pauses().stream()
                            .filter(pause -> pause.id().equals(entry.id())).findFirst()
                            .ifPresent(pause -> shown.add(new ShownPause(index, Bodies.pause(owner, pause)))));
            return new ShownPauses(shown);
        }

        @Override
        public ShownPauses merge(List<ShownPauses> parts) {
            return new ShownPauses(parts.stream().flatMap(part -> part.shown().stream()).toList());
        }
    }

    /** Shows these boosts of single users. */
    record ShowBoosts(List<Entry> entries) implements OwnedQuery<ShowBoosts.ShownBoosts> {

        /** @param shown those that still exist in their points systems, in no order */
        public record ShownBoosts(List<ShownBoost> shown) {}

        /** @param index in the query */
        public record ShownBoost(int index, UserBoostBody body) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return OwnedQuery.partitionsOf(entries, layout);
        }

        @Override
        public ShownBoosts answer(LocalNode node, List<Integer> partitions) {
            var shown = new ArrayList<ShownBoost>();
            OwnedQuery.visitOwners(entries, node, partitions, (index, entry, owner) -> {
                UserBoostBody body = show(node, entry, owner);
                if (body != null) {
                    shown.add(new ShownBoost(index, body));
                }
            });
            return new ShownBoosts(shown);
        }

        /** Null if the boost no longer exists or belongs to another points system. */
        private static @Nullable UserBoostBody show(LocalNode node, Entry entry, UserState state) {
            CompiledRuleset rules = node.rulesets().newest(UserKey.parse(entry.user()).tenant());
            for (UserBoost boost : state.boosts()) {
                if (boost.id().equals(entry.id()) && boost.system() == entry.group()) {
                    return PointsBodies.boost(state.id(), boost, Bodies.today(state, rules, node.clock().millis()));
                }
            }
            return null;
        }

        @Override
        public ShownBoosts merge(List<ShownBoosts> parts) {
            return new ShownBoosts(parts.stream().flatMap(part -> part.shown().stream()).toList());
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

    /** Shows these application keys. */
    record ShowKeys(List<Entry> entries) implements OwnedQuery<ShowKeys.ShownKeys> {

        /** @param shown those that still exist, in no order */
        public record ShownKeys(List<ShownKey> shown) {}

        /** @param index in the query */
        public record ShownKey(int index, ApplicationKeyBody body) {}

        @Override
        public IntStream partitionsOf(LogLayout layout) {
            return OwnedQuery.partitionsOf(entries, layout);
        }

        @Override
        public ShownKeys answer(LocalNode node, List<Integer> partitions) {
            LogLayout layout = node.partitions().layout();
            return merge(partitions.stream().map(partition -> node.partitions().read(partition, reader -> {
                var shown = new ArrayList<ShownKey>();
                for (int i = 0; i < entries.size(); i++) {
                    Entry entry = entries.get(i);
                    if (layout.partitionOf(entry.user()) == partition) {
                        UserKey user = UserKey.parse(entry.user());
                        IssuedKey key = reader.keys().find(user.tenant(), entry);
                        if (key != null) {
                            shown.add(new ShownKey(i, OwnedQuery.body(user, key)));
                        }
                    }
                }
                return new ShownKeys(shown);
            })).toList());
        }

        @Override
        public ShownKeys merge(List<ShownKeys> parts) {
            return new ShownKeys(parts.stream().flatMap(part -> part.shown().stream()).toList());
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

    /** Receives an entry and the state of its owner. */
    @FunctionalInterface
    interface EntryVisitor {

        /** @param index of the entry in the query */
        void visit(int index, Entry entry, UserState owner);
    }

    private static IntStream partitionsOf(List<Entry> entries, LogLayout layout) {
        return entries.stream().mapToInt(entry -> layout.partitionOf(entry.user())).distinct();
    }

    /** Visits the entries of users in these partitions, except those whose owner no longer exists. */
    private static void visitOwners(List<Entry> entries, LocalNode node, List<Integer> partitions,
            EntryVisitor visitor) {
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            if (node.isAmong(partitions, entry.user())) {
                UserState owner = node.partitions().readUser(entry.user(), (state, _) -> state);
                if (owner != null) {
                    visitor.visit(i, entry, owner);
                }
            }
        }
    }
}
