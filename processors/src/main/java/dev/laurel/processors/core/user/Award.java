package dev.laurel.processors.core.user;

import java.util.List;

/**
 * An entry of a points ledger. The trigger is told by its number and the ruleset version of the time: every version is
 * kept, so the ledger shows the trigger as it was.
 *
 * @param system number of the points system
 * @param sequence 0, 1, … per user and system, in processing order
 * @param atMs the time of the command, or the due time of the timer
 * @param awarded what took effect, never 0
 * @param total after it
 * @param trigger number of the trigger
 * @param boosts that multiplied it, in the order of creation
 */
public record Award(int system, int sequence, long atMs, long awarded, long total, int trigger, long rulesetVersion,
        List<AppliedBoost> boosts) {

    public Award {
        boosts = List.copyOf(boosts);
    }
}
