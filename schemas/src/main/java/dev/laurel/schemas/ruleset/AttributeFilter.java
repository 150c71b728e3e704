package dev.laurel.schemas.ruleset;

/** Requires a value of an attribute, by its key. Several filters must all match (docs/semantics.md §4, §6). */
public record AttributeFilter(String attribute, String value) {}
