package dev.laurel.processors.boardsim;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardFloors;
import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.Score;
import dev.laurel.processors.boardsim.LeaderboardModel.BoardRun;
import dev.laurel.processors.boardsim.LeaderboardModel.Change;
import dev.laurel.processors.boardsim.LeaderboardModel.Entry;
import dev.laurel.processors.store.boards.FloorRecords;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.common.header.internals.RecordHeaders;
import tools.jackson.databind.JsonNode;

/**
 * A small cluster around the real code: some partitions of the log, each with its ledger; some partitions of
 * {@code laurel.scores}, each with its leaderboards; and between them a broker on which records wait, are repeated or arrive
 * late. Compares everything with {@link UserTruth} and {@link LeaderboardModel}, which receive the same input in the same order.
 */
final class LeaderboardWorld implements AutoCloseable {

    static final int LOGS = 3;
    static final LeaderboardLayout LAYOUT = LedgerDriver.boards();
    private static final int MOST_SHOWN = 1000;
    private static final int MOST_TOLD = 400;

    /** The leaderboards hear of what is held back, publish floors, and get what is above them. */
    private static final int ROUNDS_TO_REST = 3;

    /** A record on its way to the leaderboards. */
    private record PendingRecord(int boards, byte[] key, LeaderboardCodecs.Sent sent, ReplyTo replyTo, Instant at) {}

    /** The state of a partition of the leaderboards when it reported floors. */
    private record Snapshot(Map<BoardRun, Set<String>> listed, long[] heard) {}

    private record FloorReport(FloorRecords.Key key, byte[] value, int boards, List<Snapshot> then) {}

    private final Published published = new Published();
    private final List<Log> logs = new ArrayList<>();
    private final List<Boards> boards = new ArrayList<>();
    private final Map<Op.Key, Op> truth = new HashMap<>();

    /** The newest record ever sent, by partition of the log, leaderboard, run and user. */
    private final Map<List<Object>, TreeMap<Long, Op>> sent = new HashMap<>();

    /** Offsets of changes that were rightly not sent, by the same key. */
    private final Map<List<Object>, TreeSet<Long>> kept = new HashMap<>();

    /** All changes ever made, by the same key. */
    private final Map<List<Object>, TreeMap<Long, Op>> made = new HashMap<>();

    /** Newest changes that were not sent, though no floor since then was at or above them, by the same key. */
    private final Map<List<Object>, Op> unjudged = new LinkedHashMap<>();

    private final List<FloorReport> said = new ArrayList<>();
    private final Map<UUID, Set<String>> awaited = new HashMap<>();

    /** The leaderboards that received a score of the request. */
    private final Map<UUID, Set<String>> sentFor = new HashMap<>();

    private List<Leaderboard> rules = List.of();

    LeaderboardWorld() {
        for (int p = 0; p < LOGS; p++) {
            logs.add(new Log(p));
        }
        for (int b = 0; b < LAYOUT.partitions(); b++) {
            boards.add(new Boards(b, new LeaderboardsApp(published, b)));
        }
    }

    Published published() {
        return published;
    }

    List<Log> logs() {
        return logs;
    }

    List<Boards> boards() {
        return boards;
    }

    private static List<Object> of(Op op) {
        return of(op.partition(), op.place(), op.user());
    }

    private static List<Object> of(int partition, BoardRun place, String user) {
        return List.of(partition, place, user);
    }

    private static BoardRun placeOf(Scored scored) {
        return new BoardRun(scored.board(), scored.run(), scored.group().isEmpty() ? null : scored.group());
    }

    private BoardRun placeOf(LeaderboardGroup group) {
        return new BoardRun(group.board(), group.run(), group.values().isEmpty() ? null : group.values());
    }

    /**
     * The change that a score states, with the offset of the score: the change of that record, or an earlier one that the ledger has held
     * back. Null if it states none.
     */
    private Op opOf(int partition, long offset, Scored scored) {
        if (scored.kind() == Score.Kind.SAME) {
            return null;
        }
        Op op = truth.get(
                new Op.Key(partition, offset, placeOf(scored), scored.user().value()));
        if (scored.kind() != Score.Kind.CHANGED || op != null && !op.isRename() && states(scored, op)) {
            return op;
        }
        TreeMap<Long, Op> changes =
                made.get(of(partition, placeOf(scored), scored.user().value()));
        if (changes == null) {
            return op;
        }
        // A tick may change the value after a score of another user was sent.
        Map.Entry<Long, Op> newest = changes.floorEntry(offset);
        if (newest != null && newest.getKey() == offset && !states(scored, newest.getValue())) {
            newest = changes.lowerEntry(offset);
        }
        return newest == null || !states(scored, newest.getValue())
                ? op
                : newest.getValue().at(offset, scored.name());
    }

    private static boolean states(Scored scored, Op op) {
        return scored.value().compareTo(op.value()) == 0
                && scored.changedMs() == op.changedMs()
                && scored.isCurrent() == op.isCurrent()
                && Objects.equals(scored.group(), op.group());
    }

    /** One partition of the log and its ledger. */
    final class Log {

