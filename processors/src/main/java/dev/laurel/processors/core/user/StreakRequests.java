package dev.laurel.processors.core.user;

import dev.laurel.processors.core.rules.Periods;
import dev.laurel.schemas.command.DeletePause;
import dev.laurel.schemas.command.PlanPause;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.effect.Effect;
import dev.laurel.schemas.ruleset.StreakFrequency;
import dev.laurel.schemas.ruleset.StreakSettings.Freezes;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What operators do about a user's streak (admin-api.md A6). Each method returns why it is refused, null if it is done;
 * after a refusal nothing of the turn may be kept.
 */
final class StreakRequests {

    /** Pauses per user; beyond that, those that are over make room. */
    static final int MAX_PAUSES = 100;

    /** How far back a daily streak can be restored. */
    private static final int RESTORE_DAYS = 90;

    private final UserTurn turn;
    private final StreakBook book;
    private final long atMs;

    StreakRequests(UserTurn turn, long atMs) {
        this.turn = turn;
        this.book = new StreakBook(turn);
        this.atMs = atMs;
    }

    Refusal grantFreeze() {
        Freezes freezes = turn.rules.streak().freezes();
        if (freezes == null || !turn.rules.streak().isEnabled()) {
            return Refusal.freezesOff();
        }
        int now = turn.streak.freezes() + 1;
        if (now > freezes.max()) {
            return Refusal.freezeLimit();
        }
        turn.streak = turn.streak.withFreezes(now);
        if (book.isOn()) {
            turn.emit(new Effect.FreezeEarned(turn.key.user(), Instant.ofEpochMilli(atMs), 1, now));
            turn.hooks.freezeEarned(1, now, atMs);
        }
        return null;
    }

    Refusal plan(PlanPause plan) {
        Pause pause = Pause.of(plan);
        int today = turn.dayOf(turn.newestMs);
        if (pause.start() < today) {
            return Refusal.pauseInThePast(plan.start(), LocalDate.ofEpochDay(today));
        }
        List<Pause> pauses = turn.streak.pauses();
        for (Pause other : pauses) {
            if (other.id().equals(pause.id())) {
                return Refusal.pauseExists(pause.id());
            }
            if (!other.isDeleted() && other.start() <= pause.end() && other.end() >= pause.start()) {
                return Refusal.pauseOverlaps(LocalDate.ofEpochDay(other.start()), LocalDate.ofEpochDay(other.end()));
            }
        }
        var planned = new ArrayList<>(pauses);
        if (planned.size() >= MAX_PAUSES && !makeRoom(planned)) {
            return Refusal.tooManyPauses(MAX_PAUSES);
        }
        planned.add(pause);
        planned.sort(Comparator.comparingInt(Pause::start).thenComparing(Pause::id));
        take(planned, pause.start());
        return null;
    }

    Refusal delete(DeletePause delete) {
        List<Pause> pauses = turn.streak.pauses();
        for (int i = 0; i < pauses.size(); i++) {
            Pause pause = pauses.get(i);
            if (pause.id().equals(delete.pauseId()) && !pause.isDeleted()) {
                int lastDayOver = turn.streak.periods().firstDay(openPeriod()) - 1;
                var fewer = new ArrayList<>(pauses);
                fewer.set(i, pause.deletedAfter(lastDayOver));
                take(fewer, Math.max(pause.start(), lastDayOver + 1));
                return null;
            }
        }
        return Refusal.unknownPause();
    }

    /** The first period that can still be met or missed. */
    private int openPeriod() {
        return Math.max(book.currentPeriod(), turn.streak.judgedTo() + 1);
    }

    /** @param firstDay from which on there are other pauses than before */
    private void take(List<Pause> pauses, int firstDay) {
        turn.streak = turn.streak.withPauses(pauses);
        StreakChain chain = book.chain();
        chain.recount(chain.periods().of(firstDay));
        book.keep(chain);
    }

    /** Forgets one pause: one that protects nothing, else the oldest that is over, whose periods keep its protection. */
    private boolean makeRoom(List<Pause> pauses) {
        for (int i = 0; i < pauses.size(); i++) {
            if (pauses.get(i).coversTo() < pauses.get(i).start()) {
                pauses.remove(i);
                return true;
            }
        }
        Pause oldest = pauses.getFirst();
        Periods periods = turn.streak.periods();
        if (periods.of(oldest.coversTo()) >= openPeriod()) {
            return false;
        }
        StreakChain chain = book.chain();
        for (int period = periods.of(oldest.start()); period <= periods.of(oldest.coversTo()); period++) {
            if (chain.written(period) == StreakVerdict.NONE) {
                chain.mark(period, StreakVerdict.PAUSED, 0);
            }
        }
        book.keep(chain);
        pauses.removeFirst();
        return true;
    }

    /**
     * Gives back the longest streak of the window, alive through the current period, which so needs no event; nothing fires
     * (semantics.md §5 "Restore").
     */
    Refusal restore() {
        StreakChain chain = book.chain();
        int open = openPeriod();
        if (!book.isOn() || chain.isEmpty()) {
            return Refusal.nothingToRestore();
        }
        chain.judgeTo(open - 1);
        int first = firstOfWindow(open);
        int[] lengths = chain.lengths(first, open);
        int best = lengths.length - 1;
        for (int i = best; i >= 0; i--) {
            if (lengths[i] > lengths[best]) {
                best = i;
            }
        }
        if (lengths[best] <= turn.streak.length()) {
            return Refusal.nothingToRestore();
        }
        for (int period = first + best + 1; period <= open; period++) {
            if (chain.verdict(period) == StreakVerdict.NONE) {
                chain.mark(period, StreakVerdict.RESTORED, 0);
            }
        }
        chain.unpin(open);
        chain.recount(first + best);
        chain.pin(open, lengths[best] - chain.present().kept);
        chain.recount(open);
        book.keep(chain);
        return null;
    }

    private int firstOfWindow(int open) {
        Periods periods = turn.streak.periods();
        if (periods.frequency() == StreakFrequency.DAILY) {
            return open - RESTORE_DAYS;
        }
        LocalDate today = LocalDate.ofEpochDay(turn.dayOf(turn.newestMs));
        return Math.min(open, periods.of(Math.toIntExact(today.withDayOfYear(1).toEpochDay())));
    }
}
