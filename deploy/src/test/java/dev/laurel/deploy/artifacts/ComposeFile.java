package dev.laurel.deploy.artifacts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The services of {@code compose.yaml} and their start commands. */
public final class ComposeFile {

    private static final String IMAGE = "laurel:";

    private final JsonNode json;
    private final Map<String, Service> services = new LinkedHashMap<>();

    private ComposeFile(JsonNode json) {
        this.json = json;
        json.get("services")
                .properties()
                .forEach(service -> services.put(service.getKey(), new Service(service.getKey(), service.getValue())));
    }

    public static ComposeFile read() {
        return new ComposeFile(
                DeployFiles.yaml(DeployFiles.path("compose.yaml")).getFirst());
    }

    JsonNode json() {
        return json;
    }

    public List<Service> services() {
        return List.copyOf(services.values());
    }

    public Service service(String name) {
        if (!services.containsKey(name)) {
            throw new NoSuchElementException("compose.yaml has no service " + name);
        }
        return services.get(name);
    }

    /** Returns the services with this name or alias on the networks of {@code asking}. */
    public List<Service> reached(Service asking, String host) {
        return services.values().stream()
                .filter(service -> service.networks().stream()
                        .anyMatch(network -> asking.networks().contains(network)
                                && (service.name().equals(host)
                                        || service.aliases(network).contains(host))))
                .toList();
    }

    /** One service. */
    public record Service(String name, JsonNode json) {

        public String image() {
            return json.get("image").asString();
        }

        /** Returns whether the service runs the program of this project. */
        public boolean isLaurel() {
            return image().startsWith(IMAGE);
        }

        public List<String> command() {
            return strings(json.path("command"));
        }

        /** Returns whether the service starts without a profile. */
        public boolean isUsual() {
            return !json.has("profiles");
        }

        /** Returns the environment with the defaults of {@code ${NAME:-default}}. */
        public Map<String, String> environment() {
            var environment = new LinkedHashMap<String, String>();
            json.path("environment")
                    .properties()
                    .forEach(variable -> environment.put(
                            variable.getKey(),
                            variable.getValue().asString().replaceAll("\\$\\{\\w+:-([^}]*)}", "$1")));
            return environment;
        }

        /** Returns the ports that the service listens on, from its options or by default. */
        public Set<Integer> ports() {
            var ports = new TreeSet<Integer>();
            Map<String, String> environment = environment();
            if (environment.containsKey("LAUREL_PORT")) {
                ports.add(Integer.valueOf(environment.get("LAUREL_PORT")));
            }
            if (environment.containsKey("KAFKA_LISTENERS")) {
                for (String listener : environment.get("KAFKA_LISTENERS").split(",")) {
                    ports.add(Integer.valueOf(listener.substring(listener.lastIndexOf(':') + 1)));
                }
            }
            if (name.equals("ingress")) {
                ports.addAll(IngressRules.read().ports());
            }
            if (name.equals("prometheus")) {
                ports.add(9090);
            }
            if (name.equals("grafana")) {
                ports.add(3000);
            }
            if (name.equals("sync")) {
                ports.add(8080); // of --metrics
            }
            return ports;
        }

        Set<String> networks() {
            JsonNode networks = json.path("networks");
            return networks.isArray()
                    ? new TreeSet<>(strings(networks))
                    : networks.properties().stream()
                            .map(Map.Entry::getKey)
                            .collect(Collectors.toCollection(TreeSet::new));
        }

        List<String> aliases(String network) {
            JsonNode networks = json.path("networks");
            return networks.isObject() ? strings(networks.path(network).path("aliases")) : List.of();
        }

        static List<String> strings(JsonNode list) {
            var strings = new ArrayList<String>();
            list.forEach(item -> strings.add(item.asString()));
            return strings;
        }
    }
}
