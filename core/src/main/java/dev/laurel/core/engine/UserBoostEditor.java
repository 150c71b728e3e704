package dev.laurel.core.engine;

import dev.laurel.core.user.UserBoost;
import dev.laurel.schemas.command.Command.BoostChange;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.command.UserChange.Change;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Grants, changes and revokes a user's own boosts for operators (docs/admin-api.md A4 "boosts"). Boosts are kept and applied in
 * the order of creation. Each change returns null or a refusal, after which the transaction must be discarded.
 */
final class UserBoostEditor {

    static final int MAX_BOOSTS = 100;

    private final UserTransaction user;
    private final UserBoostTimers timers;
    private final long atMs;

    UserBoostEditor(UserTransaction user, long atMs) {
        this.user = user;
        this.timers = new UserBoostTimers(user);
        this.atMs = atMs;
    }

    /** Adds a boost, or changes the one of that id. */
    @Nullable
    Refusal grant(GrantBoost grant) {
        PointsSystem system = user.rules().pointsSystem(grant.system());
        if (system == null) {
            return Refusal.unknown("points system", grant.system());
        }
        int index = indexOf(grant.boostId());
        if (index < 0) {
            return add(grant, system);
        }
        UserBoost before = user.boosts().get(index);
        return before.system() == system.number()
                ? replace(index, boost(grant, system, before.createdMs()))
                : Refusal.unknownBoost();
    }

    private @Nullable Refusal add(GrantBoost grant, PointsSystem system) {
        var boosts = new ArrayList<UserBoost>(user.boosts());
        if (boosts.size() >= MAX_BOOSTS) {
            UserBoost finished = firstFinished(boosts);
            if (finished == null) {
                return Refusal.tooMany("boosts", MAX_BOOSTS);
            }
            // Awards that it has multiplied have a copy of it.
            boosts.remove(finished);
        }
        UserBoost boost = boost(grant, system, atMs);
        int index = boosts.size();
        // A grant may be late.
        while (index > 0 && boosts.get(index - 1).createdMs() > atMs) {
            index--;
        }
        boosts.add(index, boost);
        return put(boosts, null, boost);
    }

    /** The finished boost with the earliest end, if any. */
    private @Nullable UserBoost firstFinished(List<UserBoost> boosts) {
        int today = user.dayOf(atMs);
        UserBoost first = null;
        for (UserBoost boost : boosts) {
            if (boost.end() < today && (first == null || boost.end() < first.end())) {
                first = boost;
            }
        }
        return first;
    }

    @Nullable
    Refusal change(ChangeBoost change) {
        PointsSystem system = user.rules().pointsSystem(change.system());
        if (system == null) {
            return Refusal.unknown("points system", change.system());
        }
        int index = indexOf(change.boostId());
        if (index < 0 || user.boosts().get(index).system() != system.number()) {
            return Refusal.unknownBoost();
        }
        UserBoost before = user.boosts().get(index);
        BoostChange asked = change.change();
        LocalDate end = asked.end().appliedTo(before.lastDate());
        return replace(
                index,
                new UserBoost(
                        before.id(),
                        before.system(),
                        changed(asked.name(), before.name()),
                        dayOf(changed(asked.start(), before.firstDate())),
                        end == null ? UserBoost.OPEN : dayOf(end),
                        Amounts.canonical(changed(asked.multiplier(), before.multiplier())),
                        changed(asked.rounding(), before.rounding()),
                        before.createdMs()));
    }

    /** A value that can be changed, but not cleared. */
    private static <T> T changed(Change<T> change, T before) {
        return change instanceof Change.Set<T>(T value) ? value : before;
    }

    private @Nullable Refusal replace(int index, UserBoost changed) {
        UserBoost before = user.boosts().get(index);
        if (changed.end() < changed.start()) {
            return Refusal.endBeforeStart();
        }
        if (changed.start() != before.start() && before.start() <= user.dayOf(atMs)) {
            return Refusal.invalid("start must stay " + before.firstDate() + ": the boost has started.");
        }
        var boosts = new ArrayList<UserBoost>(user.boosts());
        boosts.set(index, changed);
        return put(boosts, before, changed);
    }

    /** @param before null: the boost is new */
    private @Nullable Refusal put(List<UserBoost> boosts, @Nullable UserBoost before, UserBoost after) {
        timers.announceDue(atMs);
        user.updateBoosts(boosts);
        timers.announceChange(before, after, atMs);
        return null;
    }

    private static UserBoost boost(GrantBoost grant, PointsSystem system, long createdMs) {
        return new UserBoost(
                grant.boostId(),
                system.number(),
                grant.name(),
                dayOf(grant.start()),
                grant.end() == null ? UserBoost.OPEN : dayOf(grant.end()),
                Amounts.canonical(grant.multiplier()),
                grant.rounding(),
                createdMs);
    }

    private static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    @Nullable
    Refusal revoke(RevokeBoost revoke) {
        int index = indexOf(revoke.boostId());
        if (index < 0
                || revoke.system() != null
                        && !isIn(revoke.system(), user.boosts().get(index))) {
            return Refusal.unknownBoost();
        }
        var boosts = new ArrayList<UserBoost>(user.boosts());
        boosts.remove(index);
        user.updateBoosts(boosts);
        return null;
    }

    /** The answer that shows a boost. @param id of one that exists */
    Outcome.BoostShown shown(UUID id) {
        return new Outcome.BoostShown(user.boosts().get(indexOf(id)));
    }

    private boolean isIn(String system, UserBoost boost) {
        PointsSystem asked = user.rules().pointsSystem(system);
        return asked != null && asked.number() == boost.system();
    }

    private int indexOf(UUID id) {
        for (int i = 0; i < user.boosts().size(); i++) {
            if (user.boosts().get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
