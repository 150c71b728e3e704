package dev.laurel.deploy.tools.doctor.facts;

import java.util.List;

/**
 * All that was found out about a deployment, before anything is judged.
 *
 * @param cluster null if Kafka could not be asked
 * @param servers those that were asked
 * @param key null if there is none to try
 * @param directory null if there is none on this machine
 * @param tools how commands name the cluster
 */
public record Facts(ClusterFacts cluster, List<ServerFacts> servers, KeyFacts key, DirectoryFacts directory,
        KafkaTools tools) {

    public Facts {
        servers = List.copyOf(servers);
    }
}
