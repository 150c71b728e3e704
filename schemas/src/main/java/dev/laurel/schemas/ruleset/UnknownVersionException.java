package dev.laurel.schemas.ruleset;

import java.time.Duration;

/** Whether there is a version of a ruleset could not be found out in time. Later it may be. */
public final class UnknownVersionException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    public UnknownVersionException(long version, Duration timeout) {
        super("could not find out within " + timeout + " whether ruleset version " + version + " exists");
    }
}
