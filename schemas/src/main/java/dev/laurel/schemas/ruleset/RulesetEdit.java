package dev.laurel.schemas.ruleset;

/** A request, in {@code laurel.ruleset-edits}, to make the tenant's next ruleset version. */
public sealed interface RulesetEdit {

    /** The whole ruleset becomes what {@code source} says; nothing happens if it says so already. */
    record Replace(RulesetSource source) implements RulesetEdit {}
}
