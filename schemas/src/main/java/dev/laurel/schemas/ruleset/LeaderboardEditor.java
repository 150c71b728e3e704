package dev.laurel.schemas.ruleset;

import dev.laurel.schemas.ruleset.RulesetSource.LeaderboardSource;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import static dev.laurel.schemas.ruleset.FromSource.constant;
import static dev.laurel.schemas.ruleset.FromSource.or;
import static dev.laurel.schemas.ruleset.IssueList.word;

/**
 * What an edit makes of leaderboards, and what it cannot make of them (admin-api.md A5). "Today" and "the future" are
 * judged in UTC at the time of the edit. Belongs to one edit.
 *
 * <p>A leaderboard starts and finishes by itself, which is not written down. A file that still says what it was before asks
 * for nothing.
 */
final class LeaderboardEditor {

    /** Of those that are not finished: each is looked at per event. */
    static final int MAX_UNFINISHED = 100;

    private final Instant now;
    private final LocalDate today;
    private final Identities identities;
    private final IssueList issues;
    private final Before before;

    LeaderboardEditor(Before before, Instant now, Identities identities, IssueList issues) {
        this.now = now;
        this.today = dayOf(now);
        this.identities = identities;
        this.issues = issues;
        this.before = before;
    }

    static LocalDate dayOf(Instant time) {
        return time.atZone(ZoneOffset.UTC).toLocalDate();
    }

    /** The last day that counts, as far as is known: one that was finished by hand has one even without an end. */
    static LocalDate lastDateOf(Leaderboard board) {
        if (board.finished() == null) {
            return board.end();
        }
        LocalDate finished = dayOf(board.finished());
        LocalDate last = finished.isBefore(board.start()) ? board.start() : finished;
        return board.end() == null || last.isBefore(board.end()) ? last : board.end();
    }

    void checkCount(Collection<Leaderboard> boards) {
        long open = boards.stream().filter(board -> board.statusAt(now) != LeaderboardStatus.FINISHED).count();
        issues.expect(open <= MAX_UNFINISHED, "/leaderboards",
                "must have at most " + MAX_UNFINISHED + " entries that are not finished; has " + open);
    }

    Leaderboard leaderboard(String key, LeaderboardSource source) {
        Retired object = identities.identify("leaderboard", key, source.id());
        Leaderboard before = this.before.leaderboard(key);
        Leaderboard asked = asked(object, source, before);
        String path = "/leaderboards/" + key;
        if (source.start() == null) { // with its start beside it, the validator has judged the end
            issues.expect(asked.end() == null || !asked.end().isBefore(asked.start()), path + "/end",
                    "must not be before start, " + asked.start());
        }
        if (before == null) {
            checkCreation(path, asked);
        } else {
            checkTransition(path, before, asked);
            checkFields(path, before, asked);
        }
        return before == null ? first(asked, object) : next(before, asked);
    }

    /** What the source says, with what it leaves out. */
    private Leaderboard asked(Retired object, LeaderboardSource source, Leaderboard before) {
        LocalDate start = FromSource.date(source.start());
        LocalDate end = FromSource.date(source.end());
        if (before != null && before.finished() != null && lastDateOf(before).equals(end)) {
            end = before.end(); // an export says when it was finished
        }
        return new Leaderboard(object.number(), object.id(), object.key(), or(source.name(), object.key()),
                source.description(), constant(LeaderboardStatus.class, or(source.status(), "inactive")),
                FromSource.rankBy(source), start != null ? start : before != null ? before.start() : today, end,
                FromSource.time(source.startTime()), FromSource.time(source.endTime()),
                or(source.maxParticipants(), Leaderboard.MAX_PARTICIPANTS),
                or(source.breakdownAttributes(), List.of()), FromSource.runs(source), object.created(), null, null);
    }

    private Leaderboard first(Leaderboard asked, Retired object) {
        // One that was taken out and comes back: nobody knows what its scores were scores of.
        int number = identities.isNew(object) ? object.number() : identities.freshNumber();
        return with(asked, number, asked.status(), isOpen(asked.status()) ? now : null, null);
    }

    private Leaderboard next(Leaderboard before, Leaderboard asked) {
        int number = comparesTheSame(before, asked) ? before.number() : identities.freshNumber();
        LeaderboardStatus status = asksForNothing(before, asked.status()) ? before.status() : asked.status();
        boolean isFinishedNow = status == LeaderboardStatus.FINISHED && before.status() != status;
        Instant activated = switch (status) {
            case INACTIVE -> null;
            case SCHEDULED, ACTIVE -> isOpen(before.status()) ? before.activated() : now;
            case FINISHED -> before.activated();
        };
        return with(asked, number, status, activated, isFinishedNow ? now : before.finished());
    }

