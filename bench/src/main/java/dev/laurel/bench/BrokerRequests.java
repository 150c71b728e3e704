package dev.laurel.bench;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Counts what the broker of a standalone in another process has received: requests by their kind, and records of each topic. The figures
 * are those that Kafka's broker registers as MBeans, so that any release of Laurel can be counted. For one thread.
 */
final class BrokerRequests implements AutoCloseable {

    private static final String BY_KIND = "kafka.network:type=RequestMetrics,name=RequestsPerSec,*";
    private static final String BY_TOPIC = "kafka.server:type=BrokerTopicMetrics,name=MessagesInPerSec,topic=*";

    private final JMXConnector connector;

    /**
     * Counts since the start of the process, or between two of them.
     *
     * @param requests by kind, such as {@code Produce}; fetches of consumers are {@code FetchConsumer}, and {@code Fetch} has all
     * @param records by topic
     */
    record Counts(Map<String, Double> requests, Map<String, Double> records) {

        /** Returns what was counted between an earlier time and this one, divided. Without what is 0. */
        Counts since(Counts before, long parts) {
            return new Counts(since(requests, before.requests, parts), since(records, before.records, parts));
        }

        private static Map<String, Double> since(Map<String, Double> now, Map<String, Double> before, long parts) {
            var difference = new TreeMap<String, Double>();
            now.forEach((name, count) -> {
                double more = count - before.getOrDefault(name, 0.0);
                if (more > 0) {
                    difference.put(name, more / parts);
                }
            });
            return difference;
        }

        double produce() {
            return requests.getOrDefault("Produce", 0.0);
        }

        double fetch() {
            return requests.getOrDefault("FetchConsumer", 0.0);
        }

        double allRecords() {
            return records.values().stream().mapToDouble(Double::doubleValue).sum();
        }
    }

    /** Connects to a process of the same user on this machine. */
    BrokerRequests(long pid) {
        try {
            VirtualMachine process = VirtualMachine.attach(Long.toString(pid));
            try {
                connector = JMXConnectorFactory.connect(new JMXServiceURL(process.startLocalManagementAgent()));
            } finally {
                process.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException("cannot attach to process " + pid, e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot attach to process " + pid, e);
        }
    }

    Counts now() {
        try {
            MBeanServerConnection beans = connector.getMBeanServerConnection();
            return new Counts(counts(beans, BY_KIND, "request"), counts(beans, BY_TOPIC, "topic"));
        } catch (IOException e) {
            throw new UncheckedIOException("the process does not answer", e);
        } catch (JMException e) {
            throw new IllegalStateException("the process does not count its requests", e);
        }
    }

    /** Returns the sums of what all MBeans of a pattern count by one of their properties. */
    private static Map<String, Double> counts(MBeanServerConnection beans, String pattern, String property)
            throws IOException, JMException {
        var sums = new TreeMap<String, Double>();
        for (ObjectName name : beans.queryNames(new ObjectName(pattern), null)) {
            double count = ((Number) beans.getAttribute(name, "Count")).doubleValue();
            sums.merge(name.getKeyProperty(property), count, Double::sum);
        }
        return sums;
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException _) {
            // The process may have ended.
        }
    }
}
