package dev.laurel.schemas.ruleset.edit;

import static dev.laurel.schemas.kind.IssueList.word;

import dev.laurel.schemas.kind.FieldMap;
import dev.laurel.schemas.kind.IssueList;
import dev.laurel.schemas.kind.Records;
import dev.laurel.schemas.ruleset.Leaderboard;
import dev.laurel.schemas.ruleset.Leaderboard.LeaderboardStatus;
import dev.laurel.schemas.ruleset.Ruleset.ObjectIdentity;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Applies an edit to leaderboards and checks which changes are allowed (docs/admin-api.md A5). "Today" and "the future" are
 * dates in UTC at the time of the edit. Belongs to one edit.
 *
 * <p>A leaderboard starts and finishes automatically, and no document records that. A file with the former status therefore
 * asks for no change.
 */
final class LeaderboardEditor {

    /** Limits unfinished leaderboards, because all are evaluated per event. */
    static final int MAX_UNFINISHED = 100;

    /** The fields that can change only while a leaderboard is inactive. */
    private static final List<String> RULES = List.of(
            "rankBy",
            "metric",
            "pointsSystem",
            "startTime",
            "endTime",
            "breakdownAttributes",
            "teams",
            "runUnit",
            "runInterval",
            "spreadGroups");

    private final Instant now;
    private final LocalDate today;
    private final ObjectIdResolver resolver;
    private final IssueList issues;

    LeaderboardEditor(Instant now, ObjectIdResolver resolver, IssueList issues) {
        this.now = now;
        this.today = dayOf(now);
        this.resolver = resolver;
        this.issues = issues;
    }

    static LocalDate dayOf(Instant time) {
        return time.atZone(ZoneOffset.UTC).toLocalDate();
    }

    /** The last day that counts. A leaderboard that an operator has finished has one even without an end. */
    static @Nullable LocalDate lastDateOf(Leaderboard board) {
        if (board.finished() == null) {
            return board.end();
        }
        LocalDate finished = dayOf(board.finished());
        LocalDate last = finished.isBefore(board.start()) ? board.start() : finished;
        return board.end() == null || last.isBefore(board.end()) ? last : board.end();
    }

    void checkCount(Collection<Leaderboard> boards) {
        long open = boards.stream()
                .filter(board -> board.statusAt(now) != LeaderboardStatus.FINISHED)
                .count();
        issues.expect(
                open <= MAX_UNFINISHED,
                "/leaderboards",
                "must have at most " + MAX_UNFINISHED + " entries that are not finished; has " + open
                        + ": finish or remove leaderboards that are not needed");
    }