    private static Leaderboard with(Leaderboard l, int number, LeaderboardStatus status, Instant activated,
            Instant finished) {
        return new Leaderboard(number, l.id(), l.key(), l.name(), l.description(), status, l.rankBy(), l.start(),
                l.end(), l.startTime(), l.endTime(), l.maxParticipants(), l.breakdownAttributes(), l.runs(),
                l.created(), activated, finished);
    }

    private static boolean isOpen(LeaderboardStatus status) {
        return status == LeaderboardStatus.ACTIVE || status == LeaderboardStatus.SCHEDULED;
    }

    /** Whether scores of before still mean the same, in the same groups and runs. */
    private static boolean comparesTheSame(Leaderboard before, Leaderboard now) {
        boolean isSum = now.runs() != null || now.startTime() != null || now.endTime() != null;
        return before.rankBy().equals(now.rankBy()) && before.breakdownAttributes().equals(now.breakdownAttributes())
                && Objects.equals(before.runs(), now.runs()) && Objects.equals(before.startTime(), now.startTime())
                && Objects.equals(before.endTime(), now.endTime())
                && (before.start().equals(now.start()) || !isSum);
    }

    // What is allowed.

    /**
     * One that is finished from the beginning was so elsewhere, since today perhaps: what one instance exports another can
     * apply.
     */
    private void checkCreation(String path, Leaderboard asked) {
        checkOpening(path, asked);
        boolean isOver = asked.end() != null && !asked.end().isAfter(today);
        issues.expect(asked.status() != LeaderboardStatus.FINISHED || isOver, path + "/status",
                "can be finished from the beginning only with an end not after today, " + today);
    }

    private void checkOpening(String path, Leaderboard asked) {
        boolean isAhead = asked.start().isAfter(today);
        issues.expect(asked.status() != LeaderboardStatus.SCHEDULED || isAhead, path + "/status",
                "can be scheduled only with a start after today, " + today + "; start is " + asked.start());
        issues.expect(asked.status() != LeaderboardStatus.ACTIVE || !isAhead, path + "/status",
                "can be active only with a start not after today, " + today + ", otherwise scheduled; start is "
                        + asked.start());
    }

    private void checkTransition(String path, Leaderboard before, Leaderboard asked) {
        LeaderboardStatus is = before.statusAt(now);
        LeaderboardStatus wanted = asked.status();
        boolean isKept = asksForNothing(before, wanted);
        String problem = isKept ? null : is.problemWith(wanted);
        if (problem != null) {
            issues.add(path + "/status", problem);
        } else if (!isKept || is == LeaderboardStatus.SCHEDULED) {
            checkOpening(path, asked);
        }
    }

    /** Whether this is what it is, what it was when that was written down, or what became of that by itself. */
    private boolean asksForNothing(Leaderboard before, LeaderboardStatus wanted) {
        LeaderboardStatus is = before.statusAt(now);
        boolean hasStarted = is != before.status() && wanted == LeaderboardStatus.ACTIVE;
        return wanted == is || wanted == before.status() || hasStarted;
    }

    private void checkFields(String path, Leaderboard before, Leaderboard asked) {
        LeaderboardStatus is = before.statusAt(now);
        if (is != LeaderboardStatus.INACTIVE) {
            stays(path + "/key", before.key(), asked.key(), is);
            checkRules(path, is, RulesetExport.leaderboard(before, now), RulesetExport.leaderboard(asked, now));
        }
        if (is == LeaderboardStatus.ACTIVE || is == LeaderboardStatus.FINISHED) {
            stays(path + "/start", before.start(), asked.start(), is);
        }
        if (is == LeaderboardStatus.FINISHED) {
            stays(path + "/end", before.end(), asked.end(), is);
        } else if (asked.end() != null && !asked.end().equals(before.end())) {
            issues.expect(!asked.end().isBefore(today), path + "/end",
                    "must not be changed to a day before today, " + today + "; is " + asked.end());
        }
    }

    private void checkRules(String path, LeaderboardStatus is, LeaderboardSource before, LeaderboardSource asked) {
        stays(path + "/rankBy", before.rankBy(), asked.rankBy(), is);
        if (asked.rankBy().equals(before.rankBy())) {
            stays(path + "/metric", before.metric(), asked.metric(), is);
            stays(path + "/pointsSystem", before.pointsSystem(), asked.pointsSystem(), is);
        }
        stays(path + "/startTime", before.startTime(), asked.startTime(), is);
        stays(path + "/endTime", before.endTime(), asked.endTime(), is);
        stays(path + "/breakdownAttributes", before.breakdownAttributes(), asked.breakdownAttributes(), is);
        stays(path + "/runUnit", before.runUnit(), asked.runUnit(), is);
        stays(path + "/runInterval", before.runInterval(), asked.runInterval(), is);
    }

    /** @param before null if it is left out, as is {@code asked} */
    private void stays(String path, Object before, Object asked, LeaderboardStatus is) {
        issues.expect(Objects.equals(before, asked), path,
                "must stay " + (before == null ? "left out" : before) + " for one that is " + word(is));
    }
}
