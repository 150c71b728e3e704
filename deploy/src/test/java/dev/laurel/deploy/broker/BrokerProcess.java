package dev.laurel.deploy.broker;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a broker in a process of its own for tests that kill it: prints its address, then serves until stdin ends. */
final class BrokerProcess {
    private BrokerProcess() {}

    public static void main(String[] arguments) throws IOException {
        try (EmbeddedBroker broker = EmbeddedBroker.start(BrokerSettings.alone(Path.of(arguments[0]), 0, 0))) {
            System.out.println(broker.bootstrapServers());
            System.in.read();
        }
    }
}
