package dev.laurel.schemas.kind;

/**
 * A problem of a ruleset in its human form.
 *
 * @param path JSON pointer into the ruleset, such as {@code /points/xp/triggers/per-commit/metric}
 * @param message for people: what is wrong and what is allowed
 */
public record Issue(String path, String message) {

    /** One step of a path: a key as paths have it, which is cut if it is long. */
    public static String step(String key) {
        return IssueList.escaped(key);
    }
}
