package dev.laurel.processors.fault;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each failure of the ledger application means, in one place.
 *
 * <table>
 * <caption>Failures</caption>
 * <tr><td>input that cannot be read or is refused</td><td>a rejection, in the processor; the partition goes on</td></tr>
 * <tr><td>an exception while processing</td><td>a fault: the application stops, the transaction is aborted</td></tr>
 * <tr><td>a record that Kafka does not take</td><td>a fault; if it is too large, the log says of which topic</td></tr>
 * </table>
 */
public final class LedgerFaults {

    private static final Logger LOG = LoggerFactory.getLogger(LedgerFaults.class);

    private LedgerFaults() {}

    /** Fails: leaving out a change of the changelog would let state and log part ways. */
    public static final class Production implements ProductionExceptionHandler {

        @Override
        public Response handleError(ErrorHandlerContext context, ProducerRecord<byte[], byte[]> record,
                Exception exception) {
            if (exception instanceof RecordTooLargeException) {
                LOG.error("a record of {} is larger than Kafka takes; caused by {}-{}@{}", record.topic(),
                        context.topic(), context.partition(), context.offset());
            }
            return Response.fail();
        }

        @Override
        public void configure(Map<String, ?> configs) {}
    }
}