        private final int partition;
        private final List<Logged> records = new ArrayList<>();
        private final List<List<Op>> meant = new ArrayList<>();
        private final Map<String, UserTruth> users = new TreeMap<>();
        private final Map<String, Long> erased = new HashMap<>();
        private final Deque<PendingRecord> outbox = new ArrayDeque<>();
        private final Deque<PendingRecord> ghosts = new ArrayDeque<>();
        private final Heard floors = new Heard();
        private LedgerDriver ledger = new LedgerDriver(published);
        private int committed;

        /**
         * Floors are known only when the leaderboards have read up to here: the former task may have sent scores up to the end of the log
         * of that time. The ledger under test does not know that end, and LaggingFloorsSimulationTest has such tasks.
         */
        private int knownFrom;

        private long clockMs = Long.MIN_VALUE;

        Log(int partition) {
            this.partition = partition;
            ledger.floors(floors);
        }

        private final class Heard implements LeaderboardFloors {

            private int read;
            private final Map<LeaderboardGroup, FloorReport> ofGroups = new HashMap<>();
            private final Map<Integer, FloorReport> positions = new HashMap<>();

            @Override
            public BigDecimal floorOf(LeaderboardGroup group) {
                FloorReport saying = ofGroups.get(group);
                if (saying == null || saying.value() == null) {
                    return null;
                }
                FloorRecords.Floor floor = FloorRecords.FLOOR.decode(saying.value());
                FloorReport heard = positions.get(saying.boards());
                // Reports of a former life of the task no longer apply.
                return heard == null
                                || FloorRecords.PROGRESS.decode(heard.value()).life() != floor.life()
                                || processedTo(saying.boards(), partition) < knownFrom
                        ? null
                        : floor.value();
            }

            @Override
            public long processedTo(int boardPartition, int logPartition) {
                FloorReport saying = positions.get(boardPartition);
                return saying == null
                        ? -1
                        : FloorRecords.PROGRESS.decode(saying.value()).offsets()[partition];
            }

            void read(int count) {
                for (int i = 0; i < count && read < said.size(); i++) {
                    FloorReport saying = said.get(read++);
                    switch (saying.key()) {
                        case FloorRecords.Key.OfGroup(LeaderboardGroup group) -> ofGroups.put(group, saying);
                        case FloorRecords.Key.OfPartition(int from) -> positions.put(from, saying);
                    }
                }
            }
        }

        void receiveFloors(int count) {
            floors.read(count);
        }

        Set<String> users() {
            return users.keySet();
        }

        /** @return the request that waits for its answer, if any */
        UUID send(String user, Command command, UserTruth.Input told, boolean isAsked) {
            var headers = new RecordHeaders();
            UUID request = isAsked ? new UUID(partition, records.size()) : null;
            if (isAsked) {
                ReplyHeaders.write(headers, new ReplyTo(2, request));
            }
            long offset = records.size();
            append(new Logged(
                    user.getBytes(UTF_8), CommandJson.write(command), headers, Instant.ofEpochMilli(told.atMs())));
            if (command instanceof EraseUser) {
                users.remove(user);
                erased.put(user, offset);
                sent.keySet().removeIf(of -> of.getLast().equals(user));
                unjudged.keySet().removeIf(of -> of.getLast().equals(user));
                take(offset, List.of(), true);
                return null;
            }
            UserTruth truly = users.computeIfAbsent(user, id -> new UserTruth(id, told.atMs()));
            take(offset, truly.take(told, now(offset)), true);
            return request;
        }

        void tick(long atMs) {
            long offset = records.size();
            append(new Logged(null, CommandJson.write(new Tick()), new RecordHeaders(), Instant.ofEpochMilli(atMs)));
            var ops = new ArrayList<Op>();
            users.values().forEach(user -> ops.addAll(user.tick(atMs, now(offset))));
            clockMs = Math.max(clockMs, atMs);
            take(offset, ops, true);
        }

        void publish(Ruleset ruleset, Instant at) {
            long offset = records.size();
            append(new Logged(
                    null,
                    CommandJson.write(new RulesetPublished(ruleset.tenant(), ruleset.version())),
                    new RecordHeaders(),
                    at));
            take(offset, List.of(), true);
        }

        private UserTruth.Now now(long offset) {
            return new UserTruth.Now(rules, partition, offset, clockMs);
        }

        private void append(Logged record) {
            records.add(record);
        }

        /** Passes the record to the ledger and checks what it sends to the leaderboards. */
        private void take(long offset, List<Op> ops, boolean isFirst) {
            if (isFirst) {
                meant.add(ops);
                ops.forEach(op -> truth.put(op.key(), op));
                ops.stream()
                        .filter(op -> !op.isRename())
                        .forEach(op -> madeOf(op).put(op.offset(), op));
            }
            ledger.pipe(records.get((int) offset));
            Set<Op.Key> stated = receive(offset, isFirst);
            for (Op op : ops) {
                if (!op.isRename()) {
                    unjudged.remove(of(op));
                }
                if (!stated.contains(op.key())) {
                    String reason = whyItMatters(op);
                    that(
                            reason == null,
                            "a score stays at home that matters, since " + reason + ": " + op
                                    + "\n    the ledger's user is "
                                    + ledger.reader().user(op.user().getBytes(UTF_8)));
                    if (!op.isRename()) {
                        keptOf(op).add(op.offset());
                        // A task that repeats commands does not know which scores the former one has sent.
                        if (isFirst && op.group() != null && op.value().signum() > 0) {
                            unjudged.put(of(op), op);
                        }
                    }
                }
            }
            boards.forEach(Boards::judge);
            replies();
        }

