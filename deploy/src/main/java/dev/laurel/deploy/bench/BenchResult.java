package dev.laurel.deploy.bench;

/** The result of a benchmark. */
interface BenchResult {

    /** Returns a table for people. */
    String toTable();

    /** Returns a JSON object with {@code machine} and the figures under their name. */
    String toJson();
}
