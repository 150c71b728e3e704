package dev.laurel.deploy.bench;

/**
 * Spreads events over users uniformly and repeatably: the same event number is the same user in every run and for
 * every subject.
 */
public record UniformUsers(int count) {

    public UniformUsers {
        if (count < 1) {
            throw new IllegalArgumentException("A benchmark needs at least one user");
        }
    }

    /** From 0 to {@code count - 1}; neighbours do not follow each other. */
    public long userOf(long event) {
        return Long.remainderUnsigned(Mix.of(event), count);
    }

    /** The id of that user. */
    String nameOf(long event) {
        return name(userOf(event));
    }

    /** The id of a user by number. */
    static String name(long user) {
        return "user-" + user;
    }
}