        /** Lets the ledger judge the scores that it has held back. */
        void judge() {
            ledger.passTime(Duration.ofMillis(100));
            receive(records.size() - 1L, true);
            replies();
        }

        /** Takes the messages to the leaderboards that the ledger has sent. @return the scores of changes among them */
        private Set<Op.Key> receive(long offset, boolean isFirst) {
            List<Told> told = ledger.told();
            var stated = new HashSet<Op.Key>();
            var offered = new HashSet<Op.Key>();
            var toAll = new HashMap<Object, Integer>();
            for (Told t : told) {
                // What was held back comes before the scores of the record.
                that(
                        t.origin().offset() == offset || t.origin().offset() == offset - 1,
                        "a message has the origin of the record it follows from: " + t);
                int to = t.key() == null ? toAll.merge(t.message(), 1, Integer::sum) - 1 : LAYOUT.partitionOf(t.key());
                outbox.add(new PendingRecord(
                        to,
                        t.key() == null ? null : t.key().bytes(),
                        new LeaderboardCodecs.Sent(
                                new Origin(partition, t.origin().offset()), t.message()),
                        t.replyTo(),
                        t.at()));
                if (t.message() instanceof Scored scored) {
                    var key = new Op.Key(
                            partition, offset, placeOf(scored), scored.user().value());
                    Op op = opOf(key.partition(), offset, scored);
                    boolean isLate = op != null && op != truth.get(key);
                    // A second client may wait for the same value.
                    boolean isCopy =
                            scored.kind() == Score.Kind.SAME && (stated.contains(key) || offered.contains(key));
                    if (isLate) {
                        offered.add(key);
                    }
                    that(isLate || isCopy || stated.add(key), "one score for a run and command: " + told);
                    if (!isLate && !isCopy) {
                        compare(key, scored, isFirst);
                    }
                    if (op != null && !op.isRename() && offset > erased.getOrDefault(op.user(), -1L)) {
                        // A name does not change who takes part, nor does a repeated command of a user erased since.
                        sentOf(op).put(offset, op);
                        unjudged.remove(of(op));
                    }
                }
                if (t.replyTo() != null && t.key() != null) {
                    sentFor.computeIfAbsent(t.replyTo().requestId(), _ -> new HashSet<>())
                            .add(boardOf(t.key().board()).key());
                }
            }
            return stated;
        }

        private TreeSet<Long> keptOf(Op op) {
            return kept.computeIfAbsent(of(op), _ -> new TreeSet<>());
        }

        private TreeMap<Long, Op> sentOf(Op op) {
            return sent.computeIfAbsent(of(op), _ -> new TreeMap<>());
        }

        private TreeMap<Long, Op> madeOf(Op op) {
            return made.computeIfAbsent(of(op), _ -> new TreeMap<>());
        }

        private void compare(Op.Key key, Scored scored, boolean isFirst) {
            Op op = truth.get(key);
            UserTruth user = users.get(scored.user().value());
            if (op == null && user == null && !isFirst) {
                // A repeated command of a user erased since.
                return;
            }
            // A streak that is lost and restored by one record is sent, too.
            UserTruth.Mark unchanged = op != null ? null : user.mark(scored.board(), scored.run());
            boolean isTheSame = unchanged != null
                    && unchanged.value().compareTo(scored.value()) == 0
                    && unchanged.changedMs() == scored.changedMs();
            if (op == null
                    && isFirst
                    && scored.kind() == Score.Kind.CHANGED
                    && !isTheSame
                    && user.adopt(boardOf(scored.board()), scored)) {
                var adopted = new Op(
                        key.partition(),
                        key.offset(),
                        key.place(),
                        scored.isCurrent(),
                        key.user(),
                        scored.name(),
                        scored.group(),
                        scored.value(),
                        scored.changedMs(),
                        false);
                truth.put(key, adopted);
                madeOf(adopted).put(adopted.offset(), adopted);
                sentOf(adopted).put(adopted.offset(), adopted);
                return;
            }
            that(op != null || scored.kind() == Score.Kind.SAME || isTheSame, "nothing has changed: " + scored);
            if (op == null && !isFirst) {
                // The value of that time is not stored.
                return;
            }
            if (op == null) {
                UserTruth.Mark mark = user.mark(scored.board(), scored.run());
                that(
                        scored.value().compareTo(mark.value()) == 0
                                && scored.changedMs() == mark.changedMs()
                                && Objects.equals(scored.name(), user.name())
                                && Objects.equals(scored.group(), user.groupIn(boardOf(scored.board()), scored.run())),
                        "the ledger's " + scored + " is not " + mark + " of " + user.user);
                return;
            }
            that(
                    scored.kind() == (op.isRename() ? Score.Kind.RENAMED : Score.Kind.CHANGED),
                    "the kind of " + scored + " for " + op);
            that(
                    scored.value().compareTo(op.value()) == 0
                            && scored.changedMs() == op.changedMs()
                            && Objects.equals(scored.name(), op.name())
                            && scored.isCurrent() == op.isCurrent()
                            && Objects.equals(scored.group(), op.group()),
                    "the ledger's " + scored + " is not " + op + " of " + (user == null ? null : user.user));
        }

