package dev.laurel.query.read;

import static dev.laurel.query.read.PublicLeaderboard.dayOf;
import static java.util.Objects.requireNonNull;

import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CalendarYear;
import dev.laurel.core.rules.CalendarYear.Span;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.statistics.YearPercentiles;
import dev.laurel.core.view.WrappedYear;
import dev.laurel.core.view.WrappedYear.Percentiles;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.AgedValues;
import dev.laurel.query.locate.AgedValues.Limits;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.LeaderboardQuery.FindStays;
import dev.laurel.query.partition.LeaderboardQuery.FindStays.Stay;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.partition.UserQuery.SampleUsers;
import dev.laurel.query.partition.UserQuery.SampleUsers.SampledUsers;
import dev.laurel.query.partition.UserQuery.SumYears;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.UserBody.WrappedBody;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What a year in review shows besides the user: the best places on leaderboards, and the comparison with other users. Thread-safe. */
record YearReviews(BestRanks bestRanks, YearSamples sampledYears) {

    YearReviews(Nodes nodes, RulesetVersions rulesets, InstantSource clock) {
        this(new BestRanks(nodes, rulesets, clock), new YearSamples(nodes, clock));
    }

    /** @throws NotReadyException while a leaderboard cannot be read now */
    WrappedBody of(UserKey user, WrappedYear review) {
        return review.toBody(
                bestRanks.of(user, review.today(), review.spans()), sampledYears.percentiles(user, review.year()));
    }

    /**
     * Finds the best places of one user within periods (docs/application-api.md §4 "wrapped"), on each active or finished leaderboard
     * with a run in the period. Places at the end of a UTC day count, and the present place. The days are those of the period, and all
     * days of a run that lies within it. Of equal places it shows the earliest, with its value and the newest entries of the history
     * of its run in the period. Thread-safe.
     */
    record BestRanks(Nodes nodes, RulesetVersions rulesets, InstantSource clock) {

        /** The default number of entries of history, as in other reads. */
        private static final int SHOWN_DAYS = 10;

        /** A place within a period. @param ends the entries of history within it, and the one before them */
        private record BestPlace(int rank, BigDecimal value, List<DayEnd> ends, int days) {}

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
            for (PublicLeaderboard board : PublicLeaderboard.started(user.tenant(), rules, now)) {
                List<Stay> stays = staysOf(board, user, today, spans.getFirst());
                for (int i = 0; i < spans.size(); i++) {
                    BestPlace place = bestOf(board, stays, spans.get(i), today);
                    if (place != null) {
                        best.get(i)
                                .put(
                                        board.leaderboard().key(),
                                        board.listItem()
                                                .ofUser(
                                                        place.rank(),
                                                        board.shown(place.value()),
                                                        board.history(place.ends(), place.days())));
                    }
                }
            }
            return best;
        }

        private List<Stay> staysOf(PublicLeaderboard board, UserKey user, int today, Span span) {
            Leaderboard leaderboard = board.leaderboard();
            int first = Math.max(span.first(), dayOf(leaderboard.start()));
            int last = leaderboard.end() == null ? span.last() : Math.min(span.last(), dayOf(leaderboard.end()));
            if (first > last) {
                return List.of();
            }
            Runs runs = board.board().runs();
            // The first and last UTC days of a run may be one day outside the period.
            return nodes.ask(new FindStays(
                            board.tenant(),
                            board.board().number(),
                            board.size(),
                            user.user(),
                            runs.runOf(first),
                            runs.runOf(last),
                            span.first() - 1,
                            span.last() + 1,
                            runs.runOf(today),
                            today))
                    .values();
        }

        /** The earliest of the best places; null if the user had none. */
        private static @Nullable BestPlace bestOf(PublicLeaderboard board, List<Stay> stays, Span span, int today) {
            return stays.stream()
                    .map(stay -> bestOf(board, stay, span, today))
                    .filter(Objects::nonNull)
                    .min(Comparator.comparingInt(BestPlace::rank))
                    .orElse(null);
        }

