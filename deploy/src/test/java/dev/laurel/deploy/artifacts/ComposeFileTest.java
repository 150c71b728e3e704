package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.laurel.deploy.CommandLineModel;
import dev.laurel.deploy.artifacts.ComposeFile.Service;
import dev.laurel.schemas.serde.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.internals.AppInfoParser;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tests the form of compose.yaml and that its references exist, as far as possible without a container engine. */
final class ComposeFileTest {

    private static final Pattern ADDRESS = Pattern.compile("([a-z][a-z0-9-]*):(\\d+)");
    private static final Pattern OWN_ADDRESS = Pattern.compile("127\\.0\\.0\\.1[:/](\\d+)");

    private final ComposeFile compose = ComposeFile.read();

    /** The schema is that of the specification (compose-spec/compose-spec, schema/compose-spec.json, Apache-2.0), unchanged. */
    @Test
    void shouldFollowTheComposeSpecification() throws IOException {
        try (InputStream in = ComposeFileTest.class.getResourceAsStream("compose-spec.json")) {
            var schema = (ObjectNode) Json.mapperForTools().readTree(in);
            schema.remove("$id"); // not an absolute URL, which the validator requires
            var problems = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_7)
                    .getSchema(schema.toString(), InputFormat.JSON)
                    .validate(compose.json());

            assertEquals(List.of(), problems.stream().map(Error::toString).toList());
        }
    }

    @Test
    void shouldStartTheProgramWithValidOptions() {
        var problems = new ArrayList<String>();
        compose.services().stream()
                .filter(Service::isLaurel)
                .forEach(service -> CommandLineModel.problems(service.command(), service.environment())
                        .forEach(problem -> problems.add(service.name() + " " + problem)));

        assertEquals(List.of(), problems);
    }

    @Test
    void shouldHaveTheProcessesOfASmallCluster() {
        assertEquals(List.of("kafka-1", "kafka-2", "kafka-3"), named("kafka-"));
        assertEquals(List.of("node-1", "node-2"), named("node-"));
        assertEquals(List.of("gateway-1", "gateway-2", "gateway-replays"), named("gateway-"));
        assertEquals(List.of("delivery-1"), named("delivery-"));
    }

    @Test
    void shouldUseTheKafkaVersionOfTheBuild() {
        named("kafka-")
                .forEach(name -> assertEquals(
                        "apache/kafka:" + AppInfoParser.getVersion(),
                        compose.service(name).image()));
    }

    @Test
    void shouldNameOnlyReachableAddresses() {
        var unreached = new ArrayList<String>();
        for (Service service : compose.services()) {
            var text = new StringBuilder();
            service.environment()
                    .forEach((name, value) -> text.append(name.startsWith("KAFKA_LISTENER") ? "" : value)
                            .append('\n'));
            addAddresses(service, text.toString(), unreached);
        }
        addAddresses(compose.service("prometheus"), DeployFiles.text("observe/prometheus.yml"), unreached);
        addAddresses(compose.service("grafana"), DeployFiles.text("observe/grafana/datasources.yaml"), unreached);

        assertEquals(List.of(), unreached);
    }

    private void addAddresses(Service asking, String text, List<String> unreached) {
        Matcher address = ADDRESS.matcher(text);
        while (address.find()) {
            List<Service> reached = compose.reached(asking, address.group(1));
            int port = Integer.parseInt(address.group(2));
            if (reached.isEmpty()
                    || !reached.stream().allMatch(service -> service.ports().contains(port))) {
                unreached.add(asking.name() + " cannot reach " + address.group());
            }
        }
    }

    /** Prometheus would report a scraped process that is not started as down for ever. */
    @Test
    void shouldScrapeExactlyTheStartedProcesses() {
        Set<String> scraped = new TreeSet<>();
        Matcher address = ADDRESS.matcher(DeployFiles.text("observe/prometheus.yml"));
        Service prometheus = compose.service("prometheus");
        while (address.find()) {
            compose.reached(prometheus, address.group(1)).forEach(service -> scraped.add(service.name()));
        }

        var started = compose.services().stream()
                .filter(service -> service.isLaurel() && service.isUsual())
                .filter(service -> service.ports().contains(8080))
                .map(Service::name)
                .collect(Collectors.toCollection(TreeSet::new));
        started.add("ingress");
        assertEquals(started, scraped);
    }

    @Test
    void shouldCheckHealthAtAnOpenPort() {
        for (Service service : compose.services()) {
            if (service.json().path("restart").asString().equals("no")) {
                continue;
            }
            Matcher address = OWN_ADDRESS.matcher(
                    service.json().get("healthcheck").get("test").toString().replace("127.0.0.1 ", "127.0.0.1:"));
            assertTrue(address.find(), service.name() + " has a health check");
            assertTrue(service.ports().contains(Integer.valueOf(address.group(1))), service.name());
        }
    }

    @Test
    void shouldMountOnlyExistingFiles() {
        for (Service service : compose.services()) {
            for (String mount : Service.strings(service.json().path("volumes"))) {
                String from = mount.substring(0, mount.indexOf(':'));
                boolean isThere = from.startsWith("./")
                        ? Files.exists(DeployFiles.path(from)) && mount.endsWith(":ro")
                        : compose.json().get("volumes").has(from);
                assertTrue(isThere, service.name() + ": " + mount);
            }
            for (String secret : Service.strings(service.json().path("secrets"))) {
                assertTrue(compose.json().get("secrets").has(secret), service.name() + ": " + secret);
            }
        }
    }

    @Test
    void shouldNotShareVolumesBetweenServices() {
        var seen = new TreeSet<String>();
        compose.services()
                .forEach(service -> Service.strings(service.json().path("volumes")).stream()
                        .filter(mount -> !mount.startsWith("./"))
                        .forEach(mount -> assertTrue(seen.add(mount), service.name() + ": " + mount)));
    }

    @Test
    void shouldRestrictEveryContainer() {
        for (Service service : compose.services()) {
            JsonNode json = service.json();
            assertTrue(json.path("read_only").asBoolean(), service.name());
            assertEquals(List.of("ALL"), Service.strings(json.path("cap_drop")), service.name());
            assertEquals(List.of("no-new-privileges:true"), Service.strings(json.path("security_opt")), service.name());
            assertFalse(json.path("privileged").asBoolean(), service.name());
            assertTrue(json.has("mem_limit"), service.name());
            assertTrue(json.has("restart"), service.name());
            assertFalse(service.image().endsWith(":latest"), service.name());
            assertTrue(service.image().contains(":"), service.name());
        }
    }

    @Test
    void shouldPublishOnlyIngressAndGrafanaOnTheLoopbackInterface() {
        for (Service service : compose.services()) {
            List<String> open = Service.strings(service.json().path("ports"));
            switch (service.name()) {
                case "ingress" -> assertEquals(List.of("127.0.0.1:8080:8080"), open);
                case "grafana" -> assertEquals(List.of("127.0.0.1:3000:3000"), open);
                default -> assertEquals(List.of(), open, service.name());
            }
        }
    }

    @Test
    void shouldNotPublishBrokersNodesAndGateways() {
        assertTrue(compose.json().get("networks").get("inside").get("internal").asBoolean());
        compose.services().stream()
                .filter(service -> service.networks().contains("outside"))
                .forEach(service -> assertTrue(
                        List.of("ingress", "grafana", "delivery-1", "delivery-2", "sync")
                                .contains(service.name()),
                        service.name()));
    }

    @Test
    void shouldHaveAReplyPartitionForEveryGateway() {
        List<String> topics = compose.service("topics").command();
        int partitions = Integer.parseInt(topics.get(topics.indexOf("--gateway-partitions") + 1));

        assertTrue(named("gateway-").size() <= partitions);
    }

    private List<String> named(String prefix) {
        return compose.services().stream()
                .filter(Service::isUsual)
                .map(Service::name)
                .filter(name -> name.startsWith(prefix))
                .toList();
    }
}
