package dev.laurel.deploy.tools.doctor;

import org.jspecify.annotations.Nullable;

/**
 * A result of a check.
 *
 * @param check name of the check in kebab case; scripts depend on it
 * @param subject topic, group or address concerned; may be empty
 * @param fix command or setting that solves the problem; null for {@code ok}
 */
record Finding(String check, Status status, String subject, String message, @Nullable String fix) {

    /** Severity, in ascending order. The names are part of the output. */
    enum Status {
        ok,

        /** It works, but not as well or not for as long as it should. */
        warn,

        /** It does not work, or loses data when a machine fails. */
        fail
    }
}
