package dev.laurel.query.read;

import dev.laurel.core.leaderboard.LeaderboardGroup;
import dev.laurel.core.leaderboard.LeaderboardRules;
import dev.laurel.core.leaderboard.PartitionLeaderboards.DayEnd;
import dev.laurel.core.leaderboard.Runs;
import dev.laurel.core.rules.CompiledRuleset;
import dev.laurel.core.user.LocalDays;
import dev.laurel.core.view.LeaderboardBodies;
import dev.laurel.query.locate.Refused;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.wire.LeaderboardBody;
import dev.laurel.schemas.wire.LeaderboardBody.HistoryBody;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leaderboard that is shown to users, under the newest rules. */
record PublicLeaderboard(TenantId tenant, LeaderboardRules board, CompiledRuleset rules, Instant now) {

    /** The leaderboards of a tenant that have started: those that are active or finished. */
    static List<PublicLeaderboard> started(TenantId tenant, CompiledRuleset rules, Instant now) {
        return rules.boards().stream()
                .map(board -> new PublicLeaderboard(tenant, board, rules, now))
                .filter(board -> switch (board.status()) {
                    case INACTIVE, SCHEDULED -> false;
                    case ACTIVE, FINISHED -> true;
                })
                .toList();
    }

    LeaderboardStatus status() {
        return leaderboard().statusAt(now);
    }

    /** A date in days since 1970. */
    static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    Leaderboard leaderboard() {
        return board.board();
    }

    LeaderboardBody listItem() {
        return LeaderboardBodies.listItem(leaderboard(), rules, now);
    }

    @Nullable
    BigDecimal shown(@Nullable BigDecimal value) {
        return value == null ? null : LeaderboardBodies.shown(value, rules);
    }

    LeaderboardGroup group(int run, List<String> values) {
        return new LeaderboardGroup(tenant, board.number(), run, values);
    }

    /** The maximum number of participants of a group. */
    int size() {
        return leaderboard().maxParticipants();
    }

    /**
     * The requested run. Without a date there is always one. The first run always exists, later ones from their beginning on.
     *
     * @param date in the run; null for the run of {@code today}, or the first or last run if there is none
     * @throws Refused if it does not exist
     */
    int runOf(@Nullable LocalDate date, int today) {
        Runs runs = board.runs();
        Leaderboard leaderboard = leaderboard();
        // A leaderboard that an operator has finished has no later runs.
        Instant last = leaderboard.finished() == null ? now : leaderboard.finished();
        int first = runs.runOf(dayOf(leaderboard.start()));
        if (date != null) {
            int run = runs.runOf(dayOf(date));
            if (run == Runs.NONE || run != first && runs.beginningMsOf(run) > last.toEpochMilli()) {
                throw new Refused(Refusal.unknownRun(leaderboard.key(), date));
            }
            return run;
        }
        int day = today;
        if (leaderboard.finished() != null) {
            day = Math.min(day, LocalDays.dayOf(last.toEpochMilli(), ZoneOffset.UTC));
        }
        if (leaderboard.end() != null) {
            day = Math.min(day, dayOf(leaderboard.end()));
        }
        int run = runs.runOf(day);
        return run == Runs.NONE ? first : run;
    }

    /** @param ends oldest first; @param days the number of newest ones that are shown */
    List<HistoryBody> history(List<DayEnd> ends, int days) {
        var history = new ArrayList<HistoryBody>(Math.min(days, ends.size()));
        for (int i = Math.max(0, ends.size() - days); i < ends.size(); i++) {
            DayEnd end = ends.get(i);
            DayEnd before = i == 0 ? new DayEnd(0, null, null) : ends.get(i - 1);
            LocalDate date = LocalDate.ofEpochDay(end.day());
            history.add(new HistoryBody(
                    date,
                    date.atStartOfDay(ZoneOffset.UTC).toInstant(),
                    before.rank(),
                    end.rank(),
                    shown(before.value()),
                    shown(end.value())));
        }
        return history;
    }
}
