package dev.laurel.deploy.artifacts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The manifests in {@code kubernetes/} and {@code ingress/}, before kustomize combines them. */
final class Manifests {

    private static final List<String> WITH_PODS = List.of("StatefulSet", "Deployment", "Job");
    private static final List<String> NO_MANIFESTS = List.of("kustomization.yaml", "adapter-rule.yaml");

    private final List<Manifest> all = new ArrayList<>();
    private final Map<String, Map<String, String>> generated = new TreeMap<>();
    private final TreeSet<Path> folders = new TreeSet<>();

    private Manifests() {}

    static Manifests read() {
        var read = new Manifests();
        var files = new ArrayList<>(DeployFiles.yamlFiles("kubernetes"));
        files.addAll(DeployFiles.yamlFiles("ingress"));
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (name.equals("kustomization.yaml")) {
                read.folders.add(file.getParent());
                read.generate(file.getParent(), DeployFiles.yaml(file).getFirst());
            }
            if (!NO_MANIFESTS.contains(name)) {
                DeployFiles.yaml(file).forEach(json -> read.all.add(new Manifest(file, json)));
            }
        }
        return read;
    }

    private void generate(Path folder, JsonNode kustomization) {
        for (JsonNode map : kustomization.path("configMapGenerator")) {
            Map<String, String> values =
                    generated.computeIfAbsent(map.get("name").asString(), _ -> new TreeMap<>());
            for (JsonNode literal : map.path("literals")) {
                add(literal.asString(), values);
            }
            for (JsonNode file : map.path("envs")) {
                DeployFiles.text(folder.resolve(file.asString()))
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .forEach(line -> add(line, values));
            }
            for (JsonNode file : map.path("files")) {
                values.put(file.asString(), DeployFiles.text(folder.resolve(file.asString())));
            }
        }
    }

    private static void add(String assignment, Map<String, String> values) {
        int equals = assignment.indexOf('=');
        values.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }

    List<Manifest> all() {
        return all;
    }

    /** Folders with a kustomization. */
    List<Path> folders() {
        return List.copyOf(folders);
    }

    List<Manifest> of(String kind) {
        return all.stream().filter(manifest -> manifest.kind().equals(kind)).toList();
    }

    Manifest only(String kind, String name) {
        return of(kind).stream()
                .filter(manifest -> manifest.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("there is no " + kind + " " + name));
    }

    /** Returns the content of a ConfigMap that kustomize generates. */
    Map<String, String> generated(String name) {
        if (!generated.containsKey(name)) {
            throw new NoSuchElementException("no ConfigMap " + name + " is made");
        }
        return generated.get(name);
    }

    /** Returns the containers of all pods. */
    List<Container> containers() {
        var containers = new ArrayList<Container>();
        all.stream()
                .filter(manifest -> WITH_PODS.contains(manifest.kind()))
                .forEach(manifest -> manifest.json()
                        .at("/spec/template/spec/containers")
                        .forEach(container -> containers.add(new Container(manifest, container))));
        return containers;
    }

    /** Returns the containers of the pods with all these labels. */
    List<Container> selected(JsonNode labels) {
        return containers().stream()
                .filter(container -> !labels.isEmpty()
                        && labels.properties().stream()
                                .allMatch(label -> label.getValue()
                                        .equals(container
                                                .owner()
                                                .json()
                                                .at("/spec/template/metadata/labels")
                                                .get(label.getKey()))))
                .toList();
    }

    /** One document of one file. */
    record Manifest(Path file, JsonNode json) {

        String kind() {
            return json.get("kind").asString();
        }

        String name() {
            return json.get("metadata").get("name").asString();
        }

        @Override
        public String toString() {
            return file + ": " + kind() + " " + name();
        }
    }

    /** One container of the pods of a manifest. */
    record Container(Manifest owner, JsonNode json) {

        JsonNode pod() {
            return owner.json().at("/spec/template/spec");
        }

        boolean isLaurel() {
            return json.get("image").asString().equals("laurel");
        }

        List<String> arguments() {
            return ComposeFile.Service.strings(json.path("args"));
        }

        /**
         * Returns the environment; a value from a field of another object is a dollar sign and the name of
         * the field.
         */
        Map<String, String> environment(Manifests manifests) {
            var environment = new LinkedHashMap<String, String>();
            json.path("envFrom")
                    .forEach(from -> environment.putAll(
                            manifests.generated(from.at("/configMapRef/name").asString())));
            json.path("env")
                    .forEach(variable -> environment.put(
                            variable.get("name").asString(),
                            variable.has("value")
                                    ? variable.get("value").asString()
                                    : "$"
                                            + variable.at("/valueFrom/fieldRef/fieldPath")
                                                    .asString()));
            return environment;
        }

        Map<String, Integer> ports() {
            var ports = new TreeMap<String, Integer>();
            json.path("ports")
                    .forEach(port -> ports.put(
                            port.get("name").asString(),
                            port.get("containerPort").asInt()));
            return ports;
        }

        List<String> mounts() {
            var mounts = new ArrayList<String>();
            json.path("volumeMounts")
                    .forEach(mount -> mounts.add(mount.get("mountPath").asString()));
            return mounts;
        }

        @Override
        public String toString() {
            return owner + ", container " + json.get("name").asString();
        }
    }
}
