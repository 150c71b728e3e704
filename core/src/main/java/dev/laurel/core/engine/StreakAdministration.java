package dev.laurel.core.engine;

import dev.laurel.core.rules.Periods;
import dev.laurel.core.user.StreakBlock;
import dev.laurel.core.user.StreakBlock.Verdict;
import dev.laurel.core.user.StreakChain;
import dev.laurel.core.user.StreakState.Pause;
import dev.laurel.core.user.StreakState.Reset;
import dev.laurel.schemas.command.Command.DeletePause;
import dev.laurel.schemas.command.Command.PlanPause;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import dev.laurel.schemas.ruleset.StreakSettings.StreakFrequency;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies operators' changes to a user's streak (docs/admin-api.md A6). Each method returns null or a refusal, after which the
 * transaction must be discarded.
 */
final class StreakAdministration {

    /** The maximum number of pauses per user. Then a new pause replaces one that is over. */
    static final int MAX_PAUSES = 100;

    /** The restore window of daily streaks. */
    private static final int RESTORE_DAYS = 90;

    private final UserTransaction user;
    private final StreakTracker tracker;
    private final long atMs;

    StreakAdministration(UserTransaction user, long atMs) {
        this.user = user;
        this.tracker = new StreakTracker(user);
        this.atMs = atMs;
    }

    @Nullable
    Refusal grantFreeze() {
        Freezes freezes = user.rules().streak().freezes();
        if (freezes == null || !user.rules().streak().isEnabled()) {
            return Refusal.freezesOff();
        }
        int now = user.streak().freezes() + 1;
        if (now > freezes.max()) {
            return Refusal.freezeLimit();
        }
        user.updateStreak(user.streak().withFreezes(now));
        if (tracker.isOn()) {
            Announcements.freezeEarned(user, 1, now, atMs);
        }
        return null;
    }

    @Nullable
    Refusal plan(PlanPause plan) {
        Pause pause = Pause.of(plan);
        int today = user.dayOf(user.newestMs());
        if (pause.start() < today) {
            return Refusal.invalid("start is " + plan.start() + ", must not be before the user's today, which is "
                    + LocalDate.ofEpochDay(today) + ".");
        }
        List<Pause> pauses = user.streak().pauses();
        for (Pause other : pauses) {
            if (other.id().equals(pause.id())) {
                return Refusal.invalid("pauseId " + pause.id() + " is in use by another pause of the user.");
            }
            if (!other.isDeleted() && other.start() <= pause.end() && other.end() >= pause.start()) {
                return Refusal.invalid("The pause overlaps with another pause of the user, from "
                        + LocalDate.ofEpochDay(other.start()) + " to " + LocalDate.ofEpochDay(other.end()) + ".");
            }
        }
        var planned = new ArrayList<>(pauses);
        if (planned.size() >= MAX_PAUSES && !makeRoom(planned)) {
            return Refusal.tooMany("pauses", MAX_PAUSES);
        }
        planned.add(pause);
        planned.sort(Comparator.comparingInt(Pause::start).thenComparing(Pause::id));
        applyPauses(planned, pause.start());
        return null;
    }

    @Nullable
    Refusal delete(DeletePause delete) {
        List<Pause> pauses = user.streak().pauses();
        for (int i = 0; i < pauses.size(); i++) {
            Pause pause = pauses.get(i);
            if (pause.id().equals(delete.pauseId()) && !pause.isDeleted()) {
                int lastDayOver = user.streak().periods().firstDay(openPeriod()) - 1;
                var fewer = new ArrayList<>(pauses);
                fewer.set(i, pause.deletedAfter(lastDayOver));
                applyPauses(fewer, Math.max(pause.start(), lastDayOver + 1));
                return null;
            }
        }
        return Refusal.unknownPause();
    }

    /** The first period that can still be met or missed. */
    private int openPeriod() {
        return Math.max(tracker.currentPeriod(), user.streak().judgedTo() + 1);
    }

    /** @param firstDay the first day on which the pauses differ from those before */
    private void applyPauses(List<Pause> pauses, int firstDay) {
        user.updateStreak(user.streak().withPauses(pauses));
        StreakChain chain = tracker.chain();
        chain.recount(chain.periods().of(firstDay));
        tracker.apply(chain);
    }

