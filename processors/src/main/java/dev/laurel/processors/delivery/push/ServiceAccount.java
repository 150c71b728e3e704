package dev.laurel.processors.delivery.push;

import dev.laurel.schemas.command.BadInputException;
import dev.laurel.schemas.serde.Json;
import java.net.URI;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.jose4j.jws.AlgorithmIdentifiers;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.jose4j.lang.JoseException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The key file of a Google service account. Where it says that tokens come from ({@code token_uri}) is not followed: a tenant
 * could make this process call anything.
 */
final class ServiceAccount {

    private static final String FIELD = "fcm.serviceAccount";
    private static final String SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
    private static final int LIFETIME_SECONDS = 3600;
    private static final Pattern PROJECT = Pattern.compile("[a-z0-9.:-]{1,100}");

    private final String project;
    private final String email;
    private final String keyId;
    private final PrivateKey key;

    private ServiceAccount(String project, String email, String keyId, PrivateKey key) {
        this.project = project;
        this.email = email;
        this.keyId = keyId;
        this.key = key;
    }

    /** @throws BadInputException if it is none, or its key cannot sign */
    static ServiceAccount read(String json) throws BadInputException {
        Map<String, Object> fields;
        try {
            fields = Json.readForeignObject(json.getBytes(UTF_8));
        } catch (BadInputException _) {
            throw BadInputException.invalid(FIELD, "must be the JSON key file of a service account");
        }
        String project = text(fields, "project_id");
        if (!PROJECT.matcher(project).matches()) {
            throw BadInputException.invalid(FIELD, "has a project_id that is none");
        }
        var account = new ServiceAccount(project, text(fields, "client_email"), text(fields, "private_key_id"),
                PrivateKeys.read(text(fields, "private_key"), "RSA", FIELD + ": private_key"));
        account.tryToSign();
        return account;
    }

    private static String text(Map<String, Object> fields, String name) throws BadInputException {
        if (fields.get(name) instanceof String text && !text.isBlank()) {
            return text;
        }
        throw BadInputException.invalid(FIELD, "must have a " + name);
    }

    /** A key that is too short is found out when it is used, and only then. */
    private void tryToSign() throws BadInputException {
        try {
            sign("{}");
        } catch (JoseException _) {
            throw BadInputException.invalid(FIELD,
                    "has a private_key that cannot sign, it must have 2048 bits or more");
        }
    }

    String project() {
        return project;
    }

    /** What is exchanged for an access token (RFC 7523). */
    String assertion(URI audience, Instant now) {
        var claims = new JwtClaims();
        claims.setIssuer(email);
        claims.setAudience(audience.toString());
        claims.setStringClaim("scope", SCOPE);
        claims.setIssuedAt(NumericDate.fromSeconds(now.getEpochSecond()));
        claims.setExpirationTime(NumericDate.fromSeconds(now.getEpochSecond() + LIFETIME_SECONDS));
        try {
            return sign(claims.toJson());
        } catch (JoseException e) {
            throw new IllegalStateException("a key that could sign before", e);
        }
    }

    private String sign(String payload) throws JoseException {
        var signature = new JsonWebSignature();
        signature.setAlgorithmHeaderValue(AlgorithmIdentifiers.RSA_USING_SHA256);
        signature.setKeyIdHeaderValue(keyId);
        signature.setHeader("typ", "JWT");
        signature.setKey(key);
        signature.setPayload(payload);
        return signature.getCompactSerialization();
    }
}