    Leaderboard leaderboard(String key, FieldMap source) {
        ObjectIdentity object = resolver.identify("leaderboard", key, source);
        Leaderboard before = resolver.former(object, Leaderboard.KIND);
        Leaderboard asked = asked(object, source, before);
        String path = "/leaderboards/" + key;
        if (!source.has("start")) { // otherwise the check of the source has compared the two
            issues.expect(
                    asked.end() == null || !asked.end().isBefore(asked.start()),
                    path + "/end",
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

    /** The leaderboard of the source, with the default of its start. */
    private Leaderboard asked(ObjectIdentity object, FieldMap source, @Nullable Leaderboard before) {
        LocalDate start = before == null ? today : before.start();
        Leaderboard given = Leaderboard.KIND.make(
                source.has("start") ? source : source.with("start", start.toString()), object.components());
        // The export of a finished leaderboard has its last date as its end.
        return before != null && before.finished() != null && Objects.equals(given.end(), lastDateOf(before))
                ? Records.with(given, "end", before.end())
                : given;
    }

    /** The leaderboard of an export. After its start, it is active: a file cannot schedule it again. */
    static Leaderboard exported(Leaderboard board, Instant now) {
        boolean hasStarted =
                board.status() == LeaderboardStatus.SCHEDULED && !board.start().isAfter(dayOf(now));
        return Records.with(
                board, "status", hasStarted ? LeaderboardStatus.ACTIVE : board.status(), "end", lastDateOf(board));
    }

    private Leaderboard first(Leaderboard asked, ObjectIdentity object) {
        // If the leaderboard was removed before, the meaning of its former scores is unknown.
        int number = resolver.isNew(object) ? object.number() : resolver.freshNumber();
        return Records.with(asked, "number", number, "activated", isOpen(asked.status()) ? now : null);
    }

    private Leaderboard next(Leaderboard before, Leaderboard asked) {
        int number = comparesTheSame(before, asked) ? before.number() : resolver.freshNumber();
        LeaderboardStatus status = asksForNothing(before, asked.status()) ? before.status() : asked.status();
        boolean isFinishedNow = status == LeaderboardStatus.FINISHED && before.status() != status;
        Instant activated = switch (status) {
            case INACTIVE -> null;
            case SCHEDULED, ACTIVE -> isOpen(before.status()) ? before.activated() : now;
            case FINISHED -> before.activated();
        };
        return Records.with(
                asked,
                "number",
                number,
                "status",
                status,
                "activated",
                activated,
                "finished",
                isFinishedNow ? now : before.finished());
    }

    private static boolean isOpen(LeaderboardStatus status) {
        return status == LeaderboardStatus.ACTIVE || status == LeaderboardStatus.SCHEDULED;
    }

    /** Whether former scores keep their meaning, in the same groups and runs. */
    private static boolean comparesTheSame(Leaderboard before, Leaderboard now) {
        boolean isSum = now.runs() != null || now.startTime() != null || now.endTime() != null;
        return before.rankBy().equals(now.rankBy())
                && before.breakdownAttributes().equals(now.breakdownAttributes())
                && Objects.equals(before.teams(), now.teams())
                && before.hasSpreadGroups() == now.hasSpreadGroups()
                && Objects.equals(before.runs(), now.runs())
                && Objects.equals(before.startTime(), now.startTime())
                && Objects.equals(before.endTime(), now.endTime())
                && (before.start().equals(now.start()) || !isSum);
    }

    // Checks.

    /** Accepts a new leaderboard that is already finished, even since today: another instance may have exported it. */
    private void checkCreation(String path, Leaderboard asked) {
        checkOpening(path, asked);
        boolean isOver = asked.end() != null && !asked.end().isAfter(today);
        issues.expect(
                asked.status() != LeaderboardStatus.FINISHED || isOver,
                path + "/status",
                "can be finished from the beginning only with an end not after today, " + today);
    }

    private void checkOpening(String path, Leaderboard asked) {
        boolean isAhead = asked.start().isAfter(today);
        issues.expect(
                asked.status() != LeaderboardStatus.SCHEDULED || isAhead,
                path + "/status",
                "can be scheduled only with a start after today, " + today + "; start is " + asked.start());
        issues.expect(
                asked.status() != LeaderboardStatus.ACTIVE || !isAhead,
                path + "/status",
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

    /** Whether this is the present status, the recorded one, or one that followed from it automatically. */
    private boolean asksForNothing(Leaderboard before, LeaderboardStatus wanted) {
        LeaderboardStatus is = before.statusAt(now);
        boolean hasStarted = is != before.status() && wanted == LeaderboardStatus.ACTIVE;
        return wanted == is || wanted == before.status() || hasStarted;
    }

    private void checkFields(String path, Leaderboard before, Leaderboard asked) {
        LeaderboardStatus is = before.statusAt(now);
        if (is != LeaderboardStatus.INACTIVE) {
            stays(path + "/key", before.key(), asked.key(), is);
            checkRules(path, is, Leaderboard.KIND.export(before), Leaderboard.KIND.export(asked));
        }
        if (is == LeaderboardStatus.ACTIVE || is == LeaderboardStatus.FINISHED) {
            stays(path + "/start", before.start(), asked.start(), is);
        }
        if (is == LeaderboardStatus.FINISHED) {
            stays(path + "/end", before.end(), asked.end(), is);
        } else if (asked.end() != null && !asked.end().equals(before.end())) {
            issues.expect(
                    !asked.end().isBefore(today),
                    path + "/end",
                    "must not be changed to a day before today, " + today + "; is " + asked.end());
        }
    }

    private void checkRules(String path, LeaderboardStatus is, FieldMap before, FieldMap asked) {
        boolean ranksAlike = Objects.equals(before.get("rankBy"), asked.get("rankBy"));
        for (String field : RULES) {
            boolean isRanked = field.equals("metric") || field.equals("pointsSystem");
            if (ranksAlike || !isRanked) {
                stays(path + "/" + field, before.get(field), asked.get(field), is);
            }
        }
    }

    private void stays(String path, @Nullable Object before, @Nullable Object asked, LeaderboardStatus is) {
        issues.expect(
                Objects.equals(before, asked),
                path,
                "must stay " + (before == null ? "left out" : before) + " for one that is " + word(is));
    }
}