        /**
         * The reason why the leaderboards need the score; null if they do not need it, by their state when they reported
         * their floors.
         */
        private String whyItMatters(Op op) {
            BoardRun place = op.place();
            Map.Entry<Long, Op> former = sentOf(op).lowerEntry(op.offset());
            boolean wasOut = former == null
                    || former.getValue().value().signum() <= 0
                    || former.getValue().group() == null && former.getValue().isCurrent();
            // An unsent change since then shows that the user did not take part.
            Long home = keptOf(op).lower(op.offset());
            wasOut |= home != null && former != null && home > former.getKey();
            boolean staysOut = op.isRename() || op.value().signum() <= 0 || op.group() == null && op.isCurrent();
            if (wasOut && staysOut) {
                return null;
            }
            if (op.group() == null && wasOut) {
                return null;
            }
            // Who leaves all groups, or falls to 0 in another one, may have been refused before: the floor of the
            // former group shows it.
            List<String> values = op.group() == null || staysOut && !op.isRename()
                    ? former.getValue().group()
                    : op.group();
            if (values == null) {
                boolean wasInGroup =
                        madeOf(op).headMap(op.offset()).values().stream().anyMatch(o -> o.group() != null);
                return wasInGroup ? "the user may have been in a group" : null;
            }
            var group = new LeaderboardGroup(TenantId.NONE, op.board(), op.run(), values);
            FloorReport saying = floors.ofGroups.get(group);
            BigDecimal floor = floors.floorOf(group);
            if (floor == null) {
                return "no floor is known";
            }
            if (op.group() != null && !op.isRename() && op.value().compareTo(floor) > 0) {
                return "it is above the floor";
            }
            // Floors reported before the positions still held when the positions were reported.
            var thens = new ArrayList<>(saying.then());
            thens.addAll(floors.positions.get(saying.boards()).then());
            for (Snapshot then : thens) {
                boolean wasHeard = former == null || then.heard()[partition] >= former.getKey();
                // If a user of this id was erased meanwhile, a new user of that id may have to wait for the next
                // change.
                boolean isOther = then.heard()[partition] < erased.getOrDefault(op.user(), -1L);
                // A repeated command: the leaderboards have its score already, or ignore it.
                boolean isHeardAlready = then.heard()[partition] > op.offset()
                        || then.heard()[partition] == op.offset() && sentOf(op).containsKey(op.offset());
                if (isHeardAlready
                        || isOther
                        || wasHeard
                                && !then.listed().getOrDefault(place, Set.of()).contains(op.user())) {
                    return null;
                }
            }
            return "the leaderboards had the user, or had not heard of " + former + " when they said their floor "
                    + floor + ": "
                    + thens.stream()
                            .map(then -> then.listed().get(place) + " having heard " + Arrays.toString(then.heard()))
                            .toList();
        }

        private void replies() {
            for (var reply : ledger.replies()) {
                Set<String> missing = awaited.get(reply.requestId());
                if (missing != null) {
                    missing.retainAll(reply.awaits());
                } else if (!reply.awaits().isEmpty()) {
                    awaited.put(reply.requestId(), new HashSet<>(reply.awaits()));
                }
            }
            for (LedgerDriver.Verdict verdict : ledger.verdicts()) {
                Set<String> missing = awaited.get(verdict.requestId());
                that(missing != null, "nobody asked for " + verdict);
                // A task that repeats commands may hold back what the former one has sent.
                missing.remove(verdict.board());
            }
            ledger.effects();
            for (JsonNode rejection : ledger.rejections()) {
                throw new AssertionError("the ledger put a record aside: " + rejection);
            }
        }

        /** Sends the oldest unsent records to the broker. */
        void flush(int count) {
            for (int i = 0; i < count && !outbox.isEmpty(); i++) {
                PendingRecord letter = outbox.poll();
                boards.get(letter.boards()).inbox.add(letter);
            }
        }

        void commit() {
            flush(Integer.MAX_VALUE);
            committed = records.size();
        }

        /** Aborts the transaction: its records are read again. Unsent records may arrive late or never. */
        void abort(boolean leavesGhosts) {
            if (leavesGhosts) {
                ghosts.addAll(outbox);
            }
            outbox.stream()
                    .filter(letter -> letter.replyTo() != null && letter.sent().message() instanceof Scored)
                    .forEach(letter -> sentFor.get(letter.replyTo().requestId())
                            .remove(boardOf(((Scored) letter.sent().message()).board())
                                    .key()));
            outbox.clear();
            // The task loses the scores that it held back. They count as refused, and their clients get no verdict.
            unjudged.keySet().removeIf(of -> of.getFirst().equals(partition));
            awaited.forEach((request, missing) -> {
                // The next task answers the commands that it repeats.
                if (request.getMostSignificantBits() == partition && request.getLeastSignificantBits() < committed) {
                    missing.retainAll(sentFor.getOrDefault(request, Set.of()));
                }
            });
            ledger.close();
            ledger = new LedgerDriver(published);
            for (int i = 0; i < committed; i++) {
                ledger.pipe(records.get(i));
            }
            ledger.floors(floors);
            knownFrom = records.size();
            ledger.told();
            ledger.replies();
            ledger.rejections();
            for (int i = committed; i < records.size(); i++) {
                take(i, meant.get(i), false);
            }
        }

