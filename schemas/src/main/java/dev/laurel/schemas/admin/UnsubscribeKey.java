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

/**
 * What proves that a link to unsubscribe is ours ({@code UnsubscribeToken}). A tenant gets it together with what opens its mail
 * server, so before its first email, and keeps it for good: links in old emails must work. Pure.
 */
public final class UnsubscribeKey {

    private static final String LABEL = "unsubscribe";

    private UnsubscribeKey() {}

    /**
     * The keys of those that have a mail server and none: it was set by a version that made no keys.
     *
     * @param entropy 32 random bytes, others each time
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

    /** The result of a change of settings, with the key if there has to be one and is none. */
    static EditResult made(TenantId tenant, AccessIndex before, EditResult result, byte[] entropy) {
        boolean hasServer = result.access()
                .get(Secret.recordKey(tenant, Secret.CHANNELS, Secret.SMTP_URL)) instanceof Secret
                || before.secret(tenant, Secret.CHANNELS, Secret.SMTP_URL) != null;
        if (!hasServer || before.secret(tenant, Secret.CHANNELS, Secret.UNSUBSCRIBE) != null) {
            return result;
        }
        var changes = new LinkedHashMap<String, AccessRecord>(result.access());
        Secret key = of(tenant, entropy);
        changes.put(key.recordKey(), key);
        return new EditResult(result.ruleset(), changes, result.status(), result.body());
    }
}
