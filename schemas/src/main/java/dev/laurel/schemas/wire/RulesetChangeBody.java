package dev.laurel.schemas.wire;

import java.util.Optional;

/**
 * One difference between two rulesets in their human form.
 *
 * @param change {@code added}, {@code changed} or {@code removed}
 * @param path JSON pointer
 * @param before left out of what is added; the keys in their order where only that is another
 * @param after left out of what is removed
 */
public record RulesetChangeBody(String change, String path, Optional<Object> before, Optional<Object> after) {

    public static final String ADDED = "added";
    public static final String CHANGED = "changed";
    public static final String REMOVED = "removed";
}
