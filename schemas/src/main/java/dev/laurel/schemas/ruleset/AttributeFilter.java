package dev.laurel.schemas.ruleset;

/**
 * Asks for one value of one attribute; several filters must all match (docs/semantics.md §4, §6).
 *
 * @param attribute its key
 */
public record AttributeFilter(String attribute, String value) {}
