package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessIndex;
import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.access.AccessRecord;
import dev.laurel.schemas.access.Hmac;
import dev.laurel.schemas.key.TenantId;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates the keys that authenticate unsubscribe links ({@code EmailToken}). A tenant gets its key together with the
 * credentials of its mail server, so before its first email, and keeps it forever, because links in old emails must work. Pure.
 */
public final class UnsubscribeKey {

    private static final String LABEL = "unsubscribe";

    private UnsubscribeKey() {}

    /**
     * The keys of tenants with a mail server but without a key, because an earlier version did not create keys.
     *
     * @param entropy supplies 32 random bytes
     */
    public static List<Secret> missing(AccessIndex index, Supplier<byte[]> entropy) {
        return index.tenantsWith(Secret.CHANNELS, Secret.SMTP_URL).stream()
                .filter(tenant -> index.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE) == null)
                .map(tenant -> of(tenant, entropy.get())).toList();
    }

    private static Secret of(TenantId tenant, byte[] entropy) {
        return new Secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE,
                HexFormat.of().formatHex(Hmac.sha256(entropy, LABEL)));
    }

    /** Adds a key to the result of an edit if the tenant needs one. */
    static EditResult withKey(TenantId tenant, AccessIndex before, EditResult result, byte[] entropy) {
        boolean hasServer = result.access()
                .get(Secret.recordKey(tenant, Secret.CHANNELS, Secret.SMTP_URL)) instanceof Secret
                || before.secret(tenant, Secret.CHANNELS, Secret.SMTP_URL) != null;
        if (!hasServer || before.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE) != null) {
            return result;
        }
        var changes = new LinkedHashMap<String, @Nullable AccessRecord>(result.access());
        Secret key = of(tenant, entropy);
        changes.put(key.recordKey(), key);
        return new EditResult(result.ruleset(), changes, result.status(), result.body());
    }
}
