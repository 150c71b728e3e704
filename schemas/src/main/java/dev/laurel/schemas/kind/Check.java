package dev.laurel.schemas.kind;

/** A check by hand, of what the bounds of single fields cannot say. Pure. */
@FunctionalInterface
public interface Check<T> {

    /** @param path JSON pointer to the value */
    void of(IssueList issues, String path, T value);
}
