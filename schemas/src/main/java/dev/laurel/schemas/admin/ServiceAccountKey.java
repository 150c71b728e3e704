package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import dev.laurel.schemas.serde.Json;
import java.security.PrivateKey;
import java.security.interfaces.RSAKey;
import java.util.Map;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

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
            throw BadInputException.invalid(FIELD,
                    "must have a project_id of 1 to 100 lower-case letters, digits, '.', ':' and '-'");
        }
        PrivateKey key = PrivateKeys.read(text(fields, "private_key"), "RSA", FIELD + ": private_key");
        if (!(key instanceof RSAKey rsa) || rsa.getModulus().bitLength() < MIN_BITS) {
            throw BadInputException.invalid(FIELD,
                    "has a private_key that cannot sign, it must have " + MIN_BITS + " bits or more");
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
