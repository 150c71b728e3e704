package dev.laurel.processors.boardsim;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardMessage;
import dev.laurel.core.leaderboard.LeaderboardMessage.ClockMoved;
import dev.laurel.core.leaderboard.LeaderboardMessage.Origin;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scored;
import dev.laurel.core.leaderboard.LeaderboardMessage.Scores;
import dev.laurel.core.leaderboard.LeaderboardMessage.TeamScores;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserForgotten;
import dev.laurel.core.leaderboard.LeaderboardMessage.UserShown;
import dev.laurel.core.leaderboard.Ranking;
import dev.laurel.core.leaderboard.RunFigures;
import dev.laurel.core.leaderboard.TeamRanking;
import dev.laurel.core.leaderboard.TeamRanking.Team;
import dev.laurel.processors.boardsim.LeaderboardModel.BoardRun;
import dev.laurel.processors.boardsim.LeaderboardModel.Change;
import dev.laurel.processors.boardsim.LeaderboardModel.Entry;
import dev.laurel.processors.ledger.LedgerTopology.LeadLimits;
import dev.laurel.processors.store.boards.LeaderboardCodecs;
import dev.laurel.processors.store.users.TopList;
import dev.laurel.processors.stream.LeaderboardLayout;
import dev.laurel.processors.stream.LeaderboardLayout.ScoreKey;
import dev.laurel.processors.topology.LedgerDriver;
import dev.laurel.processors.topology.LedgerDriver.Logged;
import dev.laurel.processors.topology.LedgerDriver.Published;
import dev.laurel.processors.topology.LedgerDriver.Told;
import dev.laurel.schemas.command.Command;
import dev.laurel.schemas.command.Command.EraseUser;
import dev.laurel.schemas.command.Command.RulesetPublished;
import dev.laurel.schemas.command.Command.Tick;
import dev.laurel.schemas.command.UserChange;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Leaderboard.TeamScore;
import dev.laurel.schemas.ruleset.Leaderboard.Teams;
import dev.laurel.schemas.ruleset.Leaderboard.Visibility;
import dev.laurel.schemas.ruleset.Ruleset;
import dev.laurel.schemas.serde.CommandJson;
import dev.laurel.schemas.topic.ReplyHeaders;
import dev.laurel.schemas.topic.ReplyHeaders.ReplyTo;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
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

    /** As many lead in a partition of the log as a leaderboard can have participants, or one more. */
    private static final LeadLimits LEADING = new LeadLimits(
            new TopList.Size(LeaderboardRulebook.MAX_PARTICIPANTS + 2, LeaderboardRulebook.MAX_PARTICIPANTS + 1),
            LeaderboardRulebook.MAX_PARTICIPANTS);

    /** A record on its way to the leaderboards. */
    private record PendingRecord(int boards, byte[] key, LeaderboardCodecs.Sent sent, ReplyTo replyTo, Instant at) {}

    private final Published published = new Published();
    private final List<Log> logs = new ArrayList<>();
    private final List<Boards> boards = new ArrayList<>();
    private final Map<UUID, Set<String>> awaited = new HashMap<>();

    private List<Leaderboard> rules = List.of();

    /** Whether a user was erased since the last check: then the truth does not know what final runs have of the user. */
    private boolean hasErased;

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

    private static BoardRun placeOf(Scored scored) {
        return new BoardRun(scored.board(), scored.run(), scored.group().isEmpty() ? null : scored.group());
    }

    private static List<Scored> scoresOf(LeaderboardMessage message) {
        return switch (message) {
            case Scores(List<Scored> scores) -> scores;
            case TeamScores(var _, List<Scored> scores) -> scores;
            default -> List.of();
        };
    }

    /** One partition of the log and its ledger. */
    final class Log {

        private final int partition;
        private final List<Logged> records = new ArrayList<>();
        private final Map<String, UserTruth> users = new TreeMap<>();
        private final Deque<PendingRecord> outbox = new ArrayDeque<>();
        private final Deque<PendingRecord> ghosts = new ArrayDeque<>();
        private LedgerDriver ledger = new LedgerDriver(published, LEADING);
        private int committed;

        private long clockMs = Long.MIN_VALUE;

        /** The time of the last change of each team by users of this partition of the log. */
        private final Map<LeaderboardGroup, Long> teamTimes = new HashMap<>();

        /** What erased users had in teams of runs that were final in this partition of the log. */
        private final Map<LeaderboardGroup, List<BigDecimal>> kept = new HashMap<>();

        /** What a user has in a run of a leaderboard with teams. */
        private record Member(List<String> group, UserTruth.Mark mark) {

            boolean counts() {
                return group != null && mark != null && mark.value().signum() > 0;
            }
        }

        Log(int partition) {
            this.partition = partition;
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
                UserTruth erased = users.remove(user);
                eachMember(erased, false, (run, member) -> note(run, member, told.atMs()));
                eachMember(erased, true, (run, member) -> {
                    if (member.counts()) {
                        kept.computeIfAbsent(teamOf(run, member), _ -> new ArrayList<>())
                                .add(member.mark().value());
                    }
                });
                hasErased = true;
                take(offset);
                return null;
            }
            UserTruth truly = users.computeIfAbsent(user, id -> new UserTruth(id, told.atMs()));
            follow(truly, told.atMs(), () -> truly.take(told, now()));
            take(offset);
            return request;
        }

        void tick(long atMs) {
            long offset = records.size();
            append(new Logged(null, CommandJson.write(new Tick()), new RecordHeaders(), Instant.ofEpochMilli(atMs)));
            users.values().forEach(user -> follow(user, atMs, () -> user.tick(atMs, now())));
            clockMs = Math.max(clockMs, atMs);
            take(offset);
        }

        /**
         * Passes on what a user has in runs of leaderboards with teams.
         *
         * @param areFinal whether the runs are final in this partition of the log
         */
        private void eachMember(UserTruth user, boolean areFinal, BiConsumer<LeaderboardGroup, Member> visitor) {
            for (Leaderboard board : rules) {
                if (board.teams() != null) {
                    user.runsOf(board.number()).forEach((run, mark) -> {
                        if (Calendars.isFinal(board, run, clockMs) == areFinal) {
                            visitor.accept(
                                    new LeaderboardGroup(TenantId.NONE, board.number(), run, List.of()),
                                    new Member(user.groupIn(board, run), mark));
                        }
                    });
                }
            }
        }

        private void note(LeaderboardGroup run, Member member, long atMs) {
            if (member != null && member.counts()) {
                teamTimes.merge(teamOf(run, member), atMs, Math::max);
            }
        }

        private static LeaderboardGroup teamOf(LeaderboardGroup run, Member member) {
            return new LeaderboardGroup(run.tenant(), run.board(), run.run(), member.group());
        }

        /** Takes note of the teams that a command or a tick has changed. */
        private void follow(UserTruth user, long atMs, Runnable change) {
            var before = new HashMap<LeaderboardGroup, Member>();
            eachMember(user, false, before::put);
            change.run();
            eachMember(user, false, (run, now) -> {
                Member former = before.getOrDefault(run, new Member(null, null));
                boolean hadValue =
                        former.mark() != null && former.mark().value().signum() > 0;
                boolean hasMoved = !Objects.equals(former.group(), now.group());
                if (hasMoved || !now.mark().equals(former.mark())) {
                    long changedMs = now.mark().changedMs();
                    long ms = hasMoved && hadValue ? Math.max(atMs, changedMs) : changedMs;
                    note(run, former, ms);
                    note(run, now, ms);
                }
            });
        }

        void publish(Ruleset ruleset, Instant at) {
            long offset = records.size();
            append(new Logged(
                    null,
                    CommandJson.write(new RulesetPublished(ruleset.tenant(), ruleset.version())),
                    new RecordHeaders(),
                    at));
            take(offset);
        }

        private UserTruth.Now now() {
            return new UserTruth.Now(rules, clockMs);
        }

        private void append(Logged record) {
            records.add(record);
        }

        /** Passes the record to the ledger and checks what it sends to the leaderboards. */
        private void take(long offset) {
            ledger.pipe(records.get((int) offset));
            receive(ledger.sent(), true);
            replies();
        }

        /** Lets the ledger send the scores that it has collected. */
        void flushCollected() {
            receive(ledger.told(), true);
            replies();
        }

        /** Takes the messages to the leaderboards that the ledger has sent. @param isNewest false: the truth is about later records */
        private void receive(List<Told> told, boolean isNewest) {
            var toAll = new HashMap<Object, Integer>();
            // A record may cause two scores of a user in a group: what was collected, and then its own.
            var newest = new LinkedHashMap<Object, Scored>();
            for (Told t : told) {
                int to = t.key() == null
                        ? toAll.merge(List.of(t.origin(), t.message()), 1, Integer::sum) - 1
                        : LAYOUT.partitionOf(t.key());
                outbox.add(new PendingRecord(
                        to,
                        t.key() == null ? null : t.key().bytes(),
                        new LeaderboardCodecs.Sent(
                                new Origin(partition, t.origin().offset()), t.message()),
                        t.replyTo(),
                        t.at()));
                for (Scored scored : scoresOf(t.message())) {
                    that(
                            LAYOUT.partitionOf(ScoreKey.of(scored)) == to,
                            "scores of several partitions in one message: " + t);
                    newest.put(List.of(placeOf(scored), scored.user()), scored);
                }
            }
            if (isNewest) {
                newest.values().forEach(this::compare);
            }
        }

        /** Compares a score with the user, who may have left the group, or be behind others of this partition of the log. */
        private void compare(Scored scored) {
            UserTruth user = users.get(scored.user().value());
            Leaderboard board = boardOf(scored.board());
            if (scored.value().signum() <= 0) {
                Entry known = user == null ? null : entryOf(user, board, scored.run());
                that(
                        known == null
                                || !known.group().equals(scored.group())
                                || entriesOf(board, scored.run(), scored.group())
                                                .filter(other -> LeaderboardModel.BEST_FIRST.compare(other, known) < 0)
                                                .count()
                                        >= LEADING.least(),
                        "the user is among the first ones: " + scored + " but " + known);
                return;
            }
            that(user != null, "a score of an erased user: " + scored);
            UserTruth.Mark mark = user.mark(scored.board(), scored.run());
            boolean isSame = mark != null
                    && scored.value().compareTo(mark.value()) == 0
                    && scored.changedMs() == mark.changedMs();
            that(
                    isSame || user.adopt(board, scored.run(), scored.value(), scored.changedMs()),
                    "the ledger's " + scored + " is not " + mark + " of " + user.user);
            that(
                    (user.currentRun(board) != scored.run() || Objects.equals(scored.name(), user.name()))
                            && scored.group().equals(user.groupIn(board, scored.run())),
                    "name and group of " + scored + " are those of " + user.user + ", "
                            + user.groupIn(board, scored.run()));
        }

        /** What a user has in a run, without the name; null: nothing, or the user is in no group. */
        private Entry entryOf(UserTruth user, Leaderboard board, int run) {
            UserTruth.Mark mark = user.mark(board.number(), run);
            List<String> group = user.groupIn(board, run);
            return mark == null || mark.value().signum() <= 0 || group == null
                    ? null
                    : new Entry(user.user, null, group, mark.value(), mark.changedMs());
        }

        private static Entry withoutName(Entry entry) {
            return new Entry(entry.user(), null, entry.group(), entry.value(), entry.changedMs());
        }

        /** What the users of this partition of the log have in a group. */
        private Stream<Entry> entriesOf(Leaderboard board, int run, List<String> group) {
            return users.values().stream()
                    .map(user -> entryOf(user, board, run))
                    .filter(entry -> entry != null && entry.group().equals(group));
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
            outbox.clear();
            ledger.close();
            ledger = new LedgerDriver(published, LEADING);
            for (int i = 0; i < committed; i++) {
                ledger.pipe(records.get(i));
            }
            // What was sent by then is sent once more, and ignored.
            receive(ledger.sent(), false);
            ledger.replies();
            ledger.rejections();
            for (int i = committed; i < records.size(); i++) {
                ledger.pipe(records.get(i));
                receive(ledger.sent(), false);
                replies();
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
        private final Map<LeaderboardGroup, List<Team>> finalTeams = new HashMap<>();
        private LeaderboardsApp app;
        private int committed;

        /** The number of records of {@link #history} that were delivered before a kill and must be repeated. */
        private int again;

        Boards(int partition, LeaderboardsApp app) {
            this.partition = partition;
            this.app = app;
            Arrays.fill(heard, -1);
            Arrays.fill(clocks, Long.MIN_VALUE);
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
            return true;
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
                case Scores _, TeamScores _ -> {
                    List<Scored> scores = scoresOf(letter.sent().message());
                    Map<List<Object>, Object> departed =
                            model.begin(origin.partition(), origin.offset(), isOld, letter.replyTo() != null);
                    for (Scored scored : scores) {
                        BoardRun place = placeOf(scored);
                        Change change = model.apply(place, scored, departed, isOld || isFinal(place));
                        if (scored == scores.getLast()) {
                            answer(letter, scored, change, parts, isOld);
                        }
                    }
                    scores.forEach(scored -> compareRun(placeOf(scored), "after " + letter));
                }
                case ClockMoved(long nowMs) -> {
                    if (!isOld) {
                        clocks[origin.partition()] = Math.max(clocks[origin.partition()], nowMs);
                        model.moveClock(clockMs(), this::endMsOf);
                    }
                }
                case LeaderboardMessage.GenerationBegan _ -> throw new AssertionError("there is one generation only");
                case UserShown(TenantId _, UserId user, Visibility visibility) -> {
                    if (!isOld) {
                        model.show(user.value(), visibility == Visibility.HIDDEN);
                        compareAll("after " + letter);
                    }
                }
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
            if (change.previousRank() == null && change.rank() == null) {
                that(part.body() == null, "who takes no part gets an entry: " + part + " for " + letter);
                return;
            }
            that(
                    part.body() != null,
                    "no entry where " + change + " was to be shown for " + letter + told(placeOf(scored)));
            that(
                    Objects.equals(change.previousRank(), number(part.body(), "previousRank"))
                            && Objects.equals(change.rank(), number(part.body(), "rank"))
                            && change.threshold()
                                            .compareTo(
                                                    part.body().get("threshold").decimalValue())
                                    == 0,
                    "the answer " + part.body() + " is not " + change + " for " + letter);
            if (boardOf(scored.board()).teams() != null) {
                var team = new LeaderboardGroup(TenantId.NONE, scored.board(), scored.run(), change.group());
                TeamRanking ranking = app.reads().teams(team.ofTeams());
                Integer rank = number(part.body(), "teamRank");
                that(
                        part.body().get("team").asString().equals(team.team())
                                && ranking.rankOf(team.team()) == (rank == null ? 0 : rank)
                                && (rank == null
                                        || ranking.bestFirst()
                                                        .get(rank - 1)
                                                        .value()
                                                        .compareTo(part.body()
                                                                .get("teamValue")
                                                                .decimalValue())
                                                == 0),
                        "the team in the answer " + part.body() + " is not that of " + ranking + " for " + letter);
            }
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
                List<Scored> scores = scoresOf(letter.message());
                boolean isAbout = scores.isEmpty()
                        || scores.stream().anyMatch(scored -> placeOf(scored).equals(place));
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
            if (LeaderboardRulebook.keysOf(boardOf(place.board())).isEmpty()) {
                groups.add(List.of());
            }
            for (List<String> group : groups) {
                List<Entry> expected = model.shown(place, group);
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

        /** Called at rest, with all records delivered: the participants are the first of all users. */
        void compareWithTruth() {
            for (BoardRun place : placesInTruth()) {
                Leaderboard board = boardOf(place.board());
                List<String> group = place.only() == null ? List.of() : place.only();
                List<Entry> shown = model.ranking(place, group).stream()
                        .map(Log::withoutName)
                        .toList();
                Stream<Entry> all = logs.stream().flatMap(log -> log.entriesOf(board, place.run(), group));
                if (isFinal(place)) {
                    List<Entry> known = all.toList();
                    that(known.containsAll(shown), place + " is final with " + shown + ", in truth " + known);
                } else {
                    List<Entry> first = all.sorted(LeaderboardModel.BEST_FIRST)
                            .limit(board.maxParticipants())
                            .toList();
                    that(
                            first.equals(shown),
                            "the first of " + place + " are " + first + ", not " + shown + told(place));
                }
            }
        }

        /** Called at rest: each participant is shown as the user wants to be shown, in final runs as well. */
        void compareVisibility() {
            for (BoardRun place : model.places()) {
                for (List<String> group : model.groups(place)) {
                    Ranking ranking = app.reads()
                            .ranking(
                                    new LeaderboardGroup(TenantId.NONE, place.board(), place.run(), group), MOST_SHOWN);
                    for (int rank = 1; rank <= ranking.size(); rank++) {
                        Ranking.Standing standing = ranking.at(rank);
                        UserTruth user = logs.stream()
                                .map(log -> log.users.get(standing.user().value()))
                                .filter(Objects::nonNull)
                                .findAny()
                                .orElseThrow();
                        that(
                                standing.visibility() == user.visibility(),
                                standing + " of " + place + " is not " + user.visibility() + told(place));
                    }
                }
            }
        }

        /** Called at rest: teams are ranked by what all users of all partitions of the log have. */
        void compareTeams() {
            for (Leaderboard board : rules) {
                if (board.teams() == null || LAYOUT.partitionOf(TenantId.NONE, board.number()) != partition) {
                    continue;
                }
                var groups = new HashSet<LeaderboardGroup>();
                for (Log log : logs) {
                    log.teamTimes.keySet().stream()
                            .filter(team -> team.board() == board.number())
                            .forEach(team -> groups.add(team.ofTeams()));
                }
                for (LeaderboardGroup group : groups) {
                    List<Team> shown = app.reads().teams(group).bestFirst();
                    List<Team> last = finalTeams.get(group);
                    if (last == null && !(hasErased && isFinal(new BoardRun(board.number(), group.run())))) {
                        List<Team> expected = teamsOf(board, group);
                        that(
                                expected.equals(shown),
                                "the teams of " + board + " in " + group + " are " + expected + ", not " + shown
                                        + told(new BoardRun(board.number(), group.run())));
                    }
                    that(last == null || last.equals(shown), group + " was final with " + last + ", now " + shown);
                    if (isFinal(new BoardRun(board.number(), group.run()))) {
                        finalTeams.put(group, shown);
                    }
                }
            }
        }

        /** Groups and sorts the users of all partitions of the log. */
        private List<Team> teamsOf(Leaderboard board, LeaderboardGroup group) {
            var times = new HashMap<String, Long>();
            logs.forEach(log -> log.teamTimes.forEach((team, ms) -> {
                if (team.board() == group.board() && team.ofTeams().equals(group)) {
                    times.merge(team.team(), ms, Math::max);
                }
            }));
            var teams = new ArrayList<Team>();
            times.forEach((name, ms) -> {
                LeaderboardGroup team = Records.with(
                        group,
                        "values",
                        Stream.concat(group.values().stream(), Stream.of(name)).toList());
                List<BigDecimal> values = logs.stream()
                        .flatMap(log -> Stream.concat(
                                log.entriesOf(board, group.run(), team.values()).map(Entry::value),
                                log.kept.getOrDefault(team, List.of()).stream()))
                        .sorted(Comparator.reverseOrder())
                        .toList();
                if (!values.isEmpty() && values.size() >= board.teams().minMembers()) {
                    teams.add(new Team(name, values.size(), scoreOf(board.teams(), values), ms));
                }
            });
            teams.sort(Comparator.comparing(Team::value)
                    .reversed()
                    .thenComparing(Team::changedMs)
                    .thenComparing(Team::name));
            return teams;
        }

        private static BigDecimal scoreOf(Teams teams, List<BigDecimal> bestFirst) {
            int counted = switch (teams.score()) {
                case SUM, AVERAGE -> bestFirst.size();
                case MAX -> 1;
                case TOP -> Math.min(teams.top(), bestFirst.size());
            };
            BigDecimal sum = bestFirst.subList(0, counted).stream().reduce(BigDecimal.ZERO, BigDecimal::add);
            return Amounts.canonical(
                    teams.score() == TeamScore.AVERAGE
                            ? sum.divide(BigDecimal.valueOf(counted), 10, RoundingMode.HALF_EVEN)
                            : sum);
        }

        private Set<BoardRun> placesInTruth() {
            var places = new HashSet<>(model.places());
            for (Leaderboard board : rules) {
                for (Log log : logs) {
                    for (UserTruth user : log.users.values()) {
                        for (int run : user.runsOf(board.number()).keySet()) {
                            Entry entry = log.entryOf(user, board, run);
                            if (entry != null
                                    && LAYOUT.partitionOf(
                                                    new LeaderboardGroup(
                                                            TenantId.NONE, board.number(), run, entry.group()),
                                                    board.hasSpreadGroups())
                                            == partition) {
                                places.add(new BoardRun(
                                        board.number(), run, entry.group().isEmpty() ? null : entry.group()));
                            }
                        }
                    }
                }
            }
            return places;
        }

        void passTime(Duration duration) {
            app.passTime(duration);
        }

        void commit() {
            if (again == 0) {
                app.commit();
                committed = history.size();
            }
        }

        void kill() {
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

    /** Delivers all records in transit, and the scores that the ledgers have collected. */
    void settle() {
        logs.forEach(Log::flushCollected);
        deliverAll();
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
            b.model.limitAll(b::isFinal);
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
            b.compareTeams();
            b.compareVisibility();
        }
        hasErased = false;
        compareTwins();
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
