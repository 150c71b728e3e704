package dev.laurel.schemas.access;

import dev.laurel.schemas.access.AccessIndex.KeyPage;
import dev.laurel.schemas.access.AccessIndex.KeyPlace;
import dev.laurel.schemas.access.AccessIndex.KeyRange;
import dev.laurel.schemas.access.AccessRecord.ApplicationKey;
import dev.laurel.schemas.access.AccessRecord.LastUsed;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.key.UserId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Application keys, times of use and secrets in memory. Finding the keys of a user takes as long as there are keys in all. */
final class RecordsInMemory implements AccessIndex.Records {

    private static final Comparator<ApplicationKey> BY_PLACE = Comparator
            .comparing((ApplicationKey key) -> key.created().toEpochMilli())
            .thenComparing(key -> key.id().toString());

    private final Map<UUID, ApplicationKey> applicationKeys = new ConcurrentHashMap<>();
    private final Map<String, ApplicationKey> byPrefix = new ConcurrentHashMap<>();
    private final Map<UUID, Instant> lastUsed = new ConcurrentHashMap<>();
    private final Map<String, Secret> secrets = new ConcurrentHashMap<>();

    @Override
    public void put(String recordKey, @Nullable AccessRecord record) {
        switch (record) {
            case null -> remove(recordKey, recordKey.indexOf('/'));
            case ApplicationKey key -> {
                applicationKeys.put(key.id(), key);
                byPrefix.put(key.prefix(), key);
            }
            case Secret secret -> secrets.put(recordKey, secret);
            case LastUsed(UUID id, Instant at) -> lastUsed.merge(id, at, (a, b) -> a.isAfter(b) ? a : b);
            default -> throw new IllegalArgumentException("not a record of these kinds: " + recordKey);
        }
    }

    private void remove(String recordKey, int slash) {
        switch (recordKey.substring(0, slash)) {
            case "application-key" -> {
                ApplicationKey key = applicationKeys.remove(UUID.fromString(recordKey.substring(slash + 1)));
                if (key != null) {
                    byPrefix.remove(key.prefix(), key);
                }
            }
            case "last-used" -> lastUsed.remove(UUID.fromString(recordKey.substring(slash + 1)));
            default -> secrets.remove(recordKey);
        }
    }

    @Override
    public @Nullable ApplicationKey applicationKey(UUID id) {
        return applicationKeys.get(id);
    }

    @Override
    public @Nullable ApplicationKey applicationKeyOf(String prefix) {
        return byPrefix.get(prefix);
    }

    @Override
    public KeyPage applicationKeys(TenantId tenant, KeyRange range) {
        UserId user = range.user();
        KeyPlace after = range.after();
        List<ApplicationKey> following = applicationKeys.values().stream()
                .filter(key -> key.tenant().equals(tenant) && (user == null || key.userId().equals(user)))
                .sorted(BY_PLACE)
                .dropWhile(key -> after != null && !isAfter(key, after)).toList();
        int skipped = Math.min(range.skip(), following.size());
        int end = skipped + Math.min(range.limit(), following.size() - skipped);
        return new KeyPage(following.subList(skipped, end), skipped);
    }

    private static boolean isAfter(ApplicationKey key, KeyPlace place) {
        long createdMs = key.created().toEpochMilli();
        return createdMs > place.createdMs()
                || createdMs == place.createdMs() && key.id().toString().compareTo(place.id().toString()) > 0;
    }

    @Override
    public @Nullable Instant lastUsed(UUID keyId) {
        return lastUsed.get(keyId);
    }

    @Override
    public @Nullable Secret secret(String recordKey) {
        return secrets.get(recordKey);
    }

    @Override
    public List<TenantId> tenantsWith(String owner, String name) {
        return secrets.values().stream()
                .filter(secret -> secret.owner().equals(owner) && secret.name().equals(name)).map(Secret::tenant)
                .toList();
    }
}
