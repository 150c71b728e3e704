package dev.laurel.processors.core.user;

/** A boost that multiplied an award. */
public sealed interface AppliedBoost {

    /** One of the ruleset, as it was in the award's version. */
    record OfRuleset(int number) implements AppliedBoost {}

    /** One of the user's own, as it was then: it may be changed or revoked since. */
    record OfUser(UserBoost boost) implements AppliedBoost {}
}
