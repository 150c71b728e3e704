package dev.laurel.deploy.artifacts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.laurel.deploy.CommandLineModel;
import dev.laurel.deploy.artifacts.Manifests.Container;
import dev.laurel.deploy.artifacts.Manifests.Manifest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests the fields of the manifests and that their references exist, as far as possible without a cluster. */
final class KubernetesManifestsTest {

    private final Manifests manifests = Manifests.read();

    @Test
    void shouldHaveOnlyKnownFields() {
        var problems = new ArrayList<String>();
        manifests
                .all()
                .forEach(manifest -> KubernetesKinds.problem(manifest)
                        .ifPresent(problem -> problems.add(manifest + ": " + problem)));

        assertEquals(List.of(), problems);
    }

    @Test
    void shouldListEveryFileInItsFolder() {
        for (Path folder : manifests.folders()) {
            JsonNode kustomization =
                    DeployFiles.yaml(folder.resolve("kustomization.yaml")).getFirst();
            Set<String> listed = new TreeSet<>(strings(kustomization.path("resources")));
            strings(kustomization.path("components")).forEach(listed::add);
            listed.forEach(name -> assertTrue(Files.exists(folder.resolve(name)), folder + ": " + name));
            Set<String> there = manifests.all().stream()
                    .filter(manifest -> manifest.file().getParent().equals(folder))
                    .map(manifest -> manifest.file().getFileName().toString())
                    .collect(Collectors.toCollection(TreeSet::new));
            there.removeAll(listed);
            assertEquals(Set.of(), there, "in " + folder + ", but not in its kustomization.yaml");
        }
    }

    @Test
    void shouldStartTheProgramWithValidOptions() {
        var problems = new ArrayList<String>();
        for (Container container : laurels()) {
            var environment = new TreeMap<>(container.environment(manifests));
            if (container.arguments().getFirst().equals("topics")) {
                // This container needs only one of the shared options.
                environment.keySet().retainAll(Set.of("LAUREL_KAFKA"));
            }
            problems.addAll(CommandLineModel.problems(container.arguments(), environment));
        }

        assertEquals(List.of(), problems);
        assertEquals(5, laurels().size());
    }

    @Test
    void shouldRestrictEveryContainer() {
        for (Container container : manifests.containers()) {
            JsonNode pod = container.pod().path("securityContext");
            JsonNode own = container.json().path("securityContext");
            String name = container.toString();
            assertTrue(pod.path("runAsNonRoot").asBoolean(), name);
            assertTrue(pod.path("runAsUser").asInt() > 0, name);
            assertEquals(
                    "RuntimeDefault", pod.path("seccompProfile").path("type").asString(), name);
            assertTrue(own.path("readOnlyRootFilesystem").asBoolean(), name);
            assertEquals("false", own.path("allowPrivilegeEscalation").asString(), name);
            assertEquals(List.of("ALL"), strings(own.path("capabilities").path("drop")), name);
            assertTrue(container.json().path("resources").path("limits").has("memory"), name);
            assertEquals(
                    "false",
                    container.pod().path("automountServiceAccountToken").asString(),
                    name);
        }
    }

    @Test
    void shouldRunAsTheUserOfTheImage() {
        laurels()
                .forEach(container -> assertEquals(
                        ImageProfile.read().user(),
                        container.pod().at("/securityContext/runAsUser").asString() + ":"
                                + container
                                        .pod()
                                        .at("/securityContext/runAsGroup")
                                        .asString()));
    }

    @Test
    void shouldMountOnlyDeclaredVolumes() {
        for (Container container : manifests.containers()) {
            Set<String> declared = new TreeSet<>();
            container
                    .pod()
                    .path("volumes")
                    .forEach(volume -> declared.add(volume.get("name").asString()));
            container
                    .owner()
                    .json()
                    .at("/spec/volumeClaimTemplates")
                    .forEach(claim -> declared.add(claim.at("/metadata/name").asString()));
            Set<String> mounted = new TreeSet<>();
            container
                    .json()
                    .path("volumeMounts")
                    .forEach(mount -> mounted.add(mount.get("name").asString()));
            assertEquals(declared, mounted, container.toString());
        }
    }

    @Test
    void shouldNameExistingConfiguration() {
        for (Container container : manifests.containers()) {
            container.pod().path("volumes").forEach(volume -> {
                if (volume.has("secret")) {
                    manifests.only("Secret", volume.at("/secret/secretName").asString());
                }
                if (volume.has("configMap")) {
                    manifests.generated(volume.at("/configMap/name").asString());
                }
            });
        }
    }

    /** The file of a secret must be in a mounted folder, and its name must be a key of the secret. */
    @Test
    void shouldMountTheKeyAtItsConfiguredPath() {
        JsonNode secret = manifests.only("Secret", "laurel-secrets").json().get("stringData");
        for (Container container : laurels()) {
            var environment = container.environment(manifests);
            if (environment.containsKey("LAUREL_ADMIN_KEY_FILE")
                    && !container.arguments().getFirst().equals("topics")) {
                Path file = Path.of(environment.get("LAUREL_ADMIN_KEY_FILE"));
                assertTrue(secret.has(file.getFileName().toString()), container.toString());
                assertTrue(container.mounts().contains(file.getParent().toString()), container.toString());
                assertTrue(
                        !environment.containsKey("LAUREL_DATA_DIR")
                                || container.mounts().contains(environment.get("LAUREL_DATA_DIR")),
                        container.toString());
            }
        }
    }

