package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.openapi.OpenApiDocument;
import dev.laurel.deploy.openapi.Operation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IngressRulesTest {

    private final IngressRules rules = IngressRules.read();

    @Test
    void shouldSendEveryDocumentedRouteSomewhere() {
        List<String> refused = operations()
                .filter(operation -> to(operation).isEmpty())
                .map(Operation::name)
                .filter(name -> !name.equals("GET /metrics"))
                .toList();

        assertEquals(List.of(), refused);
    }

    @Test
    void shouldSendWritesToGateways() {
        List<String> elsewhere = operations()
                .filter(operation -> !operation.method().equals("GET"))
                .filter(operation -> !to(operation).equals(Optional.of("gateways")))
                .filter(operation -> !isOfReplays(operation))
                .map(Operation::name)
                .toList();

        assertEquals(List.of(), elsewhere);
    }

    @Test
    void shouldSendReadsToNodesWithFewExceptions() {
        List<String> elsewhere = operations()
                .filter(operation -> operation.method().equals("GET"))
                .filter(operation -> !to(operation).equals(Optional.of("nodes")))
                .map(operation -> operation.name() + " -> " + to(operation).orElse("nowhere"))
                .sorted()
                .filter(line -> !line.equals("GET /metrics -> nowhere"))
                .toList();

        assertEquals(
                List.of(
                        "GET /admin/v1/replays -> replays",
                        "GET /admin/v1/replays/{id} -> replays",
                        "GET /admin/v1/replays/{id}/report -> replays",
                        "GET /admin/v1/replays/{id}/ruleset -> replays",
                        "GET /admin/v1/webhooks/{id}/deliveries -> deliveries",
                        "GET /m/{token} -> gateways"),
                elsewhere);
    }

    /** Replays are of one process, which has to offer them. */
    @Test
    void shouldSendEveryRouteOfReplaysToTheProcessThatRunsThem() {
        List<String> of = operations()
                .filter(IngressRulesTest::isOfReplays)
                .map(this::to)
                .map(backend -> backend.orElse("nowhere"))
                .distinct()
                .toList();
        assertEquals(List.of("replays"), of);

        ComposeFile compose = ComposeFile.read();
        ComposeFile.Service ingress = compose.service("ingress");
        List<ComposeFile.Service> composed = compose.reached(
                ingress, ingress.environment().get("LAUREL_REPLAYS").replaceFirst(":.*", ""));
        assertEquals(1, composed.size());
        assertTrue(
                offersReplays(composed.getFirst().command()),
                composed.getFirst().name());

        Manifests manifests = Manifests.read();
        List<Manifests.Container> pods = manifests.selected(
                manifests.only("Service", "laurel-replay").json().at("/spec/selector"));
        assertEquals(1, pods.size());
        assertTrue(offersReplays(pods.getFirst().arguments()), pods.toString());
        assertEquals(1, pods.getFirst().owner().json().at("/spec/replicas").asInt());
    }

    private static boolean offersReplays(List<String> command) {
        return command.contains("--replays") && Integer.parseInt(command.get(command.indexOf("--replays") + 1)) > 0;
    }

    private static boolean isOfReplays(Operation operation) {
        return operation.path().startsWith("/admin/v1/replays");
    }

    @Test
    void shouldRouteDeliveriesUnderAnAdminHost() {
        assertEquals(Optional.of("deliveries"), rules.backend("GET", "/v1/webhooks/4f/deliveries/"));
        assertEquals(Optional.of("gateways"), rules.backend("POST", "/v1/webhooks/4f/deliveries/1/retry"));
    }

    @Test
    void shouldTreatHeadAsARead() {
        assertEquals(Optional.of("nodes"), rules.backend("HEAD", "/v1/users/swimmer-77"));
    }

    @Test
    void shouldSendPreflightsToGateways() {
        assertEquals(Optional.of("gateways"), rules.backend("OPTIONS", "/v1/users/swimmer-77"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/metrics",
                "/",
                "/%6detrics",
                "/v1/../metrics",
                "/v1/%2e%2e/metrics",
                "/v1x",
                "/internal/x",
                "/peer"
            })
    void shouldNotRouteInternalPaths(String path) {
        assertEquals(Optional.empty(), rules.backend("GET", path));
        assertEquals(Optional.empty(), rules.backend("POST", path));
    }

    @Test
    void shouldAcceptEncodedSlashesAndDotsInUserIds() {
        assertEquals(Optional.of("nodes"), rules.backend("GET", "/v1/users/a%2Fb.c"));
        assertEquals(Optional.of("nodes"), rules.backend("GET", "/v1/users/..a"));
    }

    @Test
    void shouldRemoveInternalHeadersOfClients() {
        assertTrue(rules.removesOwnHeaders());
    }

    /** Otherwise, session cookies would travel without TLS, too. */
    @Test
    void shouldSayThatARequestCameByTls() {
        assertTrue(rules.saysTls());
    }

    @Test
    void shouldHaveServersForEveryBackend() {
        assertEquals(rules.used(), rules.backends());
        assertTrue(rules.ports().contains(8080), rules.ports().toString());
    }

    private static Stream<Operation> operations() {
        return OpenApiDocument.all().stream().flatMap(document -> document.operations().stream());
    }

    /** Replaces a placeholder by a segment. */
    private Optional<String> to(Operation operation) {
        return rules.backend(operation.method(), operation.path());
    }
}