        private static @Nullable BestPlace bestOf(PublicLeaderboard board, Stay stay, Span span, int today) {
            Runs runs = board.board().runs();
            int runFirst = dayOf(runs.firstDateOf(stay.run()));
            LocalDate end = runs.lastDateOf(stay.run());
            int runLast = end == null ? Integer.MAX_VALUE : dayOf(end);
            if (runFirst > span.last() || runLast < span.first()) {
                return null;
            }
            int from = runFirst >= span.first() ? Integer.MIN_VALUE : span.first();
            int to = runLast <= span.last() ? Integer.MAX_VALUE : span.last();
            DayEnd best = null;
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
            return best == null
                    ? null
                    : new BestPlace(rankOf(best), requireNonNull(best.value()), ends, Math.min(SHOWN_DAYS, within));
        }

        private static @Nullable DayEnd better(@Nullable DayEnd best, @Nullable DayEnd next) {
            return rankOf(next) < rankOf(best) ? next : best;
        }

        /** @param end null, or without a rank, if the user did not take part */
        private static int rankOf(@Nullable DayEnd end) {
            return end == null || end.rank() == null ? Integer.MAX_VALUE : end.rank();
        }
    }

    /**
     * Keeps the years of samples of users, for percentiles. Reading the days of a whole sample takes up to seconds, so it happens in
     * the background, once for all requests of the next minutes. Only the years of the sample may be that old; the year of the user
     * of a request is always current. Thread-safe.
     */
    static final class YearSamples {

        private static final Duration REFRESHED_AFTER = Duration.ofMinutes(5);
        private static final Duration EXPIRED_AFTER = Duration.ofHours(1);

        /** The wait of the first request. A sample of users who were active every day takes longer. */
        private static final Duration MAX_WAIT = Duration.ofMillis(500);

        /** The number of users per query, so that no query takes long. */
        private static final int CHUNK = 64;

        /** The maximum of kept numbers, of eight bytes each. */
        private static final long MAX_NUMBERS = 8_000_000;

        private final Nodes nodes;
        private final AgedValues<Key, YearPercentiles> years;

        private record Key(TenantId tenant, int year, DayOfWeek weekStart) {}

        YearSamples(Nodes nodes, InstantSource clock) {
            this.nodes = nodes;
            this.years = new AgedValues<>(
                    new Limits<>(_ -> EXPIRED_AFTER, REFRESHED_AFTER, YearPercentiles::weight, MAX_NUMBERS),
                    this::read,
                    AgedValues.THREADS,
                    () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));
        }

        /** Compares a user with others of the tenant. Empty while the sample is not known. */
        Percentiles percentiles(UserKey user, CalendarYear year) {
            return new Comparison(user, new Key(user.tenant(), year.year(), year.weekStart()));
        }

        /** Loads the sample at the first call: most years have nothing to compare. */
        private final class Comparison implements Percentiles {
            private final UserKey user;
            private final Key key;
            private boolean isKnown;
            private @Nullable YearPercentiles sampled;

            Comparison(UserKey user, Key key) {
                this.user = user;
                this.key = key;
            }

            @Override
            public Optional<Integer> of(int number, Span span, BigDecimal change) {
                if (!isKnown) {
                    sampled = sampleOf(key);
                    isKnown = true;
                }
                return sampled == null
                        ? Optional.empty()
                        : Optional.of(sampled.percentile(user.user(), number, span, change));
            }

            @Override
            public Optional<Integer> sample() {
                return sampled == null ? Optional.empty() : sampled.size();
            }
        }

        /** Null if it cannot be read in time; a later request may find it. */
        private @Nullable YearPercentiles sampleOf(Key key) {
            try {
                return years.get(key, MAX_WAIT);
            } catch (NotReadyException _) {
                return null;
            }
        }

        private YearPercentiles read(Key key) {
            SampledUsers sample = nodes.ask(new SampleUsers(key.tenant()));
            List<UserId> users = sample.users();
            var year =
                    new YearPercentiles(new CalendarYear(key.year(), key.weekStart()), users.size(), sample.hasAll());
            for (int from = 0; from < users.size(); from += CHUNK) {
                List<UserId> some = users.subList(from, Math.min(users.size(), from + CHUNK));
                nodes.ask(new SumYears(key.tenant(), key.year(), key.weekStart(), some))
                        .values()
                        .forEach(year::add);
            }
            return year;
        }
    }
}
