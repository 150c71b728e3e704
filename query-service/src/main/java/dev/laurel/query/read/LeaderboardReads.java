package dev.laurel.query.read;

import dev.laurel.processors.core.leaderboard.BoardReads;
import dev.laurel.processors.core.leaderboard.BoardRules;
import dev.laurel.processors.core.leaderboard.Ranking;
import dev.laurel.processors.core.leaderboard.Runs;
import dev.laurel.processors.core.leaderboard.Standing;
import dev.laurel.processors.core.rules.CompiledRuleset;
import dev.laurel.processors.core.user.LocalDays;
import dev.laurel.processors.core.view.LeaderboardBodies;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.BoardPartitions;
import dev.laurel.query.question.FindPlaces.Place;
import dev.laurel.query.question.FindPlaces;
import dev.laurel.query.question.Nodes;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.LeaderboardStatus;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.RankingBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads about leaderboards (application-api.md §4 and §7), from the partitions that hold them. Leaderboards that are inactive
 * are not there. Thread-safe; knows no HTTP.
 */
public final class LeaderboardReads {

    /** A merging read reads each group; with more of them than this it would take too long for one request. */
    static final int MAX_GROUPS = 10_000;

    /** Some fifty years. */
    private static final int MAX_DAYS_OF_RUN = 20_000;

    private final BoardPartitions partitions;
    private final Nodes nodes;
    private final RulesetVersions rulesets;
    private final Function<UserKey, Result<Integer>> todayOf;
    private final InstantSource clock;
    private final SecondLook secondLook;

    /**
     * Which part of a leaderboard is asked for.
     *
     * @param offset how many places to skip, counted from the first, or from that of {@code user}
     * @param limit how many places to show
     * @param run a date in the wanted run, null: that of today
     * @param user its id, null if the places are counted from the first
     * @param attributes values of breakdown attributes, by their keys
     */
    public record Page(int offset, int limit, LocalDate run, String user, Map<String, String> attributes) {}

    /**
     * @param partitions of a leaderboard that is shown to all; of users other nodes can be asked
     * @param todayOf finds a user's local date, in days since 1970
     */
    public LeaderboardReads(BoardPartitions partitions, Nodes nodes, RulesetVersions rulesets,
            Function<UserKey, Result<Integer>> todayOf, InstantSource clock) {
        this.partitions = partitions;
        this.nodes = nodes;
        this.rulesets = rulesets;
        this.todayOf = todayOf;
        this.clock = clock;
        this.secondLook = new SecondLook(rulesets);
    }

    /** Active and scheduled ones, and finished ones if they are asked for, oldest first. */
    public Result<List<LeaderboardBody>> all(TenantId tenant, boolean includeFinished) {
        CompiledRuleset rules = rulesets.newest(tenant);
        Instant now = clock.instant();
        return Result.found(rules.boards().stream().map(BoardRules::board)
                .filter(board -> switch (board.statusAt(now)) {
                    case INACTIVE -> false;
                    case SCHEDULED, ACTIVE -> true;
                    case FINISHED -> includeFinished;
                })
                .sorted(Comparator.comparing(Leaderboard::created))
                .map(board -> LeaderboardBodies.listItem(board, rules, now)).toList());
    }

    /** @throws NotReadyException while the leaderboard cannot be read here */
    public Result<LeaderboardBody> rankings(TenantId tenant, String key, Page page) {
        return read(tenant, key, present -> {
            Refusal refusal = refusalOf(present.leaderboard(), page.attributes());
            if (refusal != null) {
                return Result.missing(refusal);
            }
            int run = runOf(present, page.run(), LocalDays.dayOf(present.now().toEpochMilli(), ZoneOffset.UTC));
            if (run == Runs.NONE) {
                return Result.missing(Refusal.unknownRun(key, page.run()));
            }
            if (present.leaderboard().statusAt(present.now()) == LeaderboardStatus.SCHEDULED) {
                return Result.found(present.listItem().ranked(List.of()));
            }
            return partitions.readOwner(tenant, present.board().number(),
                    reads -> switch (rankingOf(reads, present, run, page.attributes())) {
                        case Result.Found<Ranking>(Ranking ranking) ->
                            Result.found(present.listItem().ranked(placesOf(ranking, present, page)));
                        case Result.Missing<Ranking>(Refusal tooMany) -> Result.missing(tooMany);
                    });
        });
    }

