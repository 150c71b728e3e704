package dev.laurel.processors.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.core.TestLeaderboard;
import dev.laurel.core.TestRulesets;
import dev.laurel.core.engine.CommandContext;
import dev.laurel.core.engine.Outcome;
import dev.laurel.core.engine.UserEngine;
import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.Ranking.Standing;
import dev.laurel.core.leaderboard.RankingRules;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.core.leaderboard.Score.Kind;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.UserState;
import dev.laurel.processors.store.boards.HeldScoreStore;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.boards.LeaderboardCodecs.Sent;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.TaskTrace;
import dev.laurel.schemas.command.Command.IdentifyUser;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;

/**
 * Random changes of values on a small leaderboard, through the real {@link ScoreSender} of each partition of the log, while messages,
 * floors, rounds, commits and ends of tasks come with random delays (docs/semantics.md §7). A failure names its seed, which {@code
 * -Dlaurel.simulation.seed=…} repeats; {@code -Dlaurel.simulation.minutes=…} tries new seeds until then.
 */
class LaggingFloorsSimulationTest {

    private static final int DEFAULT_SEEDS = 300;
    private static final int FULL_MINUTES = 2;

    /** Once failed: after a kill, a score was sent only before the fall of a value that the killed task knew to change no floor. */
    private static final long FORMER_FAILURE = 1795506653576L;

    private static final int STEPS = 400;
    private static final int USERS = 8;
    private static final int MAX_PARTICIPANTS = 3;
    private static final LeaderboardRules BOARD =
            new LeaderboardRules(TestLeaderboard.ofMetric(7, "laps").by("city").build());
    private static final LeaderboardRules SPREAD = new LeaderboardRules(
            TestLeaderboard.ofMetric(7, "laps").by("city").spread().build());
    private static final List<List<String>> GROUPS = List.of(List.of("x"), List.of("x"), List.of("x"), List.of("y"));
    private static final LeaderboardLayout LAYOUT = new LeaderboardLayout(1);
    private static final UserState USER = newUser();

    private static UserState newUser() {
        var rules = new CompiledRuleset(TestRulesets.first("metrics: {laps: {}}"));
        var user = UserKey.of("ann");
        return ((Outcome.Applied) UserEngine.apply(
                        null,
                        rules,
                        new IdentifyUser(UserChange.mention(user.user()), false),
                        new CommandContext(user, 1_000, 0, 0, 0),
                        null))
                .state();
    }

    /** A ranking of every group, as simple as possible. */
    private static final class Rankings {

        /** Groups do not know of each other. */
        private record Key(UserId user, List<String> group) {}

        private record Place(List<String> group, Standing standing) {}

        private final Map<List<String>, Ranking> groups = new HashMap<>();
        private final Map<Key, Place> places = new HashMap<>();

        Ranking of(List<String> group) {
            return groups.getOrDefault(group, Ranking.EMPTY);
        }

        BigDecimal floor(List<String> group) {
            return RankingRules.floor(of(group), MAX_PARTICIPANTS);
        }

        void apply(Scored scored) {
            Key key = new Key(scored.user(), scored.group());
            Place place = places.get(key);
            if (scored.kind() != Kind.CHANGED) {
                return;
            }
            boolean stays = place != null && scored.value().signum() > 0;
            var next = new Standing(scored.user(), null, scored.value(), scored.changedMs());
            if (stays) {
                put(
                        key,
                        scored.group(),
                        next,
                        RankingRules.move(of(scored.group()), place.standing, next)
                                .ranking());
                return;
            }
            if (place != null) {
                groups.put(
                        place.group,
                        RankingRules.leave(of(place.group), place.standing).ranking());
                places.remove(key);
            }
            if (RankingRules.mayEnter(of(scored.group()), scored.value(), MAX_PARTICIPANTS)) {
                var entered = RankingRules.enter(of(scored.group()), next, MAX_PARTICIPANTS);
                if (entered.evicted() != null) {
                    places.remove(new Key(entered.evicted().user(), scored.group()));
                }
                put(key, scored.group(), next, entered.ranking());
            }
        }

        private void put(Key key, List<String> group, Standing standing, Ranking ranking) {
            groups.put(group, ranking);
            places.put(key, new Place(group, standing));
        }
    }

