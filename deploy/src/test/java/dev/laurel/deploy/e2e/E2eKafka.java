package dev.laurel.deploy.e2e;

import dev.laurel.platform.kafka.KafkaAccess;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/**
 * The Kafka of an instance under test. With {@code -Dlaurel.e2e.kafka=embedded}, the default, it is the broker inside
 * the standalone program; with {@code containers}, a container, which needs an engine such as Docker or Podman.
 * {@code -Dlaurel.e2e.kafka.image} names the image.
 */
final class E2eKafka implements AutoCloseable {

    private static final String MODE = "laurel.e2e.kafka";
    private static final String IMAGE = "laurel.e2e.kafka.image";
    private static final String DEFAULT_IMAGE = "apache/kafka-native:4.3.1";

    private final KafkaContainer container;

    private E2eKafka(KafkaContainer container) {
        this.container = container;
    }

    /** @throws IllegalStateException if containers are requested and there is no container engine */
    static E2eKafka start() {
        String mode = System.getProperty(MODE, "embedded");
        return switch (mode) {
            case "embedded" -> new E2eKafka(null);
            case "containers" -> new E2eKafka(startContainer());
            default ->
                throw new IllegalStateException("-D" + MODE + " is '" + mode + "', must be embedded or containers");
        };
    }

    private static KafkaContainer startContainer() {
        // Fails, because a skipped suite would look like a passed one.
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException(
                    "-D" + MODE + "=containers needs a container engine (Docker or Podman), and "
                            + "none answers here; leave the property out to use the embedded broker");
        }
        var container = new KafkaContainer(System.getProperty(IMAGE, DEFAULT_IMAGE));
        container.start();
        return container;
    }

    /** The value of {@code --kafka}; null: the instance starts its own broker. */
    String externalServers() {
        return container == null ? null : container.getBootstrapServers();
    }

    /** The access to the container; null: the instance starts its own broker. */
    KafkaAccess external() {
        return container == null ? null : KafkaAccess.at(container.getBootstrapServers());
    }

    @Override
    public void close() {
        if (container != null) {
            container.stop();
        }
    }
}