    /**
     * Of one user, in the user's own group.
     *
     * @param run a date in the wanted run, null: that of the user's local today
     * @param days how many entries of history, the newest ones
     * @throws NotReadyException while the user or the leaderboard cannot be read here
     */
    public Result<LeaderboardBody> ofUser(UserKey user, String key, LocalDate run, int days) {
        return switch (todayOf.apply(user)) {
            case Result.Missing<Integer>(Refusal unknown) -> Result.missing(unknown);
            case Result.Found<Integer>(Integer today) -> read(user.tenant(), key, present -> {
                int number = runOf(present, run, today);
                if (number == Runs.NONE) {
                    return Result.missing(Refusal.unknownRun(key, run));
                }
                if (present.leaderboard().statusAt(present.now()) == LeaderboardStatus.SCHEDULED) {
                    return Result.found(present.listItem().ofUser(null, null, List.of()));
                }
                return Result.found(placesOf(present, List.of(number), user.user(), days).stream().findFirst()
                        .map(place -> bodyOf(present, place, days))
                        .orElseGet(() -> present.listItem().ofUser(null, null, List.of())));
            });
        };
    }

    /** How a user stands, or has stood, in one run. @param end null if it has none */
    public record RunOfUser(LocalDate start, LocalDate end, LeaderboardBody leaderboard) {}

    /**
     * Every run of every leaderboard that the user is on, with all of its history; oldest first. It looks at each run there was.
     *
     * @throws NotReadyException while one of the leaderboards cannot be read here
     */
    public List<RunOfUser> runsOf(UserKey user) {
        CompiledRuleset rules = rulesets.newest(user.tenant());
        Instant now = clock.instant();
        var found = new ArrayList<RunOfUser>();
        for (BoardRules board : rules.boards()) {
            if (switch (board.board().statusAt(now)) {
                case INACTIVE, SCHEDULED -> true;
                case ACTIVE, FINISHED -> false;
            }) {
                continue;
            }
            var present = new VisibleBoard(user.tenant(), board, rules, now);
            Runs runs = board.runs();
            var started = new ArrayList<Integer>();
            int run = runs.runOf(dayOf(board.board().start()));
            while (run != Runs.NONE && runs.beginningMsOf(run) <= now.toEpochMilli()) {
                started.add(run);
                LocalDate last = runs.lastDateOf(run);
                run = last == null || run == Runs.PERPETUAL && board.board().runs() == null
                        ? Runs.NONE
                        : runs.runOf(dayOf(last) + 1);
            }
            for (Place place : placesOf(present, started, user.user(), MAX_DAYS_OF_RUN)) {
                found.add(new RunOfUser(runs.firstDateOf(place.run()), runs.lastDateOf(place.run()),
                        bodyOf(present, place, MAX_DAYS_OF_RUN)));
            }
        }
        return found;
    }

    private <T> Result<T> read(TenantId tenant, String key, Function<VisibleBoard, Result<T>> show) {
        return secondLook.read(tenant, () -> {
            CompiledRuleset rules = rulesets.newest(tenant);
            BoardRules board = rules.board(key);
            Instant now = clock.instant();
            return board == null || board.board().statusAt(now) == LeaderboardStatus.INACTIVE
                    ? Result.missing(Refusal.unknownLeaderboard(key))
                    : show.apply(new VisibleBoard(tenant, board, rules, now));
        });
    }

    /** Null if a ranking can be found by these attributes. */
    private static Refusal refusalOf(Leaderboard board, Map<String, String> attributes) {
        List<String> keys = board.breakdownAttributes();
        if (keys.isEmpty()) {
            return attributes.isEmpty()
                    ? null
                    : Refusal.invalid("userAttributes must not be given: the leaderboard '" + board.key()
                            + "' has no breakdown attributes.");
        }
        if (attributes.isEmpty()) {
            return Refusal.invalid("userAttributes is required, with values of one or more of: "
                    + String.join(", ", keys) + ".");
        }
        for (String key : attributes.keySet()) {
            if (!keys.contains(key)) {
                return Refusal.invalid("userAttributes has the key '" + key + "', must be one of: "
                        + String.join(", ", keys) + ".");
            }
        }
        return null;
    }