    /** Floors as they are published: all of them, and what was read before. */
    private record Published(Map<List<String>, BigDecimal> floors, long[] offsets) {}

    private record Value(List<String> group, BigDecimal value, long changedMs, long offset) {

        static final Value NONE = new Value(null, BigDecimal.ZERO, 0, -1);
    }

    private record Sent(Origin origin, Scored scored, UUID request) {}

    /** A command in the log. @param score null: none. @param request null: no client waits */
    private record Logged(long offset, UserId user, long atMs, Value after, Score score, UUID request) {}

    private static final class World {

        private final Random random;
        private final LeaderboardRules board;
        private final Rankings rankings = new Rankings();

        /** Without delays. */
        private final Rankings immediate = new Rankings();

        private final List<Log> logs;
        private final List<Published> published = new ArrayList<>();
        private final long[] read;
        private final Map<UserId, Value> values = new HashMap<>();

        /** Changes of which no ranking since then was known to be above them. */
        private final Map<UserId, Value> unjudged = new HashMap<>();

        private final Set<UUID> awaited = new HashSet<>();

        /** Of those that a former task answered, too, more than one answer may come. */
        private final Set<UUID> asked = new HashSet<>();

        private long nowMs;

        World(Random random, int logs, LeaderboardRules board) {
            this.random = random;
            this.board = board;
            this.logs = IntStream.range(0, logs).mapToObj(Log::new).toList();
            read = new long[logs];
            Arrays.fill(read, -1);
        }

        private final class Log implements LeaderboardFloors {

            private final int number;
            private final MockProcessorContext<Object, Object> context = new MockProcessorContext<>(new Properties());
            private final Deque<Sent> outbox = new ArrayDeque<>();
            private final KeyValueStore<Bytes, byte[]> store;
            private final List<Logged> records = new ArrayList<>();
            private final Map<UserId, Value> present = new HashMap<>();
            private HeldScoreStore stored;
            private ScoreSender sender;

            /** The records that the task has read, and those that were read at its last commit. */
            private int position;

            private int committed;

            /** The messages in {@link #outbox} that were sent since the last commit, at most. */
            private int uncommitted;

            private boolean wasKilled;
            private int heard;

            Log(int number) {
                this.number = number;
                store = Stores.keyValueStoreBuilder(
                                Stores.inMemoryKeyValueStore("held"), Serdes.Bytes(), Serdes.ByteArray())
                        .withLoggingDisabled()
                        .build();
                store.init(context.getStateStoreContext(), store);
                begin(0);
            }

            /** Another task continues at the last commit. @param end of the log */
            private void begin(int end) {
                stored = new HeldScoreStore(store);
                sender = new ScoreSender(
                        new ScoreForwarder(context, new TaskTrace(), "scores", "replies"),
                        this,
                        LAYOUT,
                        0,
                        () -> false,
                        offset -> offset + 1 < end);
                sender.restore(stored);
                position = committed;
                uncommitted = 0;
            }

            private boolean isRepeating() {
                return position < records.size();
            }

            @Override
            public BigDecimal floorOf(LeaderboardGroup group) {
                return heard == 0 ? null : published.get(heard - 1).floors().get(group.values());
            }

            @Override
            public long processedTo(int boardPartition, int logPartition) {
                return heard == 0 ? -1 : published.get(heard - 1).offsets()[number];
            }

