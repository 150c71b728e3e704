package dev.laurel.deploy.bench;

/** Starts a subject; it returns when the subject is ready to process and to answer. */
@FunctionalInterface
public interface SubjectFactory {
    Subject start(BenchEnvironment environment);
}
