package dev.laurel.deploy.tools.imports;

/**
 * What an import has to remember to go on later.
 *
 * @param importId marks its records in the log
 * @param target what it writes to: the id of a log, which another cluster's has not, or the address of a server
 * @param fingerprint which source it reads
 * @param settled up to where everything is in the log or refused
 */
record Progress(long importId, String target, String fingerprint, AckWindow.Settled settled) {

    Progress at(AckWindow.Settled now) {
        return new Progress(importId, target, fingerprint, now);
    }
}
