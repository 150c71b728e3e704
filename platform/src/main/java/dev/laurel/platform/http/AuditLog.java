package dev.laurel.platform.http;

import dev.laurel.schemas.audit.AuditRecord;

/** Takes audit records. Thread-safe. */
public interface AuditLog {

    /** Keeps no records. */
    AuditLog NONE = _ -> {};

    /**
     * Checks, before a change, whether the log takes records.
     *
     * @throws HttpRefusal 503 if it does not, so that the change must not be made
     */
    default void expectWritable() {}

    /**
     * Writes a record about a change that has been made, and returns when the record cannot be lost any more. Never throws: the change
     * cannot be undone. A record that cannot be written is reported loudly instead.
     */
    void write(AuditRecord record);
}