        /** Sends records of a fenced task that does not know it yet. */
        void sendFromFencedTask(int count) {
            for (int i = 0; i < count && !ghosts.isEmpty(); i++) {
                PendingRecord letter = ghosts.poll();
                boards.get(letter.boards()).inbox.add(letter);
            }
        }
    }

    /** One partition of the leaderboards. */
    final class Boards {

        private final int partition;
        private final LeaderboardModel model = new LeaderboardModel();
        private final long[] heard = new long[LOGS];
        private final long[] clocks = new long[LOGS];
        private final List<PendingRecord> inbox = new ArrayList<>();
        private final List<PendingRecord> history = new ArrayList<>();
        private final Map<BoardRun, List<Entry>> finals = new HashMap<>();
        private final Map<LeaderboardGroup, BigDecimal> saidFloors = new HashMap<>();
        private final List<Snapshot> sinceCommit = new ArrayList<>();
        private LeaderboardsApp app;
        private int committed;

        /** The number of records of {@link #history} that were delivered before a kill and must be repeated. */
        private int again;

        Boards(int partition, LeaderboardsApp app) {
            this.partition = partition;
            this.app = app;
            Arrays.fill(heard, -1);
            Arrays.fill(clocks, Long.MIN_VALUE);
            sinceCommit.add(snapshot());
        }

        private Snapshot snapshot() {
            return new Snapshot(model.listed(), heard.clone());
        }

        boolean isQuiet() {
            return inbox.isEmpty();
        }

        /** @return whether there was something to deliver */
        boolean deliver() {
            if (again > 0) {
                PendingRecord letter = history.get(history.size() - again);
                again--;
                hand(letter);
                app.parts();
                reportFloors();
                if (again == 0) {
                    // The model applies time and rules at once, the leaderboards in rounds, and no round may have
                    // passed since the kill.
                    passTime(Duration.ofSeconds(1));
                    compareAll("after records were delivered again");
                }
                return true;
            }
            if (inbox.isEmpty()) {
                return false;
            }
            PendingRecord letter = inbox.removeFirst();
            history.add(letter);
            hand(letter);
            follow(letter);
            judge();
            sinceCommit.add(snapshot());
            reportFloors();
            return true;
        }

        /** Settles the scores that the ledgers have held back and that would be refused now. */
        private void judge() {
            unjudged.values()
                    .removeIf(op -> LAYOUT.partitionOf(
                                            new LeaderboardGroup(TenantId.NONE, op.board(), op.run(), op.group()),
                                            boardOf(op.board()).hasSpreadGroups())
                                    == partition
                            && isRefused(op));
        }

        private boolean isRefused(Op op) {
            BoardRun place = op.place();
            BigDecimal floor = model.floor(place, op.group());
            return floor != null && op.value().compareTo(floor) <= 0 || isFinal(place);
        }

        private void hand(PendingRecord letter) {
            var headers = new RecordHeaders();
            if (letter.replyTo() != null) {
                ReplyHeaders.write(headers, letter.replyTo());
            }
            app.deliver(letter.key(), LeaderboardCodecs.MESSAGE.encode(letter.sent()), headers, letter.at());
        }

        /** Applies the record to the model and compares both. */
        private void follow(PendingRecord letter) {
            Origin origin = letter.sent().origin();
            boolean isOld = origin.offset() < heard[origin.partition()];
            heard[origin.partition()] = Math.max(heard[origin.partition()], origin.offset());
            List<LeaderboardsApp.Part> parts = app.parts();
            switch (letter.sent().message()) {
                case Scored scored -> {
                    Change change = score(scored, origin, isOld);
                    answer(letter, scored, change, parts, isOld);
                    compareRun(placeOf(scored), "after " + letter);
                }
                case ClockMoved(long nowMs) -> {
                    if (!isOld) {
                        clocks[origin.partition()] = Math.max(clocks[origin.partition()], nowMs);
                        model.moveClock(clockMs(), this::endMsOf);
                    }
                }
                case LeaderboardMessage.GenerationBegan _ -> throw new AssertionError("there is one generation only");
                case LeaderboardMessage.RulesPublished _ -> {
                    // Rules change only while no record is in transit. The world then changes those of the model.
                }
                case UserForgotten(TenantId _, UserId user) -> {
                    if (!isOld) {
                        model.forget(user.value());
                        finals.replaceAll((_, entries) -> entries.stream()
                                .filter(e -> !e.user().equals(user.value()))
                                .toList());
                        compareAll("after " + letter);
                    }
                }
            }
        }

        private Change score(Scored scored, Origin origin, boolean isOld) {
            BoardRun place = placeOf(scored);
            Op op = opOf(origin.partition(), origin.offset(), scored);
            if (!isOld && op == null && !isFinal(place)) {
                model.rename(place, scored.user().value(), scored.name());
            }
            return isOld || op == null || isFinal(place)
                    ? model.same(place, scored.user().value())
                    : model.apply(op);
        }