    @Test
    void shouldProbeAndServeDeclaredPorts() {
        for (Container container : manifests.containers()) {
            for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
                if (container.owner().kind().equals("Job")) {
                    continue;
                }
                JsonNode get = container.json().at("/" + probe + "/httpGet");
                assertTrue(container.ports().containsKey(get.path("port").asString()), container + " " + probe);
                assertTrue(
                        List.of("/healthz", "/readyz").contains(get.path("path").asString()), container + " " + probe);
            }
            String port = container.environment(manifests).get("LAUREL_PORT");
            if (container.isLaurel() && !container.owner().kind().equals("Job")) {
                assertEquals(port, container.ports().get("http").toString(), container.toString());
            }
        }
        for (Manifest service : manifests.of("Service")) {
            List<Container> behind = manifests.selected(service.json().at("/spec/selector"));
            assertTrue(!behind.isEmpty(), service + " selects pods");
            for (JsonNode port : service.json().at("/spec/ports")) {
                behind.forEach(container -> assertTrue(
                        container.ports().containsKey(port.get("targetPort").asString()), service + " " + port));
                if (service.json().at("/spec/clusterIP").asString().equals("None")) {
                    behind.forEach(container -> assertEquals(
                            port.get("port").asInt(),
                            container.ports().get(port.get("targetPort").asString()),
                            service.toString()));
                }
            }
        }
    }

    /** Addresses {@code name:port} and {@code http://name:port} in any variable, with or without the namespace. */
    @Test
    void shouldNameExistingServices() {
        for (Container container : manifests.containers()) {
            container.environment(manifests).forEach((name, value) -> {
                if (List.of(
                                "LAUREL_NODES",
                                "LAUREL_GATEWAYS",
                                "LAUREL_DELIVERIES",
                                "LAUREL_REPLAYS",
                                "LAUREL_ADVERTISED")
                        .contains(name)) {
                    String host = value.replaceFirst("^http://", "")
                            .replaceFirst("^\\$\\(POD_NAME\\)\\.", "")
                            .replaceFirst("[.:].*", "");
                    int port = Integer.parseInt(value.substring(value.lastIndexOf(':') + 1));
                    Manifest service = manifests.only("Service", host);
                    assertEquals(port, service.json().at("/spec/ports/0/port").asInt(), name + "=" + value);
                }
            });
        }
    }

    @Test
    void shouldSelectOwnPodsAndNameOwnServices() {
        for (Manifest owner : manifests.all()) {
            if (List.of("StatefulSet", "Deployment").contains(owner.kind())) {
                assertTrue(
                        manifests.selected(owner.json().at("/spec/selector/matchLabels")).stream()
                                .allMatch(container -> container.owner().equals(owner)),
                        owner.toString());
            }
            if (owner.kind().equals("StatefulSet")) {
                Manifest service = manifests.only(
                        "Service", owner.json().at("/spec/serviceName").asString());
                assertEquals("None", service.json().at("/spec/clusterIP").asString(), owner.toString());
            }
            if (List.of("PodDisruptionBudget", "NetworkPolicy").contains(owner.kind())) {
                String selector = owner.kind().equals("NetworkPolicy") ? "/spec/podSelector" : "/spec/selector";
                assertTrue(
                        !manifests
                                .selected(owner.json().at(selector).path("matchLabels"))
                                .isEmpty(),
                        owner.toString());
            }
            if (owner.kind().equals("HorizontalPodAutoscaler")) {
                JsonNode target = owner.json().at("/spec/scaleTargetRef");
                manifests.only(target.get("kind").asString(), target.get("name").asString());
            }
        }
    }

    @Test
    void shouldNotScaleBeyondThePartitions() {
        List<String> topics = laurels().stream()
                .map(Container::arguments)
                .filter(arguments -> arguments.getFirst().equals("topics"))
                .findFirst()
                .orElseThrow();

        assertTrue(most("laurel-node") <= number(topics, "--partitions"));
        // One more during a rolling restart, and the one for replays.
        assertTrue(most("laurel-gateway") + 2 <= number(topics, "--gateway-partitions"));
    }

    /** Otherwise each apply would reset the number chosen by the autoscaler. */
    @Test
    void shouldNotSetTheNumberOfAutoscaledPods() {
        for (Manifests.Manifest autoscaler : manifests.of("HorizontalPodAutoscaler")) {
            JsonNode target = autoscaler.json().at("/spec/scaleTargetRef");
            JsonNode scaled = manifests
                    .only(target.get("kind").asString(), target.get("name").asString())
                    .json();
            JsonNode folder = DeployFiles.yaml(autoscaler.file().resolveSibling("kustomization.yaml"))
                    .getFirst();
            boolean isTakenOut = StreamSupport.stream(folder.path("patches").spliterator(), false)
                    .anyMatch(patch -> patch.at("/target/name").equals(target.get("name"))
                            && patch.get("patch").asString().contains("{ op: remove, path: /spec/replicas }"));
            assertTrue(isTakenOut || !scaled.get("spec").has("replicas"), autoscaler.toString());
        }
    }

    private int most(String autoscaler) {
        return manifests
                .only("HorizontalPodAutoscaler", autoscaler)
                .json()
                .at("/spec/maxReplicas")
                .asInt();
    }

    private static int number(List<String> arguments, String option) {
        return Integer.parseInt(arguments.get(arguments.indexOf(option) + 1));
    }

    private List<Container> laurels() {
        return manifests.containers().stream().filter(Container::isLaurel).toList();
    }

    private static List<String> strings(JsonNode list) {
        return ComposeFile.Service.strings(list);
    }
}