    /** Removes a pause that protects nothing, else the oldest one if it is over, whose periods stay protected. */
    private boolean makeRoom(List<Pause> pauses) {
        for (int i = 0; i < pauses.size(); i++) {
            if (pauses.get(i).coversTo() < pauses.get(i).start()) {
                pauses.remove(i);
                return true;
            }
        }
        Pause oldest = pauses.getFirst();
        Periods periods = user.streak().periods();
        if (periods.of(oldest.coversTo()) >= openPeriod()) {
            return false;
        }
        StreakChain chain = tracker.chain();
        for (int period = periods.of(oldest.start()); period <= periods.of(oldest.coversTo()); period++) {
            if (chain.written(period) == Verdict.NONE) {
                chain.mark(period, Verdict.PAUSED, 0);
            }
        }
        tracker.apply(chain);
        pauses.removeFirst();
        return true;
    }

    /**
     * Restores the longest streak of the window and extends it to the current period, which then needs no event. Completes no
     * achievement and fires no trigger (docs/semantics.md §5 "Restore").
     */
    @Nullable
    Refusal restore() {
        StreakChain chain = tracker.chain();
        int open = openPeriod();
        if (!tracker.isOn() || chain.isEmpty()) {
            return Refusal.nothingToRestore();
        }
        chain.judgeTo(open - 1);
        int first = firstOfWindow(open);
        int[] lengths = chain.lengths(first, open);
        int[] lost = chain.lostLengths(first, open);
        int best = lengths.length - 1;
        for (int i = best; i >= 0; i--) {
            if (Math.max(lengths[i], lost[i]) > Math.max(lengths[best], lost[best])) {
                best = i;
            }
        }
        int length = Math.max(lengths[best], lost[best]);
        if (length <= user.streak().length()) {
            return Refusal.nothingToRestore();
        }
        int from = lost[best] > lengths[best] ? first + best : first + best + 1;
        for (int period = from; period <= open; period++) {
            // Days off that are over keep the length that they showed.
            if (chain.verdict(period) == Verdict.NONE && (period == open || !chain.isDayOff(period))) {
                chain.mark(period, Verdict.RESTORED, 0);
            }
            if (period < open && chain.isCut(period)) {
                chain.pin(period, StreakBlock.Pin.HIDE);
            }
        }
        if (chain.written(open) == Verdict.RESET) {
            chain.markMetAs(open, Verdict.MET);
        }
        chain.unpin(open);
        chain.recount(from);
        chain.pin(open, length - chain.keptLength());
        chain.recount(open);
        tracker.apply(chain);
        undoResets(from, open);
        return null;
    }

    /** Notes that the resets in these periods are undone. */
    private void undoResets(int from, int to) {
        Periods periods = user.streak().periods();
        user.updateStreak(user.streak()
                .withResets(user.streak().resets().stream()
                        .map(reset -> {
                            int period = periods.of(reset.day());
                            return period >= from && period <= to ? new Reset(reset.day(), reset.atMs(), true) : reset;
                        })
                        .toList()));
    }

    /** Ends the streak at once (docs/semantics.md §5 "Reset"). */
    @Nullable
    Refusal reset() {
        int lost = tracker.length();
        if (lost == 0) {
            return Refusal.nothingToReset();
        }
        tracker.reset();
        var resets = new ArrayList<>(user.streak().resets());
        resets.add(new Reset(user.dayOf(user.newestMs()), user.newestMs(), false));
        user.updateStreak(user.streak().withResets(resets));
        Announcements.streakLost(user, lost, atMs);
        return null;
    }

    private int firstOfWindow(int open) {
        Periods periods = user.streak().periods();
        if (periods.frequency() == StreakFrequency.DAILY) {
            return open - RESTORE_DAYS;
        }
        LocalDate firstDay = LocalDate.ofEpochDay(user.dayOf(user.newestMs())).withDayOfYear(1);
        if (periods.frequency() == StreakFrequency.MONTHLY) {
            firstDay = firstDay.minusYears(1);
        }
        return Math.min(open, periods.of(Math.toIntExact(firstDay.toEpochDay())));
    }
}
