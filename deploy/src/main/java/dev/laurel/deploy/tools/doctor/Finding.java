package dev.laurel.deploy.tools.doctor;

/**
 * A result of a check.
 *
 * @param check name of the check in kebab case; scripts depend on it
 * @param subject topic, group or address concerned; may be empty
 * @param fix command or setting that solves the problem; null if there is none
 */
public record Finding(String check, Status status, String subject, String message, String fix) {

    public enum Status {
        ok,
        /** It works, but not as well or not for as long as it should. */
        warn,
        /** It does not work, or loses data when a machine fails. */
        fail
    }

    public static Finding ok(String check, String subject, String message) {
        return new Finding(check, Status.ok, subject, message, null);
    }

    public static Finding warn(String check, String subject, String message, String fix) {
        return new Finding(check, Status.warn, subject, message, fix);
    }

    public static Finding fail(String check, String subject, String message, String fix) {
        return new Finding(check, Status.fail, subject, message, fix);
    }
}
