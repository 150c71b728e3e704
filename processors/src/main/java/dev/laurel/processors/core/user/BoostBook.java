package dev.laurel.processors.core.user;

import dev.laurel.schemas.command.Amounts;
import dev.laurel.schemas.command.BoostChange;
import dev.laurel.schemas.command.ChangeBoost;
import dev.laurel.schemas.command.GrantBoost;
import dev.laurel.schemas.command.Refusal;
import dev.laurel.schemas.command.RevokeBoost;
import dev.laurel.schemas.ruleset.PointsSystem;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The boosts of a user's own, granted and revoked by operators (admin-api.md A4 "boosts"). They lie in the order of
 * creation, which is what decides between them.
 */
final class BoostBook {

    static final int MAX_BOOSTS = 100;

    private final UserTurn turn;
    private final BoostTimes times;
    private final long atMs;
    private Refusal refusal;

    BoostBook(UserTurn turn, long atMs) {
        this.turn = turn;
        this.times = new BoostTimes(turn);
        this.atMs = atMs;
    }

    /** Why what was asked for cannot be; null if it can. Then nothing of the turn may be kept. */
    Refusal refusal() {
        return refusal;
    }

    /** A new boost, or the one of that id changed; null if refused. */
    UserBoost grant(GrantBoost grant) {
        PointsSystem system = turn.rules.pointsSystem(grant.system());
        if (system == null) {
            return refuse(Refusal.unknownPointsSystem(grant.system()));
        }
        int index = indexOf(grant.boostId());
        return index < 0 ? add(grant, system) : change(index, grant, system);
    }

    private UserBoost add(GrantBoost grant, PointsSystem system) {
        var boosts = new ArrayList<UserBoost>(turn.boosts);
        if (boosts.size() >= MAX_BOOSTS) {
            UserBoost finished = firstFinished(boosts);
            if (finished == null) {
                return refuse(Refusal.tooManyBoosts(MAX_BOOSTS));
            }
            // Awards that it has multiplied show it as it was.
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
    private UserBoost firstFinished(List<UserBoost> boosts) {
        int today = turn.dayOf(atMs);
        UserBoost first = null;
        for (UserBoost boost : boosts) {
            if (boost.end() < today && (first == null || boost.end() < first.end())) {
                first = boost;
            }
        }
        return first;
    }

    private UserBoost change(int index, GrantBoost grant, PointsSystem system) {
        UserBoost before = turn.boosts.get(index);
        if (before.system() != system.number()) {
            return refuse(Refusal.unknownBoost());
        }
        return replace(index, boost(grant, system, before.createdMs()));
    }

    /** The boost as it is after the change, null if refused. */
    UserBoost change(ChangeBoost change) {
        PointsSystem system = turn.rules.pointsSystem(change.system());
        if (system == null) {
            return refuse(Refusal.unknownPointsSystem(change.system()));
        }
        int index = indexOf(change.boostId());
        if (index < 0 || turn.boosts.get(index).system() != system.number()) {
            return refuse(Refusal.unknownBoost());
        }
        UserBoost before = turn.boosts.get(index);
        BoostChange asked = change.change();
        LocalDate end = asked.end().appliedTo(before.lastDate());
        return replace(index,
                new UserBoost(before.id(), before.system(), asked.name().appliedTo(before.name()),
                        dayOf(asked.start().appliedTo(before.firstDate())),
                        end == null ? UserBoost.OPEN : dayOf(end),
                        Amounts.canonical(asked.multiplier().appliedTo(before.multiplier())),
                        asked.rounding().appliedTo(before.rounding()), before.createdMs()));
    }

    private UserBoost replace(int index, UserBoost changed) {
        UserBoost before = turn.boosts.get(index);
        if (changed.end() < changed.start()) {
            return refuse(Refusal.endBeforeStart());
        }
        if (changed.start() != before.start() && before.start() <= turn.dayOf(atMs)) {
            return refuse(Refusal.boostStarted(before.firstDate()));
        }
        var boosts = new ArrayList<UserBoost>(turn.boosts);
        boosts.set(index, changed);
        put(boosts, before, changed);
        return changed;
    }

    /** @param before null if the boost is new */
    private void put(List<UserBoost> boosts, UserBoost before, UserBoost after) {
        times.tellToday(atMs);
        turn.boosts = boosts;
        times.change(before, after, atMs);
    }

    private static UserBoost boost(GrantBoost grant, PointsSystem system, long createdMs) {
        return new UserBoost(grant.boostId(), system.number(), grant.name(), dayOf(grant.start()),
                grant.end() == null ? UserBoost.OPEN : dayOf(grant.end()), Amounts.canonical(grant.multiplier()),
                grant.rounding(), createdMs);
    }

    private static int dayOf(LocalDate date) {
        return Math.toIntExact(date.toEpochDay());
    }

    void revoke(RevokeBoost revoke) {
        int index = indexOf(revoke.boostId());
        if (index < 0 || revoke.system() != null && !isIn(revoke.system(), turn.boosts.get(index))) {
            refusal = Refusal.unknownBoost();
            return;
        }
        var boosts = new ArrayList<UserBoost>(turn.boosts);
        boosts.remove(index);
        turn.boosts = boosts;
    }

    private boolean isIn(String system, UserBoost boost) {
        PointsSystem asked = turn.rules.pointsSystem(system);
        return asked != null && asked.number() == boost.system();
    }

    private int indexOf(UUID id) {
        for (int i = 0; i < turn.boosts.size(); i++) {
            if (turn.boosts.get(i).id().equals(id)) {
                return i;
            }
        }
        return -1;
    }

    private UserBoost refuse(Refusal why) {
        refusal = why;
        return null;
    }
}