        private void answer(
                PendingRecord letter, Scored scored, Change change, List<LeaderboardsApp.Part> parts, boolean isOld) {
            if (letter.replyTo() == null) {
                that(parts.isEmpty(), "nobody asked for " + parts + ": " + letter);
                return;
            }
            that(parts.size() == 1, "not one part but " + parts + " for " + letter);
            LeaderboardsApp.Part part = parts.getFirst();
            String key = boardOf(scored.board()).key();
            that(part.name().equals(key), "the part is called " + part.name() + " for " + letter);
            that(part.requestId().equals(letter.replyTo().requestId()), "an answer to another request: " + part);
            Set<String> missing = awaited.get(part.requestId());
            boolean isRepeated = missing == null || !missing.remove(key);
            if (isOld || isRepeated) {
                return;
            }
            // An earlier request of the user may wait for the same change.
            boolean isOfEarlier = scored.kind() == Score.Kind.SAME
                    && part.requestId().getLeastSignificantBits()
                            != letter.sent().origin().offset();
            if (change.previousRank() == null && change.rank() == null) {
                that(
                        part.body() == null || isOfEarlier && number(part.body(), "rank") == null,
                        "who takes no part gets an entry: " + part + " for " + letter);
                return;
            }
            that(part.body() != null, "no entry where " + change + " was to be shown for " + letter);
            that(
                    (isOfEarlier || Objects.equals(change.previousRank(), number(part.body(), "previousRank")))
                            && Objects.equals(change.rank(), number(part.body(), "rank"))
                            && change.threshold()
                                            .compareTo(
                                                    part.body().get("threshold").decimalValue())
                                    == 0,
                    "the answer " + part.body() + " is not " + change + " for " + letter);
        }

        private static Integer number(JsonNode body, String field) {
            JsonNode value = body.get(field);
            return value == null || value.isNull() ? null : value.intValue();
        }

        /** Whether the run is final: half a day after its end, by the clock of the slowest partition of the log. */
        private boolean isFinal(BoardRun place) {
            Leaderboard board = boardOf(place.board());
            // The end of an inactive leaderboard can still be changed.
            boolean isPaused = board.status() == LeaderboardStatus.INACTIVE
                    && board.end() != null
                    && board.end().equals(Calendars.lastDateOf(board, place.run()));
            return board.status() == LeaderboardStatus.FINISHED
                    || !isPaused && Calendars.isFinal(board, place.run(), clockMs());
        }

        private long clockMs() {
            return Arrays.stream(clocks).min().orElseThrow();
        }

        /** Null: not final. */
        private Long endMsOf(BoardRun place) {
            if (!isFinal(place)) {
                return null;
            }
            Leaderboard board = boardOf(place.board());
            long endMs = Calendars.endMsOf(board, place.run());
            return board.finished() == null
                    ? endMs
                    : Math.min(endMs, board.finished().toEpochMilli());
        }

        private void compareDays(BoardRun place, List<String> group, String when) {
            for (UserTruth user :
                    logs.stream().flatMap(log -> log.users.values().stream()).toList()) {
                var shown = app
                        .reads()
                        .dayEnds(
                                new LeaderboardGroup(TenantId.NONE, place.board(), place.run(), group),
                                new UserId(user.user),
                                MOST_SHOWN)
                        .stream()
                        .map(end -> new LeaderboardModel.DayEnd(
                                end.day(),
                                end.rank(),
                                end.value() == null ? null : end.value().stripTrailingZeros()))
                        .toList();
                List<LeaderboardModel.DayEnd> expected = model.dayEnds(place, group, user.user);
                boolean isDayOpen = model.beganBeforeTime(place, group);
                that(
                        isDayOpen ? withoutFirstDay(expected).equals(withoutFirstDay(shown)) : expected.equals(shown),
                        "history of " + user.user + " in "
                                + boardOf(place.board()).key() + " " + place + " " + group + " " + when
                                + "\n    expected "
                                + expected + "\n    but was  " + shown);
            }
        }

        private static List<LeaderboardModel.DayEnd> withoutFirstDay(List<LeaderboardModel.DayEnd> ends) {
            var without = new ArrayList<>(ends);
            if (!ends.isEmpty()) {
                without.set(
                        0,
                        new LeaderboardModel.DayEnd(
                                0, ends.getFirst().rank(), ends.getFirst().value()));
            }
            return without;
        }

        /** The newest records delivered for a run, with the committed ones after a bar. */
        private String told(BoardRun place) {
            var lines = new StringBuilder();
            for (int i = history.size() - 1; i >= 0 && i > history.size() - MOST_TOLD; i--) {
                LeaderboardCodecs.Sent letter = history.get(i).sent();
                boolean isAbout = !(letter.message() instanceof Scored scored)
                        || placeOf(scored).equals(place);
                if (isAbout) {
                    lines.append("\n      ").append(i < committed ? "| " : "  ").append(letter);
                }
            }
            return lines.toString();
        }

