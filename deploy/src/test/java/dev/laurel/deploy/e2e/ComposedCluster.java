package dev.laurel.deploy.e2e;

import dev.laurel.deploy.LaurelMain;
import dev.laurel.deploy.artifacts.ComposeFile;
import dev.laurel.deploy.artifacts.ComposeFile.Service;
import dev.laurel.platform.http.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/**
 * The services of compose.yaml as processes on this machine, with the same commands and variables; addresses are
 * mapped to the loopback interface, and paths to a folder. The brokers are embedded ones. Logs go to files in that
 * folder.
 */
final class ComposedCluster implements AutoCloseable {

    private static final String ADMIN_KEY = LaurelProcess.ADMIN_KEY;
    private static final Duration START_TIMEOUT = Duration.ofMinutes(4);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);
    private static final long END_TIMEOUT_S = 60;
    private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9-]*):(\\d+)");

    private final ComposeFile compose = ComposeFile.read();
    private final Path folder;
    private final Map<String, Integer> ports = new TreeMap<>();
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private LocalIngress ingress;

    private ComposedCluster(Path folder) {
        this.folder = folder;
    }

    /** @return when the health check of every service succeeds */
    static ComposedCluster start(Path folder) throws IOException, InterruptedException {
        var cluster = new ComposedCluster(folder);
        try {
            cluster.startAll();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll() throws IOException, InterruptedException {
        Files.writeString(folder.resolve("admin-key"), ADMIN_KEY + "\n");
        List<Service> usual =
                compose.services().stream().filter(Service::isUsual).toList();
        for (Service service : usual) {
            if (isBroker(service)) {
                launch(service, broker(service), Map.of());
            }
        }
        Service topics = compose.service("topics");
        // The brokers may not have formed a cluster yet, and no health check waits for that: the command is repeated.
        awaitEnd(topics);
        for (Service service : usual) {
            if (service.isLaurel() && service != topics) {
                launch(service, command(service), environment(service));
            }
        }
        for (Service service : usual) {
            if (service.isLaurel() && service != topics) {
                awaitReady(service);
            }
        }
        ingress = LocalIngress.start(this::servers);
        started.push(ingress);
    }

    private static boolean isBroker(Service service) {
        return service.image().startsWith("apache/kafka:");
    }

    /** Its command, with folders of its volume below that of the test. */
    private List<String> command(Service service) {
        return service.command().stream()
                .map(argument -> argument.startsWith("/data/")
                        ? folder.resolve(service.name())
                                .resolve(argument.substring("/data/".length()))
                                .toString()
                        : argument)
                .toList();
    }

    /** Translates the variables of the service into options of the embedded broker. */
    private List<String> broker(Service service) {
        Map<String, String> settings = service.environment();
        String quorum = mapped(service, settings.get("KAFKA_CONTROLLER_QUORUM_VOTERS"));
        return List.of(
                "broker",
                "--node-id",
                settings.get("KAFKA_NODE_ID"),
                "--port",
                String.valueOf(port(service, 9092)),
                "--controller-port",
                String.valueOf(port(service, 9093)),
                "--quorum",
                quorum,
                "--data-dir",
                folder.resolve(service.name()).toString());
    }

    private Map<String, String> environment(Service service) {
        var environment = new TreeMap<String, String>();
        service.environment()
                .forEach((name, value) -> environment.put(
                        name,
                        switch (name) {
                            case "LAUREL_PORT" -> String.valueOf(port(service, Integer.parseInt(value)));
                            case "LAUREL_DATA_DIR" ->
                                folder.resolve(service.name()).toString();
                            default ->
                                value.startsWith("/run/secrets/")
                                        ? folder.resolve(Path.of(value).getFileName())
                                                .toString()
                                        : mapped(service, value);
                        }));
        if (environment.containsKey("LAUREL_PORT")) {
            environment.put("LAUREL_HOST", "127.0.0.1");
        }
        if (service.command().contains("delivery")) {
            environment.put("LAUREL_ALLOW_PRIVATE_WEBHOOKS", "true"); // all processes are on the loopback interface
        }
        return environment;
    }

    /** Maps the addresses of services to this machine; a name that several processes share is mapped to the first one. */
    private String mapped(Service asking, String text) {
        Matcher address = ADDRESS.matcher(text);
        return address.replaceAll(found -> {
            List<Service> reached = compose.reached(asking, found.group(1));
            return reached.isEmpty()
                    ? Matcher.quoteReplacement(found.group())
                    : "127.0.0.1:" + port(reached.getFirst(), Integer.parseInt(found.group(2)));
        });
    }

    private int port(Service service, int inside) {
        return ports.computeIfAbsent(service.name() + ":" + inside, _ -> TestServer.unusedPort());
    }

    private Process launch(Service service, List<String> arguments, Map<String, String> environment)
            throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx384m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:+UseCompactObjectHeaders",
                "-cp",
                System.getProperty("java.class.path"),
                LaurelMain.class.getName()));
        command.addAll(arguments);
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(service).toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("LAUREL_"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.put(service.name(), process);
        return process;
    }

    private Path log(Service service) {
        return folder.resolve(service.name() + ".log");
    }

    private void awaitEnd(Service service) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + START_TIMEOUT.toNanos();
        while (true) {
            Process process = launch(service, service.command(), environment(service));
            if (!process.waitFor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(service.name() + " does not end: " + tail(service));
            }
            processes.remove(service.name());
            if (process.exitValue() == 0) {
                return;
            }
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(service.name() + " failed: " + tail(service));
            }
        }
    }

    private void awaitReady(Service service) {
        Awaitility.await(service.name())
                .atMost(START_TIMEOUT)
                .pollInterval(LOOK_AGAIN)
                .until(() -> {
                    if (!processes.get(service.name()).isAlive()) {
                        throw new IllegalStateException(service.name() + " did not get ready: " + tail(service));
                    }
                    return isReady(service);
                });
    }

    /** Runs the health check of the service. */
    private boolean isReady(Service service) throws InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(url(service).resolve("/readyz"))
                    .timeout(Duration.ofSeconds(3))
                    .build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException _) {
            return false; // The process does not listen yet.
        }
    }

    private String tail(Service service) throws IOException {
        List<String> lines = Files.readAllLines(log(service));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private URI url(Service service) {
        return URI.create("http://127.0.0.1:" + port(service, 8080));
    }

    /** The servers of a backend of the ingress, by the variable that names them. */
    private List<URI> servers(String backend) {
        Service asking = compose.service("ingress");
        String address = asking.environment()
                .get(
                        switch (backend) {
                            case "nodes" -> "LAUREL_NODES";
                            case "gateways" -> "LAUREL_GATEWAYS";
                            case "deliveries" -> "LAUREL_DELIVERIES";
                            case "replays" -> "LAUREL_REPLAYS";
                            default -> throw new IllegalArgumentException("no backend " + backend);
                        });
        return compose.reached(asking, address.substring(0, address.indexOf(':'))).stream()
                .filter(Service::isUsual)
                .map(this::url)
                .toList();
    }

    /** Returns a client of the ingress. */
    LaurelClient client() {
        return new LaurelClient(ingress.url(), ADMIN_KEY);
    }

    /** Returns a client of a process itself. */
    LaurelClient client(String service) {
        return new LaurelClient(url(compose.service(service)).toString(), ADMIN_KEY);
    }

    /** Sends SIGTERM and returns the exit code. */
    int stop(String service) throws InterruptedException {
        Process process = processes.remove(service);
        process.destroy();
        if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException(service + " does not end");
        }
        return process.exitValue();
    }

    /** Closes the roles first. Kills the brokers, which would wait for each other, and processes that do not end. */
    @Override
    public void close() {
        var all = new ArrayList<>(processes.values()).reversed();
        for (AutoCloseable part : started) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        Set<Process> brokers = compose.services().stream()
                .filter(ComposedCluster::isBroker)
                .map(service -> processes.get(service.name()))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        for (Process process : all) {
            if (!brokers.contains(process)) {
                process.destroy();
            }
        }
        for (Process process : all) {
            try {
                if (brokers.contains(process)) {
                    process.destroyForcibly();
                }
                if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
