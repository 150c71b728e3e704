package dev.laurel.deploy.bench;

/** What a run has found. */
public interface Findings {

    /** For people. */
    String toTable();

    /** For machines: one object, with {@code machine} and what was measured under its name. */
    String toJson();
}
