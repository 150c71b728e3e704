package dev.laurel.deploy.tools.replay;

import dev.laurel.deploy.CommandFailed;

/** The operator has ended a replay before it was through. */
final class Stopped extends CommandFailed {
    private static final long serialVersionUID = 1L;

    Stopped() {
        super("stopped; nothing is left behind");
    }
}
