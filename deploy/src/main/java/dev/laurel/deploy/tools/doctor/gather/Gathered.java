package dev.laurel.deploy.tools.doctor.gather;

import dev.laurel.deploy.tools.doctor.Finding;
import java.util.List;

/**
 * What was found out, and what could not be.
 *
 * @param facts null if nothing was found out
 * @param findings of what could not be asked
 */
public record Gathered<T>(T facts, List<Finding> findings) {

    public Gathered {
        findings = List.copyOf(findings);
    }
}
