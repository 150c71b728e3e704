package dev.laurel.deploy.tools.doctor.gather;

import dev.laurel.deploy.CommandFailed;
import dev.laurel.deploy.tools.doctor.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Asks one thing after the other, and notes what could not be asked: the rest is of use all the same. One thread. */
final class Attempts {

    private static final String NAME = "access";
    private final List<Finding> findings = new ArrayList<>();

    /**
     * @param what is asked, for people
     * @param right that it takes, as Kafka names it
     * @param otherwise what is taken for the answer if there is none
     */
    <T> T get(String what, String right, T otherwise, Supplier<T> question) {
        try {
            return question.get();
        } catch (CommandFailed e) {
            findings.add(Finding.warn(NAME, what, "could not be asked: " + e.getMessage(),
                    "if rights are missing: kafka-acls.sh --add --allow-principal User:NAME " + right));
            return otherwise;
        }
    }

    List<Finding> findings() {
        return findings;
    }
}
