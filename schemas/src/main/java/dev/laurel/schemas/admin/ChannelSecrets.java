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
 * The credentials of the services that send messages (docs/admin-api.md B4, {@code /notifications/channels}). They are stored
 * beside the ruleset. Bodies show only whether they are set, and no message repeats one.
 */
final class ChannelSecrets {

    private static final int MAX_SHORT = 255;
    private static final int MAX_LONG = 20_000;

    /** A secret. @param name name of the secret, whose last part is the name of its field */
    private record ChannelSecret(String name, int maxLength) {

        String field() {
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }

    private static final ChannelSecret SMTP = new ChannelSecret(Secret.SMTP_URL, 2000);
    private static final ChannelSecret SERVICE_ACCOUNT = new ChannelSecret(ServiceAccountKey.FIELD, MAX_LONG);

    /** The secrets of each service, in the order of bodies. */
    private static final Map<String, List<ChannelSecret>> SERVICES = services();

    private static Map<String, List<ChannelSecret>> services() {
        var services = new LinkedHashMap<String, List<ChannelSecret>>();
        services.put("apns",
                List.of(new ChannelSecret(AppleKey.SIGNING_KEY, MAX_LONG),
                        new ChannelSecret(AppleKey.TEAM_ID, MAX_SHORT),
                        new ChannelSecret(AppleKey.KEY_ID, MAX_SHORT),
                        new ChannelSecret(AppleKey.BUNDLE_ID, MAX_SHORT)));
        services.put("fcm", List.of(SERVICE_ACCOUNT));
        services.put("expo", List.of(new ChannelSecret("expo.token", 2000)));
        return services;
    }

    /** Changes the given secrets. Null deletes a secret, or all of a service. */
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
            for (Map.Entry<String, List<ChannelSecret>> service : SERVICES.entrySet()) {
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

    private static void service(AccessDraft access, TenantId tenant, RequestFields push, String name,
            List<ChannelSecret> secrets)
            throws BadInputException {
        if (push.isNull(name)) {
            secrets.forEach(secret -> access.deleteSecret(tenant, Secret.CHANNELS, secret.name()));
        }
        RequestFields service = push.object(name);
        if (service != null) {
            for (ChannelSecret secret : secrets) {
                keep(access, tenant, service, secret);
            }
        }
    }

    private static void keep(AccessDraft access, TenantId tenant, RequestFields item, ChannelSecret secret)
            throws BadInputException {
        if (item.isNull(secret.field())) {
            access.deleteSecret(tenant, Secret.CHANNELS, secret.name());
        }
        // A service account is a JSON file, which a request may contain as text or as an object.
        String value = secret.equals(SERVICE_ACCOUNT) ? item.textOrObject(secret.field()) : item.text(secret.field());
        if (value == null) {
            return;
        }
        if (value.isBlank() || value.length() > secret.maxLength()) {
            throw item.bad(secret.field(), "must have 1 to " + secret.maxLength() + " characters");
        }
        expectUsable(secret, value);
        if (!value.equals(access.secret(tenant, Secret.CHANNELS, secret.name()))) {
            access.put(new Secret(tenant, Secret.CHANNELS, secret.name(), value));
        }
    }

    /** Refuses a secret that would fail when a message is sent. */
    private static void expectUsable(ChannelSecret secret, String value) throws BadInputException {
        try {
            switch (secret.name()) {
                case AppleKey.SIGNING_KEY -> AppleKey.key(value);
                case AppleKey.TEAM_ID, AppleKey.KEY_ID, AppleKey.BUNDLE_ID -> AppleKey.id(secret.name(), value);
                case ServiceAccountKey.FIELD -> ServiceAccountKey.read(value);
                default -> {
                    // The URL of the mail server has been checked, and a token has no form.
                }
            }
        } catch (BadInputException e) {
            throw new BadInputException(Refusal.invalid("push." + e.refusal().message()));
        }
    }

    static boolean has(AccessDraft access, TenantId tenant, String name) {
        return access.secret(tenant, Secret.CHANNELS, name) != null;
    }

    /** Whether each service has all its secrets, by the name of the service. */
    static Map<String, Object> services(AccessDraft access, TenantId tenant) {
        var services = new LinkedHashMap<String, Object>();
        SERVICES.forEach((name, secrets) -> services.put(name,
                Map.of("configured", secrets.stream().allMatch(secret -> has(access, tenant, secret.name())))));
        return services;
    }
}