            /** Processes the next command. */
            void change() {
                if (isRepeating()) {
                    process(records.get(position));
                    return;
                }
                nowMs++;
                long offset = records.size();
                var user = new UserId("user-" + (random.nextInt(USERS) * logs.size() + number));
                Value before = values.getOrDefault(user, Value.NONE);
                boolean isSame = before.group() != null && random.nextInt(10) == 0;
                List<String> group = before.group() == null || random.nextInt(12) == 0
                        ? random.nextInt(8) == 0 ? null : GROUPS.get(random.nextInt(GROUPS.size()))
                        : before.group();
                BigDecimal value = before.value()
                        .add(BigDecimal.valueOf(random.nextInt(8) == 0 ? -random.nextInt(12) : random.nextInt(3)));
                boolean isChange = !isSame && (!value.equals(before.value()) || !Objects.equals(group, before.group()));
                Value after = isChange ? new Value(group, value, nowMs, offset) : before;
                values.put(user, after);
                boolean isRanked = before.value().signum() > 0 || after.value().signum() > 0;
                if (!isRanked || before.group() == null && after.group() == null) {
                    records.add(new Logged(offset, user, nowMs, after, null, null));
                } else {
                    var score = new Score(
                            board,
                            0,
                            true,
                            after.group(),
                            before.group(),
                            before.value(),
                            after.value(),
                            after.changedMs(),
                            before.offset(),
                            isChange ? Kind.CHANGED : Kind.SAME);
                    UUID request = random.nextBoolean() ? new UUID(number, offset) : null;
                    records.add(new Logged(offset, user, nowMs, after, score, request));
                    if (isChange) {
                        unjudged.put(user, after);
                        if (score.isInTwoGroups() && score.formerGroup() != null) {
                            immediate.apply(scored(user, before.group(), BigDecimal.ZERO, after.changedMs()));
                        }
                        if (after.group() != null) {
                            immediate.apply(scored(user, after.group(), after.value(), after.changedMs()));
                        }
                    }
                }
                process(records.getLast());
            }

            private Scored scored(UserId user, List<String> group, BigDecimal value, long changedMs) {
                return new Scored(
                        TenantId.NONE,
                        1,
                        7,
                        0,
                        true,
                        user,
                        null,
                        group,
                        value,
                        changedMs,
                        Kind.CHANGED,
                        nowMs,
                        board.isSpread());
            }

            private void process(Logged command) {
                position++;
                present.put(command.user(), command.after());
                if (command.score() == null) {
                    return;
                }
                UUID request = command.request();
                List<String> awaits = sender.send(
                        List.of(command.score()),
                        USER,
                        1,
                        new CommandContext(
                                new UserKey(TenantId.NONE, command.user()),
                                command.atMs(),
                                number,
                                command.offset(),
                                0),
                        request == null ? null : new ReplyTo(0, request));
                if (!awaits.isEmpty()) {
                    awaited.add(request);
                    asked.add(request);
                }
                collect();
                settleJudged();
            }

            void judge() {
                sender.judge(new Origin(number, position - 1), 0);
                collect();
            }

            private void collect() {
                for (var forwarded : context.forwarded()) {
                    Record<?, ?> record = forwarded.record();
                    if (forwarded.childName().orElseThrow().equals("replies")) {
                        UUID request = ReplyHeaders.requestId(record.headers());
                        assertTrue(
                                awaited.remove(request) || wasKilled && asked.contains(request),
                                "an answer nobody awaits");
                        continue;
                    }
                    LeaderboardCodecs.Sent sent = LeaderboardCodecs.MESSAGE.decode((byte[]) record.value());
                    ReplyTo replyTo = ReplyHeaders.read(record.headers());
                    Scored scored = sent.message() instanceof Scored s ? s : null;
                    if (scored != null) {
                        Value value = present.get(scored.user());
                        boolean isLeft = !scored.group().equals(value.group());
                        assertEquals(isLeft ? BigDecimal.ZERO : value.value(), scored.value(), "an outdated value");
                    }
                    outbox.add(new Sent(sent.origin(), scored, replyTo == null ? null : replyTo.requestId()));
                    uncommitted++;
                }
                context.resetForwards();
            }

            /** Delivers the oldest message. @return whether there was one */
            boolean deliver() {
                Sent sent = outbox.poll();
                if (sent == null) {
                    return false;
                }
                boolean isNew = sent.origin().offset() >= read[number];
                assertTrue(isNew || wasKilled, "a message that the leaderboard would ignore");
                read[number] = Math.max(read[number], sent.origin().offset());
                if (sent.scored() != null && isNew) {
                    rankings.apply(sent.scored());
                    Value judged = unjudged.get(sent.scored().user());
                    if (judged != null
                            && judged.changedMs() == sent.scored().changedMs()
                            && Objects.equals(judged.group(), sent.scored().group())) {
                        unjudged.remove(sent.scored().user());
                    }
                }
                if (sent.request() != null) {
                    awaited.remove(sent.request());
                }
                settleJudged();
                return true;
            }

            void commit() {
                sender.save(stored, position - 1);
                committed = position;
                uncommitted = 0;
            }

            void end() {
                commit();
                begin(records.size());
            }

