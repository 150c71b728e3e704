package dev.laurel.schemas.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.laurel.schemas.access.AccessRecord.Secret;
import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.key.TenantId;
import dev.laurel.schemas.ruleset.ServerAddress;
import dev.laurel.schemas.serde.Json;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The credentials of the services that send messages (docs/admin-api.md B4, {@code /notifications/channels}). They are stored
 * beside the ruleset. Bodies show only whether they are set, and no message repeats one.
 */
public final class ChannelSecrets {

    private static final int MAX_SHORT = 255;
    private static final int MAX_LONG = 20_000;
    private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
    private static final String END = "-----END PRIVATE KEY-----";

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
        services.put(
                "apns",
                List.of(
                        new ChannelSecret(AppleKey.SIGNING_KEY, MAX_LONG),
                        new ChannelSecret(AppleKey.TEAM_ID, MAX_SHORT),
                        new ChannelSecret(AppleKey.KEY_ID, MAX_SHORT),
                        new ChannelSecret(AppleKey.BUNDLE_ID, MAX_SHORT)));
        services.put("fcm", List.of(SERVICE_ACCOUNT));
        services.put("expo", List.of(new ChannelSecret("expo.token", 2000)));
        return services;
    }

    /** Changes the given secrets. Null deletes a secret, or all of a service. */
    static void patch(PendingAccess access, TenantId tenant, RequestFields item) throws BadInputException {
        RequestFields email = item.object("email");
        if (email != null) {
            String url = email.text(SMTP.field());
            if (url != null && !ServerAddress.isUrl(url, "smtp")) {
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

    private static void service(
            PendingAccess access, TenantId tenant, RequestFields push, String name, List<ChannelSecret> secrets)
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

    private static void keep(PendingAccess access, TenantId tenant, RequestFields item, ChannelSecret secret)
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
            throw BadInputException.invalid("push." + e.refusal().message());
        }
    }

    static boolean has(PendingAccess access, TenantId tenant, String name) {
        return access.secret(tenant, Secret.CHANNELS, name) != null;
    }

    /** Whether each service has all its secrets, by the name of the service. */
    static Map<String, Object> services(PendingAccess access, TenantId tenant) {
        var services = new LinkedHashMap<String, Object>();
        SERVICES.forEach((name, secrets) -> services.put(
                name, Map.of("configured", secrets.stream().allMatch(secret -> has(access, tenant, secret.name())))));
        return services;
    }

    /**
     * Reads a private key in the form that Apple and Google issue: PKCS #8 in PEM.
     *
     * @param algorithm RSA or EC
     * @param field name of the key in the refusal, which does not contain any of it
     */
    private static PrivateKey privateKey(String pem, String algorithm, String field) throws BadInputException {
        int begin = pem.indexOf(BEGIN);
        int end = pem.indexOf(END);
        if (begin < 0 || end < begin) {
            throw BadInputException.invalid(field, "must be a private key that begins with " + BEGIN);
        }
        try {
            byte[] key = Base64.getMimeDecoder().decode(pem.substring(begin + BEGIN.length(), end));
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(key));
        } catch (IllegalArgumentException | InvalidKeySpecException _) {
            throw BadInputException.invalid(field, "must be a private " + algorithm + " key");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has " + algorithm, e);
        }
    }

    /** The credentials for Apple's push service: a signing key with its id, and the ids of the team and the app. */
    public record AppleKey(ECPrivateKey key, String keyId, String teamId, String bundleId) {

        static final String SIGNING_KEY = "apns.signingKey";
        static final String KEY_ID = "apns.keyId";
        static final String TEAM_ID = "apns.teamId";
        static final String BUNDLE_ID = "apns.bundleId";

        private static final int CURVE_BITS = 256;
        private static final Pattern BUNDLE = Pattern.compile("[A-Za-z0-9._-]{1,255}");
        private static final Pattern APPLE_ID = Pattern.compile("[A-Za-z0-9]{1,64}");

        /**
         * @param secrets all four secrets by name
         * @throws BadInputException naming the invalid secret, without its content
         */
        public static AppleKey read(Map<String, String> secrets) throws BadInputException {
            return new AppleKey(
                    key(secret(secrets, SIGNING_KEY)),
                    id(KEY_ID, secret(secrets, KEY_ID)),
                    id(TEAM_ID, secret(secrets, TEAM_ID)),
                    id(BUNDLE_ID, secret(secrets, BUNDLE_ID)));
        }

        private static String secret(Map<String, String> secrets, String name) {
            return Objects.requireNonNull(secrets.get(name), name);
        }

        static ECPrivateKey key(String pem) throws BadInputException {
            if (privateKey(pem, "EC", SIGNING_KEY) instanceof ECPrivateKey key
                    && key.getParams().getCurve().getField().getFieldSize() == CURVE_BITS) {
                return key;
            }
            throw BadInputException.invalid(SIGNING_KEY, "must be a key of the curve P-256");
        }

        static String id(String name, String given) throws BadInputException {
            String id = given.strip();
            if (!(name.equals(BUNDLE_ID) ? BUNDLE : APPLE_ID).matcher(id).matches()) {
                throw BadInputException.invalid(
                        name,
                        switch (name) {
                            case BUNDLE_ID -> "must be a bundle id such as com.example.app";
                            case TEAM_ID -> "must be the team's id of letters and digits";
                            default -> "must be the key's id of letters and digits";
                        });
            }
            return id;
        }

        /** Omits the key. */
        @Override
        public String toString() {
            return bundleId;
        }
    }

    /**
     * The key file of a Google service account, as far as it is used. {@code token_uri} is ignored, because it would let a tenant
     * make this process call any server.
     */
    public record ServiceAccountKey(String project, String email, String keyId, PrivateKey key) {

        static final String FIELD = "fcm.serviceAccount";
        private static final int MIN_BITS = 2048;
        private static final Pattern PROJECT = Pattern.compile("[a-z0-9.:-]{1,100}");

        /** @throws BadInputException if the file is invalid or its key cannot sign; the message has none of its content */
        public static ServiceAccountKey read(String json) throws BadInputException {
            Map<String, Object> fields;
            try {
                fields = Json.readForeignObject(json.getBytes(UTF_8));
            } catch (BadInputException _) {
                throw BadInputException.invalid(FIELD, "must be the JSON key file of a service account");
            }
            String project = text(fields, "project_id");
            if (!PROJECT.matcher(project).matches()) {
                throw BadInputException.invalid(
                        FIELD, "must have a project_id of 1 to 100 lower-case letters, digits, '.', ':' and '-'");
            }
            PrivateKey key = privateKey(text(fields, "private_key"), "RSA", FIELD + ": private_key");
            if (!(key instanceof RSAKey rsa) || rsa.getModulus().bitLength() < MIN_BITS) {
                throw BadInputException.invalid(
                        FIELD, "has a private_key that cannot sign, it must have " + MIN_BITS + " bits or more");
            }
            return new ServiceAccountKey(project, text(fields, "client_email"), text(fields, "private_key_id"), key);
        }

        private static String text(Map<String, Object> fields, String name) throws BadInputException {
            if (fields.get(name) instanceof String text && !text.isBlank()) {
                return text;
            }
            throw BadInputException.invalid(FIELD, "must have a " + name);
        }

        /** Omits the key. */
        @Override
        public String toString() {
            return email;
        }
    }
}
