package dev.laurel.query.read;

import dev.laurel.processors.core.view.WrappedYear;
import dev.laurel.processors.stream.RulesetVersions;
import dev.laurel.query.locate.NotReadyException;
import dev.laurel.query.partition.Nodes;
import dev.laurel.query.read.UserReads.Result;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.UserKey;
import dev.laurel.schemas.wire.WrappedBody;
import java.time.InstantSource;
import java.time.LocalDate;

/** Reads a user's year in review, from the user, the leaderboards and a sample of other users. Thread-safe. */
public final class WrappedReads {

    private final UserReads users;
    private final BestRanks bestRanks;
    private final SampledYears years;

    /** @param clock gives the present time to all reads */
    public WrappedReads(UserReads users, Nodes nodes, RulesetVersions rulesets, InstantSource clock) {
        this.users = users;
        this.bestRanks = new BestRanks(nodes, rulesets, clock);
        this.years = new SampledYears(nodes, clock);
    }

    /** The year of the user's local date, the last one that can be reviewed. */
    public Result<Integer> currentYear(UserKey user) {
        return switch (users.today(user)) {
            case Result.Missing<Integer>(Refusal unknown) -> Result.missing(unknown);
            case Result.Found<Integer>(Integer today) -> Result.found(LocalDate.ofEpochDay(today).getYear());
        };
    }

    /**
     * @param year from 1 to the current one
     * @throws NotReadyException while the user or a leaderboard cannot be read now
     */
    public Result<WrappedBody> wrapped(UserKey user, int year) {
        return switch (users.year(user, year)) {
            case Result.Missing<WrappedYear>(Refusal unknown) -> Result.missing(unknown);
            case Result.Found<WrappedYear>(WrappedYear wrapped) -> Result.found(wrapped.toBody(
                    bestRanks.of(user, wrapped.today(), wrapped.spans()), years.percentiles(user, wrapped.year())));
        };
    }
}
