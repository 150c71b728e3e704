package dev.laurel.deploy.bench;

import dev.laurel.deploy.broker.EmbeddedBroker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is measured on: an embedded broker and some subjects in this process, in a fresh temporary folder that is deleted at
 * the end. Single-threaded.
 */
final class Bed implements AutoCloseable {
    private final Scratch scratch;
    private final EmbeddedBroker broker;
    private final BenchEnvironment environment;
    private final List<Subject> subjects = new ArrayList<>();

    private Bed(int partitions, int users) {
        scratch = Scratch.create();
        broker = EmbeddedBroker.start(scratch.path().resolve("broker"), 0, 0);
        environment = new BenchEnvironment(broker.bootstrapServers(), scratch.path(), partitions,
                new UniformUsers(users),
                StreamsSettings.ofLedger());
    }

    /** @param progress told of each thing that is up */
    static Bed open(List<SubjectFactory> factories, int partitions, int users, Consumer<String> progress) {
        var bed = new Bed(partitions, users);
        progress.accept("broker is up");
        try {
            for (SubjectFactory factory : factories) {
                bed.subjects.add(factory.start(bed.environment));
                progress.accept(bed.subjects.getLast().name() + " is running");
            }
            return bed;
        } catch (RuntimeException e) {
            bed.close();
            throw e;
        }
    }

    BenchEnvironment environment() {
        return environment;
    }

    /** In the order of their factories. */
    List<Subject> subjects() {
        return List.copyOf(subjects);
    }

    @Override
    public void close() {
        try (scratch; broker) {
            subjects.reversed().forEach(Subject::close);
        }
    }
}
