package dev.laurel.schemas.ruleset;

import java.time.Duration;

/** Thrown if the existence of a ruleset version cannot be determined in time. A later attempt may succeed. */
public final class UnknownVersionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public UnknownVersionException(long version, Duration timeout) {
        super("could not find out within " + timeout + " whether ruleset version " + version + " exists");
    }
}
