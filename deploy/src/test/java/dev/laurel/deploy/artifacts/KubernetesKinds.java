package dev.laurel.deploy.artifacts;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonDeserializer;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Ingress;
import io.kubernetes.client.openapi.models.V1Job;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1NetworkPolicy;
import io.kubernetes.client.openapi.models.V1PodDisruptionBudget;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import io.kubernetes.client.openapi.models.V2HorizontalPodAutoscaler;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads manifests by the models that are generated from the OpenAPI document of Kubernetes. The models refuse
 * unknown fields, missing required fields, and values of another type.
 */
final class KubernetesKinds {

    /** Custom resources; {@link MonitoringTest} checks them. */
    private static final Set<String> OF_OPERATORS =
            Set.of("monitoring.coreos.com/v1 PodMonitor", "monitoring.coreos.com/v1 PrometheusRule");

    private static final Map<String, Model> MODELS = Map.ofEntries(
            Map.entry("v1 Namespace", new Model(V1Namespace.class, V1Namespace::validateJsonElement)),
            Map.entry("v1 Secret", new Model(V1Secret.class, V1Secret::validateJsonElement)),
            Map.entry("v1 Service", new Model(V1Service.class, V1Service::validateJsonElement)),
            Map.entry("v1 ServiceAccount", new Model(V1ServiceAccount.class, V1ServiceAccount::validateJsonElement)),
            Map.entry("apps/v1 Deployment", new Model(V1Deployment.class, V1Deployment::validateJsonElement)),
            Map.entry("apps/v1 StatefulSet", new Model(V1StatefulSet.class, V1StatefulSet::validateJsonElement)),
            Map.entry("batch/v1 Job", new Model(V1Job.class, V1Job::validateJsonElement)),
            Map.entry(
                    "autoscaling/v2 HorizontalPodAutoscaler",
                    new Model(V2HorizontalPodAutoscaler.class, V2HorizontalPodAutoscaler::validateJsonElement)),
            Map.entry(
                    "policy/v1 PodDisruptionBudget",
                    new Model(V1PodDisruptionBudget.class, V1PodDisruptionBudget::validateJsonElement)),
            Map.entry(
                    "networking.k8s.io/v1 NetworkPolicy",
                    new Model(V1NetworkPolicy.class, V1NetworkPolicy::validateJsonElement)),
            Map.entry("networking.k8s.io/v1 Ingress", new Model(V1Ingress.class, V1Ingress::validateJsonElement)));

    /** A reader of single models, because the reader of the library would load all models first. */
    private static final Gson GSON = new GsonBuilder()
            .registerTypeAdapter(OffsetDateTime.class, (JsonDeserializer<OffsetDateTime>)
                    (json, _, _) -> OffsetDateTime.parse(json.getAsString()))
            .create();

    private interface Check {

        void read(JsonElement json) throws IOException;
    }

    /**
     * @param type a class whose fields have the types of the values
     * @param check check of the field names
     */
    private record Model(Class<?> type, Check check) {}

    private KubernetesKinds() {}

    /** Returns the objections of Kubernetes to the manifest. */
    static Optional<String> problem(Manifests.Manifest manifest) {
        String kind = manifest.json().get("apiVersion").asString() + " " + manifest.kind();
        if (OF_OPERATORS.contains(kind)) {
            return Optional.empty();
        }
        if (!MODELS.containsKey(kind)) {
            return Optional.of("nobody checks a " + kind);
        }
        try {
            JsonElement json = JsonParser.parseString(manifest.json().toString());
            MODELS.get(kind).check().read(json);
            GSON.fromJson(json, MODELS.get(kind).type());
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of(e.getMessage());
        }
    }
}
