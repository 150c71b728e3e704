package dev.laurel.processors.core.engine;

import dev.laurel.processors.core.user.UserBoost;
import dev.laurel.schemas.command.Command.BoostChange;
import dev.laurel.schemas.command.Command.ChangeBoost;
import dev.laurel.schemas.command.Command.GrantBoost;
import dev.laurel.schemas.command.Command.RevokeBoost;
import dev.laurel.schemas.input.Amounts;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Grants, changes and revokes a user's own boosts for operators (docs/admin-api.md A4 "boosts"). Boosts are kept in the order
 * of their creation, in which they apply.
 */
final class UserBoostEditor {

    static final int MAX_BOOSTS = 100;

    private final UserTransaction user;
    private final UserBoostTimers timers;
    private final long atMs;
    private @Nullable Refusal refusal;

    UserBoostEditor(UserTransaction user, long atMs) {
        this.user = user;
        this.timers = new UserBoostTimers(user);
        this.atMs = atMs;
    }

    /** Why the request is refused, null if it is not. After a refusal nothing of the transaction may be kept. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** Adds a boost, or changes the one of that id. @return null if refused */
    @Nullable
    UserBoost grant(GrantBoost grant) {
        PointsSystem system = user.rules().pointsSystem(grant.system());
        if (system == null) {
            return refuse(Refusal.unknownPointsSystem(grant.system()));
        }
        int index = indexOf(grant.boostId());
        return index < 0 ? add(grant, system) : change(index, grant, system);
    }

    private @Nullable UserBoost add(GrantBoost grant, PointsSystem system) {
        var boosts = new ArrayList<UserBoost>(user.boosts());
        if (boosts.size() >= MAX_BOOSTS) {
            UserBoost finished = firstFinished(boosts);
            if (finished == null) {
                return refuse(Refusal.tooManyBoosts(MAX_BOOSTS));
            }
            // Awards that it has multiplied keep a copy of it.
            boosts.remove(finished);
        }
        UserBoost boost = boost(grant, system, atMs);
        int place = boosts.size();
        // A grant may be late.
        while (place > 0 && boosts.get(place - 1).createdMs() > atMs) {
            place--;
        }
        boosts.add(place, boost);
        put(boosts, null, boost);
        return boost;
    }

    /** The boost that has been over for the longest time, null if none is over. */
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

    private @Nullable UserBoost change(int index, GrantBoost grant, PointsSystem system) {
        UserBoost before = user.boosts().get(index);
        if (before.system() != system.number()) {
            return refuse(Refusal.unknownBoost());
        }
        return replace(index, boost(grant, system, before.createdMs()));
    }

    /** Changes a boost. @return the boost after the change, null if refused */
    @Nullable
    UserBoost change(ChangeBoost change) {
        PointsSystem system = user.rules().pointsSystem(change.system());
        if (system == null) {
            return refuse(Refusal.unknownPointsSystem(change.system()));
        }
        int index = indexOf(change.boostId());
        if (index < 0 || user.boosts().get(index).system() != system.number()) {
            return refuse(Refusal.unknownBoost());
        }
        UserBoost before = user.boosts().get(index);
        BoostChange asked = change.change();
        LocalDate end = asked.end().appliedTo(before.lastDate());
        return replace(index,
                new UserBoost(before.id(), before.system(), asked.name().appliedTo(before.name()),
                        dayOf(asked.start().appliedTo(before.firstDate())),
                        end == null ? UserBoost.OPEN : dayOf(end),
                        Amounts.canonical(asked.multiplier().appliedTo(before.multiplier())),
                        asked.rounding().appliedTo(before.rounding()), before.createdMs()));
    }

    private @Nullable UserBoost replace(int index, UserBoost changed) {
        UserBoost before = user.boosts().get(index);
        if (changed.end() < changed.start()) {
            return refuse(Refusal.endBeforeStart());
        }
        if (changed.start() != before.start() && before.start() <= user.dayOf(atMs)) {
            return refuse(Refusal.boostStarted(before.firstDate()));
        }
        var boosts = new ArrayList<UserBoost>(user.boosts());
        boosts.set(index, changed);
        put(boosts, before, changed);
        return changed;
    }

    /** @param before null if the boost is new */
    private void put(List<UserBoost> boosts, @Nullable UserBoost before, UserBoost after) {
        timers.announceDue(atMs);
        user.updateBoosts(boosts);
        timers.announceChange(before, after, atMs);
    }

    private static UserBoost boost(GrantBoost grant, PointsSystem system, long createdMs) {
        return new UserBoost(grant.boostId(), system.number(), grant.name(), dayOf(grant.start()),
                grant.end() == null ? UserBoost.OPEN : dayOf(grant.end()), Amounts.canonical(grant.multiplier()),
                grant.rounding(), createdMs);
    }

    private static int dayOf(@Nullable LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    void revoke(RevokeBoost revoke) {
        int index = indexOf(revoke.boostId());
        if (index < 0 || revoke.system() != null && !isIn(revoke.system(), user.boosts().get(index))) {
            refusal = Refusal.unknownBoost();
            return;
        }
        var boosts = new ArrayList<UserBoost>(user.boosts());
        boosts.remove(index);
        user.updateBoosts(boosts);
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

    private @Nullable UserBoost refuse(Refusal why) {
        refusal = why;
        return null;
    }
}
