package dev.laurel.deploy.tools.doctor;

import dev.laurel.deploy.tools.doctor.ClusterFacts.TopicFacts;
import dev.laurel.deploy.tools.doctor.Findings.Finding.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the findings of one check. Used by one thread. */
final class Findings {

    private final String check;
    private final RepairCommands repair;
    private final List<Finding> all = new ArrayList<>();

    /** @param check name of the check in kebab case @param repair commands for this cluster */
    Findings(String check, RepairCommands repair) {
        this.check = check;
        this.repair = repair;
    }

    RepairCommands repair() {
        return repair;
    }

    void ok(String subject, String message) {
        all.add(new Finding(check, Status.ok, subject, message, null));
    }

    void warn(String subject, String message, String fix) {
        add(Status.warn, subject, message, fix);
    }

    void fail(String subject, String message, String fix) {
        add(Status.fail, subject, message, fix);
    }

    void add(Status status, String subject, String message, String fix) {
        all.add(new Finding(check, status, subject, message, fix));
    }

    /**
     * Adds a finding about a setting of a topic, which a command sets.
     *
     * @param problem follows the name and the present value
     */
    void setting(Status status, TopicFacts topic, String name, String problem, String wanted) {
        add(
                status,
                topic.name(),
                name + " is " + topic.settings().get(name) + problem,
                repair.set(topic.name(), name, wanted));
    }

    int count() {
        return all.size();
    }

    List<Finding> all() {
        return all;
    }

    /** Adds this finding if there is no other. */
    void okIfNone(String subject, String message) {
        if (all.isEmpty()) {
            ok(subject, message);
        }
    }

    /**
     * A result of a check.
     *
     * @param check name of the check in kebab case; scripts depend on it
     * @param subject topic, group or address concerned; may be empty
     * @param fix command or setting that solves the problem; null for {@code ok}
     */
    record Finding(
            String check,
            Status status,
            String subject,
            String message,
            @Nullable String fix) {

        /** Severity, in ascending order. The names are part of the output. */
        enum Status {
            ok,

            /** The deployment works, but not as well or not for as long as it should. */
            warn,

            /** The deployment does not work, or loses data when a machine fails. */
            fail
        }
    }
}
