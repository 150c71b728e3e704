package dev.laurel.schemas.admin;

import dev.laurel.schemas.input.BadInputException;
import java.security.interfaces.ECPrivateKey;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

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
        return new AppleKey(key(secret(secrets, SIGNING_KEY)), id(KEY_ID, secret(secrets, KEY_ID)),
                id(TEAM_ID, secret(secrets, TEAM_ID)), id(BUNDLE_ID, secret(secrets, BUNDLE_ID)));
    }

    private static String secret(Map<String, String> secrets, String name) {
        return Objects.requireNonNull(secrets.get(name), name);
    }

    static ECPrivateKey key(String pem) throws BadInputException {
        if (PrivateKeys.read(pem, "EC", SIGNING_KEY) instanceof ECPrivateKey key
                && key.getParams().getCurve().getField().getFieldSize() == CURVE_BITS) {
            return key;
        }
        throw BadInputException.invalid(SIGNING_KEY, "must be a key of the curve P-256");
    }

    static String id(String name, String given) throws BadInputException {
        String id = given.strip();
        if (!(name.equals(BUNDLE_ID) ? BUNDLE : APPLE_ID).matcher(id).matches()) {
            throw BadInputException.invalid(name, switch (name) {
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
