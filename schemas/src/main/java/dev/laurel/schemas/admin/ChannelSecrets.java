package dev.laurel.schemas.admin;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.input.Refusal;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.ServerAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The secrets that open the services which carry messages (docs/admin-api.md B4, {@code /notifications/channels}). They are kept
 * beside the ruleset, and only ever said to be there: no message repeats one.
 */
final class ChannelSecrets {

    private static final int MAX_SHORT = 255;
    private static final int MAX_LONG = 20_000;

    /** @param name of the secret, with that of its field at the end */
    private record Kept(String name, int maxLength) {

        String field() {
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }

    private static final Kept SMTP = new Kept(Secret.SMTP_URL, 2000);
    private static final Kept SERVICE_ACCOUNT = new Kept(ServiceAccountKey.FIELD, MAX_LONG);

    /** Those of each service, in the order in which they are shown. */
    private static final Map<String, List<Kept>> SERVICES = services();

    private static Map<String, List<Kept>> services() {
        var services = new LinkedHashMap<String, List<Kept>>();
        services.put("apns",
                List.of(new Kept(AppleKey.SIGNING_KEY, MAX_LONG), new Kept(AppleKey.TEAM_ID, MAX_SHORT),
                        new Kept(AppleKey.KEY_ID, MAX_SHORT), new Kept(AppleKey.BUNDLE_ID, MAX_SHORT)));
        services.put("fcm", List.of(SERVICE_ACCOUNT));
        services.put("expo", List.of(new Kept("expo.token", 2000)));
        return services;
    }

    /** Changes the secrets that are given; null takes one away, or all of a service. */
    static void patch(AccessDraft access, TenantId tenant, RequestFields item) throws BadInputException {
        RequestFields email = item.object("email");
        if (email != null) {
            String url = email.text(SMTP.field());
            if (url != null && !isSmtp(url)) {
                throw email.bad(SMTP.field(), "must be an address such as smtps://user:password@mail.example.net:465");
            }
            keep(access, tenant, email, SMTP);
        }
        RequestFields push = item.object("push");
        if (push != null) {
            for (Map.Entry<String, List<Kept>> service : SERVICES.entrySet()) {
                service(access, tenant, push, service.getKey(), service.getValue());
            }
        }
    }

    private static boolean isSmtp(String url) {
        try {
            var uri = new URI(url);
            return ServerAddress.isIn(uri)
                    && ("smtp".equalsIgnoreCase(uri.getScheme()) || "smtps".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    /** Null takes all secrets of the service away. */
    private static void service(AccessDraft access, TenantId tenant, RequestFields push, String name,
            List<Kept> secrets)
            throws BadInputException {
        if (push.isNull(name)) {
            secrets.forEach(kept -> access.deleteSecret(tenant, Secret.CHANNELS, kept.name()));
        }
        RequestFields service = push.object(name);
        if (service != null) {
            for (Kept kept : secrets) {
                keep(access, tenant, service, kept);
            }
        }
    }

    private static void keep(AccessDraft access, TenantId tenant, RequestFields item, Kept kept)
            throws BadInputException {
        if (item.isNull(kept.field())) {
            access.deleteSecret(tenant, Secret.CHANNELS, kept.name());
        }
        // A service account is handed out as a file of JSON: it may be given as that text, or as the object that it is.
        String value = kept.equals(SERVICE_ACCOUNT) ? item.textOrObject(kept.field()) : item.text(kept.field());
        if (value == null) {
            return;
        }
        if (value.isBlank() || value.length() > kept.maxLength()) {
            throw item.bad(kept.field(), "must have 1 to " + kept.maxLength() + " characters");
        }
        expectUsable(kept, value);
        if (!value.equals(access.secret(tenant, Secret.CHANNELS, kept.name()))) {
            access.put(new Secret(tenant, Secret.CHANNELS, kept.name(), value));
        }
    }

    /** What could not be used when a message is to go out is refused now, when somebody looks. */
    private static void expectUsable(Kept kept, String value) throws BadInputException {
        try {
            switch (kept.name()) {
                case AppleKey.SIGNING_KEY -> AppleKey.key(value);
                case AppleKey.TEAM_ID, AppleKey.KEY_ID, AppleKey.BUNDLE_ID -> AppleKey.id(kept.name(), value);
                case ServiceAccountKey.FIELD -> ServiceAccountKey.read(value);
                default -> {
                    // An address of a mail server has been looked at, and a token may be anything.
                }
            }
        } catch (BadInputException e) {
            throw new BadInputException(Refusal.invalid("push." + e.refusal().message()));
        }
    }

    /** Whether there is a secret. */
    static boolean has(AccessDraft access, TenantId tenant, String name) {
        return access.secret(tenant, Secret.CHANNELS, name) != null;
    }

    /** Whether each service has all of its secrets, by its name. */
    static Map<String, Object> services(AccessDraft access, TenantId tenant) {
        var services = new LinkedHashMap<String, Object>();
        SERVICES.forEach((name, secrets) -> services.put(name,
                Map.of("configured", secrets.stream().allMatch(kept -> has(access, tenant, kept.name())))));
        return services;
    }
}