        private void compareRun(BoardRun place, String when) {
            Set<List<String>> groups = new HashSet<>(model.groups(place));
            if (place.only() != null) {
                groups.add(place.only());
            } else {
                groups.addAll(app.reads().groups(TenantId.NONE, place.board(), place.run(), MOST_SHOWN));
            }
            if (boardOf(place.board()).breakdownAttributes().isEmpty()) {
                groups.add(List.of());
            }
            for (List<String> group : groups) {
                List<Entry> expected = model.ranking(place, group);
                Ranking ranking = app.reads()
                        .ranking(new LeaderboardGroup(TenantId.NONE, place.board(), place.run(), group), MOST_SHOWN);
                var shown = new ArrayList<Entry>();
                for (int rank = 1; rank <= ranking.size(); rank++) {
                    var standing = ranking.at(rank);
                    shown.add(new Entry(
                            standing.user().value(),
                            standing.name(),
                            group,
                            standing.value().stripTrailingZeros(),
                            standing.changedMs()));
                }
                that(
                        expected.equals(shown),
                        boardOf(place.board()).key() + " " + place + " " + group + " " + when
                                + "\n    expected " + expected + "\n    but was  " + shown + "\n    of at most "
                                + boardOf(place.board()).maxParticipants() + ", newest first: " + told(place));
            }
            if (isFinal(place)) {
                List<Entry> now = groups.stream()
                        .flatMap(group -> model.ranking(place, group).stream())
                        .sorted(Comparator.comparing(Entry::user))
                        .toList();
                List<Entry> then = finals.putIfAbsent(place, now);
                that(then == null || then.equals(now), place + " was final and changed " + when);
            }
        }

        void compareAll(String when) {
            if (again > 0) {
                return;
            }
            for (BoardRun place : model.places()) {
                compareRun(place, when);
                compareFigures(place, when);
                for (List<String> group : app.reads().groups(TenantId.NONE, place.board(), place.run(), MOST_SHOWN)) {
                    that(
                            place.only() == null
                                    || model.places().contains(new BoardRun(place.board(), place.run(), group)),
                            "a group that is not here: " + group + " of " + place + " " + when);
                }
            }
        }

        private void compareFigures(BoardRun place, String when) {
            RunFigures shown = app.reads().figures(TenantId.NONE, place.board(), place.run());
            var figures = new LeaderboardModel.Figures(
                    shown.participants(),
                    shown.changedRank(),
                    plain(shown.lowest()),
                    plain(shown.highest()),
                    shown.histogram(),
                    shown.rankChanges().stream()
                            .mapToLong(RunFigures.DayChanges::count)
                            .sum());
            LeaderboardModel.Figures expected = model.figures(place);
            that(
                    expected.equals(figures),
                    "figures of " + boardOf(place.board()).key() + " " + place + " " + when + "\n    expected "
                            + expected + "\n    but was  " + figures + told(place));
        }

        private static BigDecimal plain(BigDecimal value) {
            return value == null ? null : value.stripTrailingZeros();
        }

        /** Called at rest, after a sweep of all groups. */
        void compareAllDays() {
            for (BoardRun place : model.places()) {
                for (List<String> group : model.groupsWithDays(place)) {
                    compareDays(place, group, "at rest");
                }
            }
        }

        /** Called at rest, with all records delivered: all values equal those of the users. */
        void compareWithTruth() {
            for (BoardRun place : model.places()) {
                Leaderboard board = boardOf(place.board());
                for (List<String> group : model.groups(place)) {
                    List<Entry> ranking = model.ranking(place, group);
                    that(isFinal(place) || ranking.size() <= board.maxParticipants(), "too many in " + ranking);
                    ranking.forEach(entry -> compareWithTruth(place, board, entry));
                }
            }
        }

        private void compareWithTruth(BoardRun place, Leaderboard board, Entry entry) {
            UserTruth user = logs.stream()
                    .map(log -> log.users.get(entry.user()))
                    .filter(Objects::nonNull)
                    .findAny()
                    .orElse(null);
            that(user != null, "an erased user is in " + place + ": " + entry);
            UserTruth.Mark mark = user.mark(place.board(), place.run());
            that(
                    mark != null && mark.value().compareTo(entry.value()) == 0 && mark.changedMs() == entry.changedMs(),
                    entry + " in " + place + " is " + mark + " in truth");
            that(
                    entry.group().equals(user.groupIn(board, place.run())),
                    entry + " is not in the group of the last score");
        }

        private void reportFloors() {
            for (LeaderboardsApp.FloorRecord record : app.floors()) {
                FloorRecords.Key key = FloorRecords.KEY.decode(record.key());
                if (again == 0 && key instanceof FloorRecords.Key.OfGroup(LeaderboardGroup group)) {
                    BoardRun place = placeOf(group);
                    // Only participants count.
                    BigDecimal expected = isFinal(place) ? null : model.floor(place, group.values());
                    BigDecimal value = record.value() == null
                            ? null
                            : FloorRecords.FLOOR.decode(record.value()).value();
                    that(
                            expected == null ? value == null : value != null && expected.compareTo(value) == 0,
                            "the floor of " + group + " is " + expected + ", not " + value + ": "
                                    + model.ranking(place, group.values()) + finals.get(place));
                }
                if (key instanceof FloorRecords.Key.OfGroup(LeaderboardGroup group)) {
                    saidFloors.put(
                            group,
                            record.value() == null
                                    ? null
                                    : FloorRecords.FLOOR.decode(record.value()).value());
                } else if (again == 0) {
                    compareFloors();
                }
                // While records are repeated, it may already contain later ones.
                said.add(new FloorReport(
                        key, record.value(), partition, again > 0 ? List.copyOf(sinceCommit) : List.of(snapshot())));
            }
        }

