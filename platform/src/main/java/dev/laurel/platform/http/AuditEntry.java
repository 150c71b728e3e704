package dev.laurel.platform.http;

import dev.laurel.schemas.audit.AuditRecord.ChangedObject;
import dev.laurel.schemas.audit.AuditRecord.Versions;
import dev.laurel.schemas.audit.AuditRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request has changed so far, as its route notes it; {@link Caller#audit} has the one of the request. Only ids, keys and names
 * may be noted, never the content of an object. Thread-safe.
 */
public final class AuditEntry {

    private final List<ChangedObject> objects = new ArrayList<>();
    private int count;
    private boolean isUnknown;
    private @Nullable Versions versions;

    AuditEntry() {}

    /** Notes that an object was changed. @param id null where there is only one of the kind. @param name null: it has none */
    public synchronized void changed(String kind, @Nullable String id, @Nullable String name) {
        count++;
        if (objects.size() < AuditRecord.MAX_OBJECTS) {
            objects.add(new ChangedObject(kind, id, name));
        }
    }

    /** Notes that events were recorded, whose users are not named. */
    public synchronized void recorded(int events) {
        count += events;
    }

    /** Notes that the result of the request, or of a part of it, is not known. */
    public synchronized void unknown() {
        isUnknown = true;
    }

    /** Notes the versions of the ruleset; of several changes in one request, the first and the last version count. */
    public synchronized void ruleset(Versions change) {
        versions = versions == null ? change : new Versions(versions.before(), change.after());
    }

    synchronized List<ChangedObject> objects() {
        return List.copyOf(objects);
    }

    synchronized int count() {
        return count;
    }

    synchronized boolean isUnknown() {
        return isUnknown;
    }

    synchronized @Nullable Versions versions() {
        return versions;
    }
}