            /** Ends the task between two commits. Another one reads the commands since then again. */
            void kill() {
                wasKilled = true;
                int lost = random.nextInt(Math.min(uncommitted, outbox.size()) + 1);
                for (int i = 0; i < lost; i++) {
                    outbox.removeLast();
                }
                // Those of repeated commands are awaited again.
                awaited.removeIf(request ->
                        request.getMostSignificantBits() == number && request.getLeastSignificantBits() >= committed);
                begin(records.size());
                present.clear();
                records.subList(0, committed).forEach(command -> present.put(command.user(), command.after()));
            }
        }

        /** What is not above the lowest value of a full group now, may be refused. */
        private void settleJudged() {
            unjudged.values()
                    .removeIf(value -> value.group() == null
                            || value.value().signum() <= 0
                            || rankings.floor(value.group()) != null
                                    && value.value().compareTo(rankings.floor(value.group())) <= 0);
        }

        private void publish() {
            var floors = new HashMap<List<String>, BigDecimal>();
            for (List<String> group : GROUPS) {
                floors.put(group, rankings.floor(group));
            }
            published.add(new Published(floors, read.clone()));
        }

        void step(boolean mayEnd) {
            int roll = random.nextInt(100);
            Log log = logs.get(random.nextInt(logs.size()));
            if (roll < 40) {
                log.change();
            } else if (roll < 60) {
                log.deliver();
            } else if (roll < 75) {
                publish();
            } else if (roll < 90) {
                log.heard = Math.min(published.size(), log.heard + random.nextInt(4));
            } else if (roll < 96 || !mayEnd) {
                log.judge();
            } else if (roll < 98) {
                log.commit();
            } else if (roll < 99) {
                log.end();
            } else {
                log.kill();
            }
        }

        void settle() {
            for (Log log : logs) {
                while (log.isRepeating()) {
                    log.change();
                }
            }
            for (int round = 0; round < 6; round++) {
                boolean isMore = true;
                while (isMore) {
                    isMore = false;
                    List<Log> inAnyOrder = new ArrayList<>(logs);
                    Collections.shuffle(inAnyOrder, random);
                    for (Log log : inAnyOrder) {
                        isMore |= log.deliver();
                    }
                }
                publish();
                for (Log log : logs) {
                    log.heard = published.size();
                    log.judge();
                }
            }
        }

        void checkAtRest() {
            assertEquals(Map.of(), unjudged, "kept out though no ranking was above them");
            assertEquals(Set.of(), awaited, "without an answer");
            rankings.places.forEach((key, place) -> {
                Value value = values.get(key.user());
                assertEquals(value.value(), place.standing().value(), "the value of " + key);
                assertEquals(value.group(), place.group(), "the group of " + key);
            });
            if (logs.size() == 1) {
                assertEquals(immediate.places, rankings.places, "as if every score had been sent at once");
            }
        }
    }

    private static void run(long seed, LeaderboardRules board) {
        var random = new Random(seed);
        int logs = 1 + random.nextInt(3);
        boolean mayEnd = random.nextBoolean();
        var world = new World(random, logs, board);
        try {
            for (int step = 1; step <= STEPS; step++) {
                world.step(mayEnd);
                if (step % 100 == 0) {
                    world.settle();
                    world.checkAtRest();
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dlaurel.simulation.seed=" + seed + ": " + e.getMessage(), e);
        }
    }

    @Test
    void shouldRankAsIfNothingWereHeldBack() {
        Long given = Long.getLong("laurel.simulation.seed");
        Integer minutes = Integer.getInteger(
                "laurel.simulation.minutes", Boolean.getBoolean("laurel.full") ? FULL_MINUTES : null);
        if (given != null) {
            run(given, BOARD);
            run(given, SPREAD);
            return;
        }
        run(FORMER_FAILURE, BOARD);
        long first = minutes == null ? 1 : System.currentTimeMillis();
        long endNs = System.nanoTime() + (minutes == null ? 0 : minutes) * 60_000_000_000L;
        long seed = first;
        for (; minutes == null ? seed < first + DEFAULT_SEEDS : System.nanoTime() < endNs; seed++) {
            run(seed, seed % 2 == 0 ? SPREAD : BOARD);
        }
        System.out.printf("%,d histories of lagging floors, seeds from %d: no failure%n", seed - first, first);
    }
}
