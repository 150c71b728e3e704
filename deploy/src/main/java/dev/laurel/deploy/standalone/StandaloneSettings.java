package dev.laurel.deploy.standalone;

import dev.laurel.schemas.http.TlsFiles;
import dev.laurel.schemas.topic.KafkaAccess;
import java.util.Map;

/**
 * How a standalone instance runs.
 *
 * @param port for HTTP; 0 takes any free one
 * @param adminKey null: the one kept in the data directory, made at the first start
 * @param kafka another cluster; null: an embedded broker
 * @param brokerPort of the embedded broker; 0 takes any free one
 * @param partitions of users, when the topics are created
 * @param testClock whether its time is virtual
 * @param ledger settings of the ledger application beside those made here
 * @param gateway settings of the gateway beside those made here
 * @param delivery settings of the delivery application beside those made here
 * @param adminHost requests for this host name get the admin API at {@code /v1}; null: there is no such name
 * @param tls null: plain HTTP
 */
public record StandaloneSettings(String host, int port, DataDir dataDir, String adminKey, KafkaAccess kafka,
        int brokerPort,
        int partitions, boolean testClock, Map<String, Object> ledger, Map<String, Object> gateway,
        Map<String, Object> delivery, String adminHost, TlsFiles tls) {

    public static final int DEFAULT_PORT = 8080;
    public static final int DEFAULT_BROKER_PORT = 9092;

    /** One partition keeps one stream thread busy at most; each costs seven small stores. */
    public static final int DEFAULT_PARTITIONS = 4;

    public StandaloneSettings {
        ledger = Map.copyOf(ledger);
        gateway = Map.copyOf(gateway);
        delivery = Map.copyOf(delivery);
    }

    /** Without the admin key: this may end up in a log. */
    @Override
    public String toString() {
        return "StandaloneSettings[" + host + ":" + port + ", " + dataDir + ", " + kafka + "]";
    }

    /** The same with virtual time. */
    public StandaloneSettings withTestClock() {
        return new StandaloneSettings(host, port, dataDir, adminKey, kafka, brokerPort, partitions, true, ledger,
                gateway, delivery, adminHost, tls);
    }

    /** On the loopback address, with ports that are free, for tests and benchmarks. */
    public static StandaloneSettings onFreePorts(DataDir dataDir) {
        return new StandaloneSettings("127.0.0.1", 0, dataDir, null, null, 0, DEFAULT_PARTITIONS, false, Map.of(),
                Map.of(), Map.of(), null, null);
    }
}