    /**
     * The run that is asked for, {@link Runs#NONE} if it does not exist: the first one does, others do from their beginning on.
     *
     * @param date in it; null: the run of {@code today}, or the first or last one if there is none then
     */
    private static int runOf(VisibleBoard present, LocalDate date, int today) {
        Runs runs = present.board().runs();
        Leaderboard board = present.leaderboard();
        // Finished by hand it took nothing any more, whatever runs were still to come.
        Instant last = board.finished() == null ? present.now() : board.finished();
        int first = runs.runOf(dayOf(board.start()));
        if (date != null) {
            int run = runs.runOf(dayOf(date));
            return run != Runs.NONE && (run == first || runs.beginningMsOf(run) <= last.toEpochMilli())
                    ? run
                    : Runs.NONE;
        }
        int day = today;
        if (board.finished() != null) {
            day = Math.min(day, LocalDays.dayOf(last.toEpochMilli(), ZoneOffset.UTC));
        }
        if (board.end() != null) {
            day = Math.min(day, dayOf(board.end()));
        }
        int run = runs.runOf(day);
        return run == Runs.NONE ? first : run;
    }

    private static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    private static Result<Ranking> rankingOf(BoardReads reads, VisibleBoard present, int run,
            Map<String, String> attributes) {
        List<String> keys = present.leaderboard().breakdownAttributes();
        if (attributes.size() == keys.size()) {
            return Result.found(reads.ranking(present.group(run, keys.stream().map(attributes::get).toList()),
                    present.size()));
        }
        List<List<String>> groups = reads.groups(present.tenant(), present.board().number(), run, MAX_GROUPS + 1);
        if (groups.size() > MAX_GROUPS) {
            return Result.missing(Refusal.invalid("userAttributes must have a value of each of: "
                    + String.join(", ", keys) + ". The leaderboard has more than " + MAX_GROUPS
                    + " groups, which is the most that are merged."));
        }
        // One after the other: all of them together may be ten million participants.
        return Result.found(groups.stream().filter(values -> matches(keys, values, attributes))
                .map(values -> reads.ranking(present.group(run, values), present.size()))
                .reduce(Ranking.EMPTY, (best, next) -> MergedGroups.best(best, next, present.size())));
    }

    private static boolean matches(List<String> keys, List<String> values, Map<String, String> attributes) {
        for (int i = 0; i < keys.size(); i++) {
            String asked = attributes.get(keys.get(i));
            if (asked != null && !asked.equals(values.get(i))) {
                return false;
            }
        }
        return true;
    }

    private static List<RankingBody> placesOf(Ranking ranking, VisibleBoard present, Page page) {
        int from = 1;
        if (page.user() != null) {
            from = UserId.problemWith(page.user()) == null ? ranking.rankOf(new UserId(page.user())) : 0;
            if (from == 0) {
                return List.of();
            }
        }
        long first = from + (long) page.offset();
        long last = Math.min(ranking.size(), first + page.limit() - 1);
        var places = new ArrayList<RankingBody>();
        for (long rank = first; rank <= last; rank++) {
            Standing standing = ranking.at((int) rank);
            places.add(new RankingBody(standing.user().value(), standing.name(), (int) rank,
                    present.shown(standing.value())));
        }
        return places;
    }

    private List<Place> placesOf(VisibleBoard present, List<Integer> runs, UserId user, int days) {
        return nodes.ask(new FindPlaces(present.tenant(), present.board().number(), present.board().isBrokenDown(),
                present.size(), user, runs, days)).places();
    }

    private static LeaderboardBody bodyOf(VisibleBoard present, Place place, int days) {
        return present.listItem().ofUser(place.rank(), present.shown(place.value()),
                present.history(place.ends(), days));
    }
}
