package dev.laurel.query.read;

import dev.laurel.core.leaderboard.BoardReads.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery.FindStays.Stay;
import dev.laurel.query.partition.LeaderboardQuery.FindStays;
import dev.laurel.query.partition.Nodes;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

import static dev.laurel.query.read.VisibleBoard.dayOf;

/**
 * Finds the best places of one user within periods (docs/application-api.md §4 "wrapped"), on each active or finished leaderboard
 * with a run in the period. Places at the end of a UTC day count, and the present place. The days are those of the period, and all
 * days of a run that lies within it. Of equal places it shows the earliest, with its value and the newest entries of the history
 * of its run in the period. Thread-safe.
 */
final class BestRanks {

    /** The default number of entries of history, as in other reads. */
    private static final int SHOWN_DAYS = 10;

    private final Nodes nodes;
    private final RulesetVersions rulesets;
    private final InstantSource clock;

    /** A place within a period. @param ends the entries of history within it, and the one before them */
    private record BestPlace(int rank, BigDecimal value, List<DayEnd> ends, int days) {}

    BestRanks(Nodes nodes, RulesetVersions rulesets, InstantSource clock) {
        this.nodes = nodes;
        this.rulesets = rulesets;
        this.clock = clock;
    }

    /**
     * @param today the user's local day
     * @param spans the first one contains the others
     * @return per span, by the key of the leaderboard; leaderboards without a place are left out
     * @throws NotReadyException while a leaderboard cannot be read now
     */
    List<Map<String, LeaderboardBody>> of(UserKey user, int today, List<Span> spans) {
        CompiledRuleset rules = rulesets.newest(user.tenant());
        Instant now = clock.instant();
        var best = new ArrayList<Map<String, LeaderboardBody>>();
        spans.forEach(_ -> best.add(new LinkedHashMap<>()));
        for (VisibleBoard board : VisibleBoard.started(user.tenant(), rules, now)) {
            List<Stay> stays = staysOf(board, user, today, spans.getFirst());
            for (int i = 0; i < spans.size(); i++) {
                BestPlace place = bestOf(board, stays, spans.get(i), today);
                if (place != null) {
                    best.get(i).put(board.leaderboard().key(), board.listItem().ofUser(place.rank(),
                            board.shown(place.value()), board.history(place.ends(), place.days())));
                }
            }
        }
        return best;
    }

    private List<Stay> staysOf(VisibleBoard board, UserKey user, int today, Span span) {
        Leaderboard leaderboard = board.leaderboard();
        int first = Math.max(span.first(), dayOf(leaderboard.start()));
        int last = leaderboard.end() == null ? span.last() : Math.min(span.last(), dayOf(leaderboard.end()));
        if (first > last) {
            return List.of();
        }
        Runs runs = board.board().runs();
        // The first and last UTC days of a run may be one day outside the period.
        return nodes.ask(new FindStays(board.tenant(), board.board().number(), board.size(), user.user(),
                runs.runOf(first), runs.runOf(last), span.first() - 1, span.last() + 1, runs.runOf(today), today))
                .values();
    }

    /** The earliest of the best places; null if the user had none. */
    private static @Nullable BestPlace bestOf(VisibleBoard board, List<Stay> stays, Span span, int today) {
        return stays.stream().map(stay -> bestOf(board, stay, span, today)).filter(Objects::nonNull)
                .min(Comparator.comparingInt(BestPlace::rank)).orElse(null);
    }

    private static @Nullable BestPlace bestOf(VisibleBoard board, Stay stay, Span span, int today) {
        Runs runs = board.board().runs();
        int runFirst = dayOf(runs.firstDateOf(stay.run()));
        LocalDate end = runs.lastDateOf(stay.run());
        int runLast = end == null ? Integer.MAX_VALUE : dayOf(end);
        if (runFirst > span.last() || runLast < span.first()) {
            return null;
        }
        int from = runFirst >= span.first() ? Integer.MIN_VALUE : span.first();
        int to = runLast <= span.last() ? Integer.MAX_VALUE : span.last();
        Best best = null;
        var ends = new ArrayList<DayEnd>();
        int within = 0;
        for (DayEnd dayEnd : stay.ends()) {
            if (dayEnd.day() > to) {
                break;
            }
            if (dayEnd.day() < from) {
                // The place when the period began, unless a later entry replaces it.
                ends.clear();
                best = null;
            } else {
                within++;
            }
            ends.add(dayEnd);
            best = better(best, dayEnd);
        }
        if (span.contains(today)) {
            best = better(best, stay.now());
        }
        return best == null ? null : new BestPlace(best.rank(), best.value(), ends, Math.min(SHOWN_DAYS, within));
    }

    private record Best(int rank, BigDecimal value) {}

    /** @param next null, or without a rank, if the user did not take part */
    private static @Nullable Best better(@Nullable Best best, @Nullable DayEnd next) {
        Integer rank = next == null ? null : next.rank();
        BigDecimal value = next == null ? null : next.value();
        return rank != null && value != null && (best == null || rank < best.rank()) ? new Best(rank, value) : best;
    }
}