        /** Compares the reported floors, all of which the reported positions confirm, with those of the model. */
        private void compareFloors() {
            for (BoardRun place : model.places()) {
                for (List<String> group : model.groups(place)) {
                    BigDecimal expected = model.floor(place, group);
                    BigDecimal value =
                            saidFloors.get(new LeaderboardGroup(TenantId.NONE, place.board(), place.run(), group));
                    that(
                            isFinal(place) || value == null || expected != null && expected.compareTo(value) == 0,
                            "the floor of " + place + " " + group + " is " + expected + ", not " + value);
                }
            }
        }

        void passTime(Duration duration) {
            app.passTime(duration);
            reportFloors();
        }

        void commit() {
            if (again == 0) {
                app.commit();
                committed = history.size();
                sinceCommit.clear();
                sinceCommit.add(snapshot());
            }
        }

        void kill() {
            // Floors hold only as long as the task that published them.
            saidFloors.clear();
            app = app.killed();
            again = history.size() - committed;
        }
    }

    private Leaderboard boardOf(int number) {
        return rules.stream()
                .filter(board -> board.number() == number)
                .findAny()
                .orElseThrow();
    }

    /** Delivers all records in transit, until the ledgers have sent what they held back. */
    void settle() {
        deliverAll();
        for (int round = 0; round < ROUNDS_TO_REST; round++) {
            boards.forEach(b -> b.passTime(Duration.ofMillis(100)));
            for (Log log : logs) {
                log.receiveFloors(Integer.MAX_VALUE);
                log.judge();
            }
            deliverAll();
        }
    }

    private void deliverAll() {
        for (Log log : logs) {
            log.commit();
        }
        for (Boards b : boards) {
            while (b.deliver()) {
                // until it is quiet
            }
        }
    }

    /**
     * Publishes other rules, at rest: otherwise the order of two users would depend on the delivery.
     *
     * @param isKilled whether all leaderboards are killed when a commit includes the rules, but no round has applied them
     */
    void publish(Ruleset ruleset, List<Leaderboard> leaderboards, Instant at, boolean isKilled) {
        // Timers that are due by then fire under the former rules, whenever they are processed. The model processes
        // them now.
        logs.forEach(log -> log.tick(at.toEpochMilli()));
        settle();
        published.add(ruleset);
        rules = leaderboards;
        for (Log log : logs) {
            log.publish(ruleset, at);
        }
        for (Boards b : boards) {
            leaderboards.forEach(
                    board -> b.model.limit(board.number(), board.maxParticipants(), board.hasSpreadGroups()));
            b.model.shrink(b::isFinal);
        }
        if (isKilled) {
            deliverAll();
            boards.forEach(Boards::commit);
            boards.forEach(Boards::kill);
        }
        settle();
        for (Boards b : boards) {
            b.passTime(Duration.ofSeconds(1));
            b.model.moveClock(b.clockMs(), b::endMsOf);
            b.compareAll("after ruleset " + ruleset.version());
        }
    }

    void checkAtRest() {
        settle();
        for (Boards b : boards) {
            b.passTime(Duration.ofSeconds(1));
            b.compareAll("at rest");
            b.compareAllDays();
            b.compareWithTruth();
        }
        compareTwins();
        that(unjudged.isEmpty(), "kept out though no floor was above them: " + unjudged.values());
        awaited.forEach((request, missing) -> that(missing.isEmpty(), "no answer to " + request + " from " + missing));
    }

    /** Compares a spread leaderboard with one of the same rules that is not, unless they have changed since. */
    private void compareTwins() {
        Leaderboard spread = boardOf(LeaderboardRulebook.TWINS.getFirst());
        Leaderboard other = boardOf(LeaderboardRulebook.TWINS.getLast());
        if (LeaderboardRulebook.areTwins(spread, other)) {
            Map<List<String>, List<Entry>> rankings = rankingsOf(spread);
            that(
                    rankings.equals(rankingsOf(other)),
                    "the spread leaderboard has " + rankings + ", the other one " + rankingsOf(other));
        }
    }

    private Map<List<String>, List<Entry>> rankingsOf(Leaderboard board) {
        var rankings = new HashMap<List<String>, List<Entry>>();
        for (Boards b : boards) {
            b.model.places().stream()
                    .filter(place -> place.board() == board.number())
                    .forEach(place -> b.model
                            .groups(place)
                            .forEach(group -> that(
                                    rankings.put(group, b.model.ranking(place, group)) == null,
                                    group + " of " + place + " is in two partitions")));
        }
        return rankings;
    }

    static UserChange mention(String user) {
        return UserChange.mention(new UserId(user));
    }

    private static void that(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    @Override
    public void close() {
        logs.forEach(log -> log.ledger.close());
        boards.forEach(b -> b.app.close());
    }
}
