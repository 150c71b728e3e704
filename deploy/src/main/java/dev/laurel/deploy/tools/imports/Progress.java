package dev.laurel.deploy.tools.imports;

import org.apache.kafka.common.Uuid;

/**
 * What an import has to remember to go on later.
 *
 * @param importId marks its records in the log
 * @param topicId which log it writes to: another cluster's has another id
 * @param fingerprint which source it reads
 * @param settled up to where everything is in the log or refused
 */
record Progress(long importId, Uuid topicId, String fingerprint, AckWindow.Settled settled) {

    Progress at(AckWindow.Settled now) {
        return new Progress(importId, topicId, fingerprint, now);
    }
}
