package dev.laurel.deploy.tools.doctor;

/**
 * What a check has found, as one line.
 *
 * @param check its name, in kebab case: durable, scripts look for it
 * @param subject what it is about: a topic, a group, an address; empty if that goes without saying
 * @param fix the command or the setting that mends it, to be pasted; null if nothing needs to be
 */
public record Finding(String check, Status status, String subject, String message, String fix) {

    public enum Status {
        ok,
        /** It works, but not as well, or not for as long, as it should. */
        warn,
        /** It does not work, or loses something when a machine does. */
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
