package dev.laurel.deploy.bench;

import java.nio.file.Path;
import java.util.Map;

/**
 * What all subjects of one run share, so that they differ in nothing but themselves.
 *
 * @param directory where a subject may create its own folder for state
 * @param streamsSettings Kafka Streams properties for every subject: guarantee, commit interval, linger, caches, threads
 */
public record BenchEnvironment(String bootstrapServers, Path directory, int partitions, UniformUsers users,
        Map<String, Object> streamsSettings) {

    public BenchEnvironment {
        streamsSettings = Map.copyOf(streamsSettings);
    }
}
