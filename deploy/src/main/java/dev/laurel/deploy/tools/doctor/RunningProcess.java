package dev.laurel.deploy.tools.doctor;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.apache.kafka.streams.StreamsMetadata;
import org.jspecify.annotations.Nullable;

/** What a process shows of itself to operators; its parts add to it while they start. Thread-safe. */
public final class RunningProcess {

    final Instant since = Instant.now();
    final List<String> roles = new CopyOnWriteArrayList<>();
    private final Map<String, Supplier<Collection<StreamsMetadata>>> members = new ConcurrentHashMap<>();
    final Map<String, String> settings = new ConcurrentSkipListMap<>();
    volatile @Nullable String id;

    /** Null until it listens. */
    volatile @Nullable String url;

    volatile @Nullable Path directory;

    public void addRole(String role) {
        roles.add(role);
    }

    /** @param of id that is kept in the directory */
    public synchronized void identify(String of, Path itsDirectory) {
        id = of;
        directory = itsDirectory;
    }

    /** Returns the id of the process, which is a random one if it keeps none. */
    public synchronized String ensureId() {
        String known = id;
        if (known == null) {
            known = UUID.randomUUID().toString();
            id = known;
        }
        return known;
    }

    /** @param itsDirectory data directory of the process, if it is not that of the id */
    public void keepIn(Path itsDirectory) {
        directory = itsDirectory;
    }

    /** @param application name without generation @param itsMembers must not block */
    public void addMembers(String application, Supplier<Collection<StreamsMetadata>> itsMembers) {
        members.put(application, itsMembers);
    }

    /** @param value without secrets */
    public void addSetting(String name, @Nullable Object value) {
        settings.put(name, value == null ? "none" : value.toString());
    }

    public void serve(String at) {
        url = at;
    }

    /** Null if this process takes no part in the application. */
    @Nullable
    Collection<StreamsMetadata> members(String application) {
        Supplier<Collection<StreamsMetadata>> found = members.get(application);
        return found == null ? null : found.get();
    }
}
