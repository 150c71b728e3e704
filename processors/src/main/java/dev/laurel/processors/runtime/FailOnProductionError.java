package dev.laurel.processors.runtime;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops an application whose producer fails. A change that is left out of a changelog would let the stores and the log diverge.
 *
 * <table>
 * <caption>What each failure of an application means</caption>
 * <tr><td>input that cannot be read or is refused</td><td>a rejection, written by the processor; the partition continues</td></tr>
 * <tr><td>an exception while processing</td><td>a fault: the application stops, the transaction is aborted</td></tr>
 * <tr><td>a record that Kafka does not accept</td><td>a fault; the log names the topic of a record that is too large</td></tr>
 * </table>
 */
public final class FailOnProductionError implements ProductionExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FailOnProductionError.class);

    @Override
    public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record,
            Exception exception) {
        if (exception instanceof RecordTooLargeException) {
            LOG.error("A record for {} exceeds the maximum size; it results from {}-{}@{}", record.topic(),
                    context.topic(), context.partition(), context.offset());
        }
        return Response.fail();
    }

    @Override
    public void configure(Map<String, ?> configs) {}
}
